import type { CryptoAccountDetails } from '@fairball/contract/schemas/account'
import { useClockValue } from '../../../shared/use-clock.ts'
import { EditableCard } from '../../../shared/forms/editable-card.tsx'
import { useMoments } from '../../../shared/moment.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { CopyButton } from '@fairball/ui/copy-button.tsx'
import { PAYOUT_TEXTS } from '../payout-texts.ts'
import { LightningForm } from './lightning-form.tsx'
import styles from './payout-details.module.css'

/** Props of {@link LightningAccount}. */
interface LightningAccountProps {
  details: CryptoAccountDetails
  isSocial: boolean
  canEdit: boolean
}

/** The Lightning address winnings are paid to: read-only, Change, then Save, Remove or Cancel. */
export function LightningAccount({ details, isSocial, canEdit }: LightningAccountProps) {
  const { lightning } = details
  return (
    <EditableCard
      title={PAYOUT_TEXTS.lightningCard}
      lead={PAYOUT_TEXTS.lightningLead}
      canEdit={canEdit}
      editText={lightning === null ? PAYOUT_TEXTS.add : PAYOUT_TEXTS.change}
      editLabel={lightning === null ? PAYOUT_TEXTS.addLightning : PAYOUT_TEXTS.changeLightning}
      savedText={lightning === null ? PAYOUT_TEXTS.lightningRemoved : PAYOUT_TEXTS.lightningSaved}
      renderForm={(moves) => (
        <LightningForm details={details} isSocial={isSocial} onCancel={moves.cancel} onSaved={moves.saved} />
      )}
      note={<p className={styles['note']}>{PAYOUT_TEXTS.lightningDelay}</p>}
    >
      {lightning === null ? <p>{PAYOUT_TEXTS.lightningNone}</p> : <Saved lightning={lightning} />}
    </EditableCard>
  )
}

function Saved({ lightning }: { lightning: NonNullable<CryptoAccountDetails['lightning']> }) {
  const moment = useMoments()
  const isWaiting = useClockValue((now) => now < lightning.usable_from)
  return (
    <>
      {isWaiting && <Banner kind="info">{PAYOUT_TEXTS.lightningWaits(moment(lightning.usable_from))}</Banner>}
      <div className={styles['place']}>
        <span className={styles['value']}>{lightning.value}</span>
        <CopyButton text={lightning.value} label="Lightning address" />
      </div>
    </>
  )
}
