import { useEffect } from 'react'
import { useFormState } from 'react-hook-form'
import type { Control } from 'react-hook-form'
import { ApiError } from '@fairball/contract/client'
import { errorText } from '../../../app/api.ts'
import { proofProblem } from '../../../app/forms/proof.ts'
import { ProofInput } from '../../../app/forms/proof-input.tsx'
import { fieldErrorsOf } from '../../../app/forms/save-errors.ts'
import { useNavigate } from '../../../app/navigation.tsx'
import { paths } from '../../../app/paths.ts'
import { useSession } from '../../../app/session/use-session.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Form, FormActions, TextInput, useSchemaForm } from '../../../ui/form.tsx'
import { formRules } from '../../../ui/form-rules.ts'
import { Link } from '../../../ui/link.tsx'
import { PERSONAL_DATA_TEXTS } from '../messages.ts'
import { useCloseAccount } from '../use-personal-data.ts'
import styles from './personal-data.module.css'

interface CloseValues {
  proof: string
  word: string
}

const FIELD_OF = {
  INVALID_CREDENTIALS: 'proof',
  INVALID_2FA_CODE: 'proof',
  password: 'proof',
  twofa_code: 'proof',
} as const

function closeRules(isSocial: boolean) {
  return formRules<CloseValues>(({ proof, word }) => ({
    proof: proofProblem(proof, isSocial),
    word: word.trim() === PERSONAL_DATA_TEXTS.confirmWord ? null : PERSONAL_DATA_TEXTS.confirmWrong,
  }))
}

/** Asks for the password or a code and for a word, and closes the account for good. */
export function CloseAccountForm({ isSocial, onCancel }: { isSocial: boolean; onCancel: () => void }) {
  const closing = useCloseAccount(isSocial)
  const leave = useLeave()
  const { control, handleSubmit, setError, setFocus } = useSchemaForm<CloseValues>(closeRules(isSocial), {
    proof: '',
    word: '',
  })
  useEffect(() => setFocus('proof'), [setFocus])
  // Until the page has changed the button works on: pressing it again would only be refused.
  const isBusy = closing.isPending || closing.isSuccess
  const close = (values: CloseValues) => {
    if (isBusy) return
    closing.mutate(values, {
      onSuccess: () => void leave(),
      onError: (error) => {
        for (const [name, message] of fieldErrorsOf(error, FIELD_OF)) setError(name, { message })
        setFocus('proof')
      },
    })
  }
  return (
    <Form onSubmit={handleSubmit(close)}>
      {closing.isError && <Refusal error={closing.error} />}
      <ProofInput control={control} name="proof" isSocial={isSocial} />
      <TextInput
        control={control}
        name="word"
        label={PERSONAL_DATA_TEXTS.confirmLabel}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <CloseActions control={control} isBusy={isBusy} onCancel={onCancel} />
    </Form>
  )
}

/** Ends the session of the closed account here, and says goodbye on the home page. */
function useLeave(): () => Promise<void> {
  const { signOut } = useSession()
  const navigate = useNavigate()
  return async () => {
    const { sayGoodbye } = await import('../goodbye.tsx')
    // The server has ended the session already. Losing it leads to the login, and from there this goes on.
    await signOut()
    navigate(paths.home(), { replace: true })
    sayGoodbye()
  }
}

function CloseActions(props: { control: Control<CloseValues>; isBusy: boolean; onCancel: () => void }) {
  const { isValid } = useFormState({ control: props.control })
  return (
    <>
      <FormActions>
        <Button type="submit" variant="danger" busy={props.isBusy} disabled={!isValid}>
          {PERSONAL_DATA_TEXTS.closeNow}
        </Button>
        <Button variant="secondary" onClick={props.onCancel}>
          {PERSONAL_DATA_TEXTS.cancel}
        </Button>
      </FormActions>
      {!isValid && <p className={styles['note']}>{PERSONAL_DATA_TEXTS.closeNeeds}</p>}
    </>
  )
}

/** What the server says against closing, and where it can be mended. */
function Refusal({ error }: { error: Error }) {
  const { profile } = useSession()
  if (!(error instanceof ApiError) || error.code !== 'ACCESS_DENIED')
    return <Banner kind="danger">{errorText(error)}</Banner>
  // Money can only be paid to a saved address of a player whose e-mail address is verified.
  const action =
    profile?.is_email_verified === false ? (
      <Link href={paths.personalDetails()}>{PERSONAL_DATA_TEXTS.toDetails}</Link>
    ) : (
      <Link href={paths.cryptoAccount()}>{PERSONAL_DATA_TEXTS.toAddress}</Link>
    )
  return (
    <Banner kind="danger" action={action}>
      {error.serverMessage || PERSONAL_DATA_TEXTS.refused}
    </Banner>
  )
}
