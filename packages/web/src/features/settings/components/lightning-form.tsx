import type { CryptoAccountDetails } from '@fairball/contract/schemas/account'
import { parseLightningDestination } from '@fairball/domain/lightning-destination'
import { useWatch } from 'react-hook-form'
import { useConfig } from '../../../shared/config.ts'
import { proofLabel, proofProblem } from '../../../shared/forms/proof.ts'
import { ProofInput } from '../../../shared/forms/proof-input.tsx'
import { SaveForm } from '../../../shared/forms/save-form.tsx'
import { TextInput, useSchemaForm } from '@fairball/ui/form.tsx'
import { formRules } from '@fairball/ui/form-rules.ts'
import { PAYOUT_TEXTS } from '../payout-texts.ts'
import { useSavePayoutDetails } from '../use-payout-details.ts'
import styles from './payout-details.module.css'

/** The values of the form; an empty address removes the saved one. */
interface LightningValues {
  lightning: string
  proof: string
}

/** Props of {@link LightningForm}. */
interface LightningFormProps {
  details: CryptoAccountDetails
  isSocial: boolean
  onCancel: () => void
  onSaved: () => void
}

const FIELD_OF = {
  INVALID_LIGHTNING_DESTINATION: 'lightning',
  INVALID_CREDENTIALS: 'proof',
  INVALID_2FA_CODE: 'proof',
  lightning: 'lightning',
  password: 'proof',
  twofa_code: 'proof',
} as const

const changeOf = ({ lightning, proof }: LightningValues) => ({ lightning: lightning.trim() || null, proof })

/** Changes or removes the Lightning address, with the password or a code. */
export function LightningForm({ details, isSocial, onCancel, onSaved }: LightningFormProps) {
  const { publicUrl } = useConfig()
  const saved = details.lightning?.value ?? ''
  const takesOffers = details.lightning_kinds.includes('OFFER')
  const rules = lightningRules({ saved, ownHost: new URL(publicUrl).host, isSocial })
  const saving = useSavePayoutDetails(isSocial, changeOf)
  const { control, handleSubmit, setError } = useSchemaForm<LightningValues>(rules, { lightning: saved, proof: '' })
  const isRemoved = useWatch({ control, name: 'lightning' }).trim() === '' && saved !== ''
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
      saveText={isRemoved ? PAYOUT_TEXTS.remove : undefined}
      onSaved={onSaved}
    >
      <TextInput
        control={control}
        name="lightning"
        label={PAYOUT_TEXTS.lightningField}
        hint={PAYOUT_TEXTS.lightningHint({ takesOffers, hasSaved: saved !== '' })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode={takesOffers ? 'text' : 'email'}
      />
      <div>
        <ProofInput control={control} name="proof" isSocial={isSocial} />
        <p role="status" className={styles['note']}>
          {saving.isPending && !isRemoved ? PAYOUT_TEXTS.checking : ''}
        </p>
      </div>
    </SaveForm>
  )
}

/** An address that can be one, or nothing where one is saved; and a proof of the player. */
function lightningRules({ saved, ownHost, isSocial }: { saved: string; ownHost: string; isSocial: boolean }) {
  const isPlace = (text: string): boolean =>
    text.trim() === '' ? saved !== '' : parseLightningDestination(text, ownHost) !== null
  return formRules<LightningValues>(
    { lightning: PAYOUT_TEXTS.lightningField, proof: proofLabel(isSocial) },
    ({ lightning, proof }) => ({
      lightning: isPlace(lightning) ? null : PAYOUT_TEXTS.lightningInvalid,
      proof: proofProblem(proof, isSocial),
    }),
  )
}
