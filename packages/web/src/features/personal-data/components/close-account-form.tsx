import { useEffect, useId } from 'react'
import type { Control } from 'react-hook-form'
import { ApiError } from '@fairball/contract/client'
import { errorText } from '../../../shared/api.ts'
import { proofLabel, proofProblem } from '../../../shared/forms/proof.ts'
import { ProofInput } from '../../../shared/forms/proof-input.tsx'
import { fieldErrorsOf } from '../../../shared/forms/save-errors.ts'
import { useNavigate } from '../../../shared/navigation.tsx'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { Form, FormActions, SERVER_SAID, TextInput, useSchemaForm } from '@fairball/ui/form.tsx'
import { formRules } from '@fairball/ui/form-rules.ts'
import type { FormRules } from '@fairball/ui/form-rules.ts'
import { Link } from '@fairball/ui/link.tsx'
import { StillNeeded, useIsTouched, useStillNeeded } from '@fairball/ui/still-needed.tsx'
import { PERSONAL_DATA_TEXTS } from '../messages.ts'
import { useCloseAccount } from '../use-personal-data.ts'

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
  return formRules<CloseValues>(
    { proof: proofLabel(isSocial), word: PERSONAL_DATA_TEXTS.confirmNeeded },
    ({ proof, word }) => ({
      proof: proofProblem(proof, isSocial),
      word: word.trim() === PERSONAL_DATA_TEXTS.confirmWord ? null : PERSONAL_DATA_TEXTS.confirmWrong,
    }),
  )
}

/** Asks for the password or a code and for a word, and closes the account permanently. */
export function CloseAccountForm({ isSocial, onCancel }: { isSocial: boolean; onCancel: () => void }) {
  const closing = useCloseAccount(isSocial)
  const leave = useLeave()
  const rules = closeRules(isSocial)
  const { control, handleSubmit, setError, setFocus } = useSchemaForm<CloseValues>(rules, {
    proof: '',
    word: '',
  })
  useEffect(() => setFocus('proof'), [setFocus])
  // The button stays busy until the page has changed: a second press would only be refused.
  const isBusy = closing.isPending || closing.isSuccess
  const close = (values: CloseValues) => {
    if (isBusy) return
    closing.mutate(values, {
      onSuccess: () => void leave(),
      onError: (error) => {
        for (const [name, message] of fieldErrorsOf(error, FIELD_OF)) setError(name, { type: SERVER_SAID, message })
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
      <CloseActions control={control} rules={rules} isBusy={isBusy} onCancel={onCancel} />
    </Form>
  )
}

/** Ends the session of the closed account here, and says goodbye on the home page. */
function useLeave(): () => Promise<void> {
  const { signOut } = useSession()
  const navigate = useNavigate()
  return async () => {
    const { sayGoodbye } = await import('../goodbye.tsx')
    // The server has ended the session already. Its end leads to the login, where this continues.
    await signOut()
    navigate(paths.home(), { replace: true })
    sayGoodbye()
  }
}

function CloseActions(props: {
  control: Control<CloseValues>
  rules: FormRules<CloseValues>
  isBusy: boolean
  onCancel: () => void
}) {
  const needed = useStillNeeded(props.control, props.rules)
  const isTouched = useIsTouched(props.control)
  const noteId = useId()
  return (
    <>
      <StillNeeded id={noteId} names={needed} isShown={isTouched} />
      <FormActions>
        <Button type="submit" variant="danger" busy={props.isBusy} disabled={needed !== ''} aria-describedby={noteId}>
          {PERSONAL_DATA_TEXTS.closeNow}
        </Button>
        <Button variant="secondary" onClick={props.onCancel}>
          {PERSONAL_DATA_TEXTS.cancel}
        </Button>
      </FormActions>
    </>
  )
}

/** The server's reason against closing, and where to resolve it. */
function Refusal({ error }: { error: Error }) {
  const { profile } = useSession()
  if (!(error instanceof ApiError) || error.code !== 'ACCESS_DENIED')
    return <Banner kind="danger">{errorText(error)}</Banner>
  // Money can only be paid to a saved address of a player whose email address is verified.
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
