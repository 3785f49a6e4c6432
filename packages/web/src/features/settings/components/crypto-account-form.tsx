import { useFormState } from 'react-hook-form'
import type { FormEvent } from 'react'
import { parseBtcAddress } from '@fairball/domain/btc-address'
import { VALIDATION_TEXTS } from '@fairball/domain/validation'
import { useConfig } from '../../../app/config.ts'
import type { WebConfig } from '../../../app/config.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Form, TextInput, useSchemaForm } from '../../../ui/form.tsx'
import { formRules } from '../../../ui/form-rules.ts'
import { SETTINGS_TEXTS } from '../messages.ts'
import { proofProblem } from '../proof.ts'
import { fieldErrorsOf, saveErrorText } from '../save-errors.ts'
import { useSaveCryptoAccount } from '../use-crypto-account.ts'
import type { NewAddress } from '../use-crypto-account.ts'
import { ProofInput } from './proof-input.tsx'
import { SaveActions } from './save-actions.tsx'

/** Props of {@link CryptoAccountForm}. */
export interface CryptoAccountFormProps {
  /** The saved address, null before the first. */
  saved: string | null
  isSocial: boolean
  onCancel: () => void
  onSaved: () => void
}

const FIELD_OF = {
  INVALID_BTC_ADDRESS: 'btcAddress',
  INVALID_CREDENTIALS: 'proof',
  INVALID_2FA_CODE: 'proof',
  btc_address: 'btcAddress',
  password: 'proof',
  twofa_code: 'proof',
} as const

/** Changes the bitcoin address, with the password or a code. */
export function CryptoAccountForm({ saved, isSocial, onCancel, onSaved }: CryptoAccountFormProps) {
  const { network } = useConfig()
  const saving = useSaveCryptoAccount(isSocial)
  const { control, handleSubmit, setError } = useSchemaForm<NewAddress>(addressRules(network, isSocial), {
    btcAddress: saved ?? '',
    proof: '',
  })
  const { isDirty } = useFormState({ control })

  const save = (values: NewAddress) =>
    saving.mutate(values, {
      onSuccess: onSaved,
      onError: (error) => {
        for (const [name, message] of fieldErrorsOf(error, FIELD_OF)) setError(name, { message })
      },
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isDirty) void handleSubmit(save)(event)
    else onCancel()
  }

  return (
    <Form onSubmit={submit}>
      {saving.isError && <Banner kind="danger">{saveErrorText(saving.error)}</Banner>}
      <TextInput
        control={control}
        name="btcAddress"
        label={SETTINGS_TEXTS.btcAddress}
        hint={SETTINGS_TEXTS.btcAddressHint(network)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        mono
      />
      <ProofInput control={control} name="proof" isSocial={isSocial} />
      <SaveActions control={control} busy={saving.isPending} onCancel={onCancel} />
    </Form>
  )
}

/** A valid address of the network that is paid on, and a proof of the player. */
function addressRules(network: WebConfig['network'], isSocial: boolean) {
  return formRules<NewAddress>(({ btcAddress, proof }) => ({
    btcAddress: parseBtcAddress(btcAddress.trim(), network) === null ? VALIDATION_TEXTS.btcAddress : null,
    proof: proofProblem(proof, isSocial),
  }))
}
