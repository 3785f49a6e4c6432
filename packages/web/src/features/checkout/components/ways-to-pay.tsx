import { useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { formatMoney } from '@fairball/domain/fiat'
import { maskMiddle } from '@fairball/domain/masking'
import type { Checkout } from '@fairball/contract/schemas/order'
import { useSession } from '../../../shared/session/use-session.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button, LinkButton } from '@fairball/ui/button.tsx'
import { CopyButton } from '@fairball/ui/copy-button.tsx'
import { QrCode } from '@fairball/ui/qr-code.tsx'
import { LIGHTNING_TEXTS } from '../lightning-messages.ts'
import { CHECKOUT_TEXTS } from '../messages.ts'
import { usePayOverLightning } from '../use-lightning.ts'
import { FoldedCode } from './folded-code.tsx'
import { LargeCode } from './large-code.tsx'
import styles from './payment-details.module.css'

type Way = 'lightning' | 'bitcoin'

/** The ways to pay an order that has a Lightning invoice: one tab each, the better one for the amount first. */
export function WaysToPay({
  checkout,
  isReady,
  isTouched,
  canPayHere,
  onChain,
}: {
  checkout: Checkout
  /** Whether the invoice may be shown: the operator's promise names it. */
  isReady: boolean
  isTouched: boolean
  /** Whether the demo's own wallet can pay. */
  canPayHere: boolean
  /** The payment on the chain. @param uri for a wallet on this device @param code the text of the code to scan */
  onChain: (uri: string, code: string) => ReactNode
}) {
  const { lightning, uri, unified_uri: unified } = checkout
  const [chosen, choose] = useState<Way | null>(null)
  if (lightning?.state === 'unavailable') {
    return (
      <>
        <p className={styles['note']}>{LIGHTNING_TEXTS.unavailable}</p>
        {onChain(uri ?? '', uri ?? '')}
      </>
    )
  }
  if (lightning?.state !== 'open' || lightning.bolt11 === null) return onChain(uri ?? '', uri ?? '')
  const ways: readonly Way[] = lightning.is_first ? ['lightning', 'bitcoin'] : ['bitcoin', 'lightning']
  const shown = chosen ?? ways[0] ?? 'bitcoin'
  return (
    <div className={styles['ways']}>
      <Tabs ways={ways} shown={shown} onChoose={choose} />
      <div role="tabpanel" id="checkout-way" aria-labelledby={`checkout-${shown}`} className={styles['panel']}>
        {shown === 'bitcoin' ? (
          onChain(unified ?? '', inCapitals(unified ?? ''))
        ) : (
          <OverLightning {...{ checkout, bolt11: lightning.bolt11, isReady, isTouched, canPayHere }} />
        )}
      </div>
      {canPayHere && <PayHere orderId={checkout.transaction_id} isFirst={lightning.is_first} />}
    </div>
  )
}

/** With an invoice in it a code is large: capitals, which address and invoice may have, make it smaller. */
function inCapitals(uri: string): string {
  return uri.replace(/(?<=^bitcoin:|&lightning=)[^?&]+/gu, (part) => part.toUpperCase())
}

function Tabs({ ways, shown, onChoose }: { ways: readonly Way[]; shown: Way; onChoose: (way: Way) => void }) {
  const bar = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    const other = ways.find((way) => way !== shown) ?? shown
    onChoose(other)
    bar.current?.querySelector<HTMLElement>(`#checkout-${other}`)?.focus()
  }
  return (
    <div ref={bar} role="tablist" aria-label={LIGHTNING_TEXTS.ways} className={styles['tabs']} onKeyDown={move}>
      {ways.map((way) => (
        <button
          key={way}
          type="button"
          role="tab"
          id={`checkout-${way}`}
          aria-selected={way === shown}
          aria-controls="checkout-way"
          tabIndex={way === shown ? 0 : -1}
          className={styles['tab']}
          onClick={() => onChoose(way)}
        >
          <strong>{LIGHTNING_TEXTS.names[way]}</strong> <span>{LIGHTNING_TEXTS.times[way]}</span>
        </button>
      ))}
    </div>
  )
}

/** The Lightning invoice, as a code to scan, a button, and a text to copy. */
function OverLightning({
  checkout,
  bolt11,
  isReady,
  isTouched,
  canPayHere,
}: {
  checkout: Checkout
  bolt11: string
  isReady: boolean
  isTouched: boolean
  canPayHere: boolean
}) {
  const { currencyCode } = useSession()
  const { value, code } = checkout.missing
  const fiat = checkout.amount.fiat[currencyCode]
  // Capitals make a smaller code.
  const uri = `lightning:${bolt11}`.toUpperCase()
  const qr = isReady ? (
    <QrCode text={uri} label={LIGHTNING_TEXTS.qr} />
  ) : (
    <div className={styles['awaited']} aria-hidden="true" />
  )
  return (
    <div className={styles['details']}>
      <div className={styles['texts']}>
        <div className={styles['entry']}>
          <h3>{CHECKOUT_TEXTS.amount}</h3>
          <p className={styles['amount']}>
            <span>
              {value} {code}
            </span>
          </p>
          {fiat !== undefined && <p className={styles['fiat']}>{formatMoney(fiat)}</p>}
          <p className={styles['note']}>{LIGHTNING_TEXTS.exact}</p>
        </div>
        {isReady && (
          <>
            <LinkButton href={`lightning:${bolt11}`} variant={canPayHere ? 'secondary' : 'primary'} block>
              {CHECKOUT_TEXTS.openWallet}
            </LinkButton>
            <div className={styles['entry']}>
              <h3>{LIGHTNING_TEXTS.invoice}</h3>
              <p className={styles['address']}>
                <span>
                  <code title={bolt11}>{maskMiddle(bolt11)}</code>
                </span>
                <CopyButton text={bolt11} label={LIGHTNING_TEXTS.copied} />
              </p>
            </div>
          </>
        )}
      </div>
      <div className={styles['code']}>
        {isTouched && isReady ? (
          <FoldedCode>
            <div className={styles['code']}>{qr}</div>
          </FoldedCode>
        ) : (
          <>
            {qr}
            {isReady && <LargeCode uri={uri} amount={`${value} ${code}`} />}
          </>
        )}
      </div>
    </div>
  )
}

/** The demo's own wallet pays the invoice. */
function PayHere({ orderId, isFirst }: { orderId: string; isFirst: boolean }) {
  const pay = usePayOverLightning(orderId)
  return (
    <>
      {pay.isError && <Banner kind="danger">{CHECKOUT_TEXTS.payFailed}</Banner>}
      <Button variant={isFirst ? 'primary' : 'soft'} block busy={pay.isPending} onClick={() => pay.mutate()}>
        {LIGHTNING_TEXTS.payTest}
      </Button>
    </>
  )
}
