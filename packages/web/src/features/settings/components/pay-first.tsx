import type { CryptoAccountDetails, PayFirst as Way } from '@fairball/contract/schemas/account'
import { useController } from 'react-hook-form'
import { useClockValue } from '../../../shared/use-clock.ts'
import { EditableCard } from '../../../shared/forms/editable-card.tsx'
import { proofLabel, proofProblem } from '../../../shared/forms/proof.ts'
import { ProofInput } from '../../../shared/forms/proof-input.tsx'
import { SaveForm } from '../../../shared/forms/save-form.tsx'
import { useMoments } from '../../../shared/moment.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { RadioChips } from '@fairball/ui/chips.tsx'
import { ReadOnlyField } from '@fairball/ui/field.tsx'
import { useSchemaForm } from '@fairball/ui/form.tsx'
import { formRules } from '@fairball/ui/form-rules.ts'
import { PAYOUT_TEXTS } from '../payout-texts.ts'
import { useSavePayoutDetails } from '../use-payout-details.ts'
import styles from './payout-details.module.css'

/** Props of {@link PayFirst}. */
interface PayFirstProps {
  details: CryptoAccountDetails
  isSocial: boolean
  canEdit: boolean
}

/** The values of the form. */
interface PayFirstValues {
  pay_first: Way
  proof: string
}

const WAYS = (['LIGHTNING', 'ONCHAIN'] as const).map((value) => ({ value, label: PAYOUT_TEXTS.ways[value] }))
const FIELD_OF = {
  INVALID_CREDENTIALS: 'proof',
  INVALID_2FA_CODE: 'proof',
  password: 'proof',
  twofa_code: 'proof',
} as const

/** Which way the player is paid first, where both are saved. */
export function PayFirst({ details, isSocial, canEdit }: PayFirstProps) {
  const moment = useMoments()
  const from = details.pay_first_from ?? 0
  const isWaiting = useClockValue((now) => now < from)
  // Without a choice it is the way of the server (payouts over Lightning need no bitcoin address).
  const way = details.pay_first ?? (details.btc_address === null ? 'LIGHTNING' : 'ONCHAIN')
  return (
    <EditableCard
      title={PAYOUT_TEXTS.payFirstCard}
      lead={PAYOUT_TEXTS.payFirstLead}
      canEdit={canEdit}
      editText={PAYOUT_TEXTS.change}
      editLabel={PAYOUT_TEXTS.changePayFirst}
      renderForm={(moves) => (
        <PayFirstForm way={way} isSocial={isSocial} onCancel={moves.cancel} onSaved={moves.saved} />
      )}
      note={<p className={styles['note']}>{PAYOUT_TEXTS.payFirstDelay}</p>}
    >
      {isWaiting && <Banner kind="info">{PAYOUT_TEXTS.payFirstWaits(moment(from))}</Banner>}
      <ReadOnlyField label={PAYOUT_TEXTS.payFirst}>{PAYOUT_TEXTS.ways[way]}</ReadOnlyField>
    </EditableCard>
  )
}

function PayFirstForm(props: { way: Way; isSocial: boolean; onCancel: () => void; onSaved: () => void }) {
  const { way, isSocial, onCancel, onSaved } = props
  const rules = payFirstRules(isSocial)
  const saving = useSavePayoutDetails(isSocial, (values: PayFirstValues) => values)
  const { control, handleSubmit, setError } = useSchemaForm<PayFirstValues>(rules, { pay_first: way, proof: '' })
  const { field } = useController({ control, name: 'pay_first' })
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
      onSaved={onSaved}
    >
      <RadioChips
        legend={PAYOUT_TEXTS.payFirstCard}
        hideLegend
        options={WAYS}
        chosen={field.value}
        onChange={field.onChange}
      />
      <ProofInput control={control} name="proof" isSocial={isSocial} />
    </SaveForm>
  )
}

/** Either way is a valid one; and a proof of the player. */
function payFirstRules(isSocial: boolean) {
  return formRules<PayFirstValues>({ pay_first: PAYOUT_TEXTS.payFirst, proof: proofLabel(isSocial) }, ({ proof }) => ({
    proof: proofProblem(proof, isSocial),
  }))
}
