import { timeLabel } from '@fairball/domain/draw-time-label'
import type { Checkout } from '@fairball/contract/schemas/order'
import { useClock } from '../../../shared/use-clock.ts'
import { useConfig } from '../../../shared/config.ts'
import { paths } from '../../../shared/paths.ts'
import { useUtcOffset } from '../../../shared/player-view.ts'
import { AlertIcon, RefreshIcon } from '@fairball/ui/icons.tsx'
import { pollAfterMs } from '../checkout-state.ts'
import { CHECKOUT_TEXTS } from '../messages.ts'
import { useHasScripts } from '../../../shared/has-scripts.ts'
import styles from './up-to-date.module.css'

/** The age of the page's data. Without scripts the page says when it was rendered, and how to update it. */
export function UpToDate({ checkout, silentSince }: { checkout: Checkout; silentSince: number | null }) {
  const { siteName } = useConfig()
  const hasScripts = useHasScripts()
  const utcOffsetAt = useUtcOffset()
  if (pollAfterMs(checkout.status) === false) return null
  if (!hasScripts) return <AsItStood orderId={checkout.transaction_id} />
  const isStale = silentSince !== null || !checkout.is_live
  return (
    <p className={styles['strip']} role="status" data-stale={isStale}>
      {isStale ? <AlertIcon size={18} /> : <RefreshIcon size={18} />}
      <span>
        {silentSince !== null
          ? CHECKOUT_TEXTS.noConnection(siteName, timeLabel(silentSince, utcOffsetAt(silentSince)))
          : isStale
            ? CHECKOUT_TEXTS.noNode
            : CHECKOUT_TEXTS.keepsUp}
      </span>
    </p>
  )
}

function AsItStood({ orderId }: { orderId: string }) {
  const { startedAt } = useClock()
  return (
    <div className={styles['strip']}>
      <RefreshIcon size={18} />
      <span>
        {CHECKOUT_TEXTS.stoodAt(`${timeLabel(startedAt, 0)} UTC`)}{' '}
        <a href={paths.checkout(orderId)}>{CHECKOUT_TEXTS.lookAgain}</a>
      </span>
      <noscript>
        <meta httpEquiv="refresh" content="30" />
      </noscript>
    </div>
  )
}
