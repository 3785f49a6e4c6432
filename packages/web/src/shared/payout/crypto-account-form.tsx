import { parseBtcAddress } from '@fairball/domain/btc-address'
import { VALIDATION_TEXTS } from '@fairball/domain/validation'
import { proofLabel, proofProblem } from '../forms/proof.ts'
import { ProofInput } from '../forms/proof-input.tsx'
import { SaveForm } from '../forms/save-form.tsx'
import { useConfig } from '../config.ts'
import type { WebConfig } from '@fairball/contract/pages'
import { TextInput, useSchemaForm } from '@fairball/ui/form.tsx'
import { formRules } from '@fairball/ui/form-rules.ts'
import { ADDRESS_TEXTS } from './address-texts.ts'
import { useSaveCryptoAccount } from './use-save-crypto-account.ts'
import type { NewAddress } from './use-save-crypto-account.ts'

/** Props of {@link CryptoAccountForm}. */
interface CryptoAccountFormProps {
  /** The saved address, null before the first. */
  saved: string | null
  isSocial: boolean
  /** Leaves the form; without it, the form is a part of its page and does not take the focus. */
  onCancel?: () => void
  onSaved: () => void
  /** The words of the button. Default "Save". */
  saveText?: string
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
export function CryptoAccountForm({ saved, isSocial, onCancel, onSaved, saveText }: CryptoAccountFormProps) {
  const { network } = useConfig()
  const saving = useSaveCryptoAccount(isSocial)
  const rules = addressRules(network, isSocial)
  const { control, handleSubmit, setError } = useSchemaForm<NewAddress>(rules, {
    btcAddress: saved ?? '',
    proof: '',
  })

  return (
    <SaveForm
      control={control}
      rules={rules}
      handleSubmit={handleSubmit}
      setError={setError}
      saving={saving}
      fieldOf={FIELD_OF}
      proofField="proof"
      onCancel={onCancel}
      saveText={saveText}
      onSaved={onSaved}
    >
      <TextInput
        control={control}
        name="btcAddress"
        label={ADDRESS_TEXTS.btcAddress}
        hint={ADDRESS_TEXTS.btcAddressHint(network)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        mono
      />
      <ProofInput control={control} name="proof" isSocial={isSocial} />
    </SaveForm>
  )
}

/** A valid address of the configured network, and a proof of the player. */
function addressRules(network: WebConfig['network'], isSocial: boolean) {
  return formRules<NewAddress>(
    { btcAddress: ADDRESS_TEXTS.btcAddress, proof: proofLabel(isSocial) },
    ({ btcAddress, proof }) => ({
      btcAddress: parseBtcAddress(btcAddress.trim(), network) === null ? VALIDATION_TEXTS.btcAddress : null,
      proof: proofProblem(proof, isSocial),
    }),
  )
}
