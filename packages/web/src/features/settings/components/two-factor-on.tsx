import { useId, useState } from 'react'
import type { FormEvent } from 'react'
import { errorText } from '../../../shared/api.ts'
import { proofLabel, proofProblem } from '../../../shared/forms/proof.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { CodeField } from '@fairball/ui/code-field.tsx'
import { Form, FormActions } from '@fairball/ui/form.tsx'
import { CheckCircleIcon } from '@fairball/ui/icons.tsx'
import { PasswordField } from '@fairball/ui/password-field.tsx'
import { StillNeeded } from '@fairball/ui/still-needed.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { useDisableTwofa } from '../use-security.ts'
import styles from './two-factor.module.css'

/** The benefit of two-factor, and the form to disable it, with the password or a code. */
export function TwoFactorOn({ isSocial }: { isSocial: boolean }) {
  const [isAsking, setIsAsking] = useState(false)
  // After Cancel the focus comes back to the button.
  const [hasAsked, setHasAsked] = useState(false)
  const ask = () => {
    setIsAsking(true)
    setHasAsked(true)
  }
  return (
    <>
      <ul className={styles['benefits']}>
        {SETTINGS_TEXTS.twofaBenefits.map((benefit) => (
          <li key={benefit}>
            <CheckCircleIcon size={20} />
            {benefit}
          </li>
        ))}
      </ul>
      {isAsking ? (
        <DisableForm isSocial={isSocial} onCancel={() => setIsAsking(false)} />
      ) : (
        <div>
          <Button variant="danger" autoFocus={hasAsked} onClick={ask}>
            {SETTINGS_TEXTS.twofaDisable}
          </Button>
        </div>
      )}
    </>
  )
}

function DisableForm({ isSocial, onCancel }: { isSocial: boolean; onCancel: () => void }) {
  const disabling = useDisableTwofa(isSocial)
  const [proof, setProof] = useState('')
  const isValid = proofProblem(proof, isSocial) === null
  const noteId = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isValid && !disabling.isPending) disabling.mutate(proof, { onError: () => setProof('') })
  }
  return (
    <Form onSubmit={submit}>
      <Banner kind="warning">{SETTINGS_TEXTS.twofaDisableAsk}</Banner>
      {disabling.isError && <Banner kind="danger">{errorText(disabling.error)}</Banner>}
      {isSocial ? (
        <CodeField label={SETTINGS_TEXTS.code} value={proof} onChange={setProof} autoFocus />
      ) : (
        <PasswordField
          label={SETTINGS_TEXTS.password}
          hint={SETTINGS_TEXTS.passwordHint}
          autoComplete="current-password"
          value={proof}
          onChange={setProof}
          autoFocus
        />
      )}
      <StillNeeded id={noteId} names={isValid ? '' : proofLabel(isSocial)} />
      <FormActions>
        <Button type="submit" variant="danger" busy={disabling.isPending} disabled={!isValid} aria-describedby={noteId}>
          {SETTINGS_TEXTS.twofaDisable}
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          {SETTINGS_TEXTS.cancel}
        </Button>
      </FormActions>
    </Form>
  )
}
