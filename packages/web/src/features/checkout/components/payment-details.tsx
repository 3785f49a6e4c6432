import { lazy, Suspense, useSyncExternalStore } from 'react'
import { formatMoney } from '@fairball/domain/fiat'
import type { Checkout } from '@fairball/contract/schemas/order'
import type { PaymentCheck } from '../../../proof/check-payment.ts'
import { DemoHint } from '../../../proof/demo-hint.tsx'
import { useHasScripts } from '../../../shared/has-scripts.ts'
import { amountIn } from '../../../shared/player-view.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button, LinkButton } from '@fairball/ui/button.tsx'
import { CopyButton } from '@fairball/ui/copy-button.tsx'
import { DefinitionList } from '@fairball/ui/definition-list.tsx'
import { BitcoinIcon } from '@fairball/ui/icons.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { QrCode } from '@fairball/ui/qr-code.tsx'
import { CHECKOUT_TEXTS } from '../messages.ts'
import { usePayFromTestWallet, usePaymentCheck } from '../use-checkout.ts'
import { LargeCode } from './large-code.tsx'
import styles from './payment-details.module.css'

/**
 * Amount and address, as a code to scan and as texts to copy. The code is shown only if the operator's promise fits
 * this browser's order, or if this browser did not make the order, which a note says.
 */
export function PaymentDetails({ checkout, isUnderpaid }: { checkout: Checkout; isUnderpaid: boolean }) {
  const check = usePaymentCheck(checkout)
  const hasScripts = useHasScripts()
  const { currencyCode } = useSession()
  const isTouched = useIsTouched()
  const { address, uri } = checkout
  const due = checkout.missing
  if (address === null || uri === null) return null
  if (check.data?.kind === 'wrong') return <Wrong why={check.data.why} />
  if (check.isError) return <NotChecked onRetry={() => void check.refetch()} isBusy={check.isFetching} />
  // Without scripts nothing can be checked, but the order can still be paid.
  const isReady = check.isSuccess || !hasScripts
  // A button rendered before its script would lose the click.
  const canPayHere = checkout.can_pay_from_test_wallet && check.isSuccess
  const onChain = (uri: string, code: string) => (
    <div className={styles['details']}>
      <div className={styles['texts']}>
        <div className={styles['entry']}>
          <h3>{isUnderpaid ? CHECKOUT_TEXTS.missing : CHECKOUT_TEXTS.amount}</h3>
          <p className={styles['amount']}>
            <span>
              <span className={styles['whole']}>{due.value}</span> {due.code}
            </span>
            <span className={styles['copy']}>
              <CopyButton text={due.value} label="amount" />
            </span>
          </p>
          {due.value === checkout.amount.crypto.value && <Fiat checkout={checkout} />}
          <p className={styles['note']}>{isUnderpaid ? CHECKOUT_TEXTS.exactMissing : CHECKOUT_TEXTS.exact}</p>
        </div>
        {isReady && (
          <LinkButton href={uri} variant={canPayHere ? 'secondary' : 'primary'} block icon={<BitcoinIcon size={20} />}>
            {CHECKOUT_TEXTS.openWallet}
          </LinkButton>
        )}
        <div className={styles['entry']}>
          <h3>{CHECKOUT_TEXTS.address}</h3>
          <p className={styles['address']}>
            <span className={styles['whole']}>
              <Mono text={address} />
            </span>
            <span className={styles['copy']}>
              <CopyButton text={address} label="address" />
            </span>
          </p>
        </div>
        <DefinitionList items={factsOf(checkout, isUnderpaid, currencyCode)} ruled />
      </div>
      <Code text={code} amount={`${due.value} BTC`} isReady={isReady} isTouched={isTouched} />
    </div>
  )
  return (
    <>
      <CheckNote check={check.data} isReady={isReady} />
      {checkout.lightning === null || !hasScripts ? (
        onChain(uri, uri)
      ) : (
        <Suspense>
          <WaysToPay {...{ checkout, isReady, isTouched, canPayHere, onChain }} />
        </Suspense>
      )}
      {canPayHere && <PayFromTestWallet checkout={checkout} />}
    </>
  )
}

const WaysToPay = lazy(async () => ({ default: (await import('./ways-to-pay.tsx')).WaysToPay }))
const FoldedCode = lazy(async () => ({ default: (await import('./folded-code.tsx')).FoldedCode }))

/** The payment as a code to scan. A phone opens its wallet instead, so there the code opens at a press. */
function Code({
  text,
  amount,
  isReady,
  isTouched,
}: {
  text: string
  amount: string
  isReady: boolean
  isTouched: boolean
}) {
  if (isTouched && isReady) {
    return (
      <Suspense>
        <FoldedCode>
          <div className={styles['code']}>
            <QrCode text={text} label={CHECKOUT_TEXTS.qr} />
          </div>
        </FoldedCode>
      </Suspense>
    )
  }
  return (
    <div className={styles['code']}>
      {isReady ? (
        <>
          <QrCode text={text} label={CHECKOUT_TEXTS.qr} />
          <LargeCode uri={text} amount={amount} />
        </>
      ) : (
        <div className={isTouched ? undefined : styles['awaited']} aria-hidden="true" />
      )}
    </div>
  )
}

const COARSE_POINTER = '(pointer: coarse)'

/** @returns whether the device is used by touch; false in the server's HTML */
function useIsTouched(): boolean {
  return useSyncExternalStore(
    whenPointerChanges,
    () => matchMedia(COARSE_POINTER).matches,
    () => false,
  )
}

function whenPointerChanges(onChange: () => void): () => void {
  const query = matchMedia(COARSE_POINTER)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** The result of this browser's check of the payment, announced when it changes. */
function CheckNote({ check, isReady }: { check: PaymentCheck | undefined; isReady: boolean }) {
  return (
    <p role="status" className={styles['note']}>
      {noteOf(check, isReady)}
    </p>
  )
}

function noteOf(check: PaymentCheck | undefined, isReady: boolean): string {
  if (check === undefined) return isReady ? CHECKOUT_TEXTS.notCheckable : CHECKOUT_TEXTS.checking
  return check.kind === 'promised' ? CHECKOUT_TEXTS.promised : CHECKOUT_TEXTS.notCheckable
}

/** Shown instead of the payment: the operator has signed a different order than this browser's. */
function Wrong({ why }: { why: string }) {
  return (
    <Banner kind="danger">
      <strong>{CHECKOUT_TEXTS.wrongTitle}</strong> {why} {CHECKOUT_TEXTS.wrongText}
      <DemoHint />
    </Banner>
  )
}

function NotChecked({ onRetry, isBusy }: { onRetry: () => void; isBusy: boolean }) {
  return (
    <Banner
      kind="warning"
      live
      action={
        <Button variant="secondary" size="small" busy={isBusy} onClick={onRetry}>
          {CHECKOUT_TEXTS.checkAgain}
        </Button>
      }
    >
      {CHECKOUT_TEXTS.notChecked}
    </Banner>
  )
}

function Fiat({ checkout }: { checkout: Checkout }) {
  const { currencyCode } = useSession()
  const amount = checkout.amount.fiat[currencyCode]
  return amount === undefined ? null : <p className={styles['fiat']}>{formatMoney(amount)}</p>
}

function factsOf(checkout: Checkout, isUnderpaid: boolean, currencyCode: string) {
  const network = { term: CHECKOUT_TEXTS.network, value: CHECKOUT_TEXTS.networks[checkout.network] }
  const prices =
    checkout.line_prices.length < 2
      ? []
      : [{ term: CHECKOUT_TEXTS.linePrices, value: pricesText(checkout, currencyCode) }]
  if (!isUnderpaid) return [...prices, network]
  return [
    ...prices,
    { term: CHECKOUT_TEXTS.whole, value: `${checkout.amount.crypto.value} BTC` },
    { term: CHECKOUT_TEXTS.received, value: `${checkout.received.value} BTC` },
    network,
  ]
}

/** "£1.00 in 3 draws, £1.50 in 1 draw". */
function pricesText({ line_prices }: Checkout, currencyCode: string): string {
  return line_prices
    .map(({ draws, price }) => {
      const amount = amountIn(price.fiat, currencyCode)
      return CHECKOUT_TEXTS.inDraws(amount === null ? '' : formatMoney(amount), draws)
    })
    .join(', ')
}

function PayFromTestWallet({ checkout: { transaction_id: orderId, lightning } }: { checkout: Checkout }) {
  const pay = usePayFromTestWallet(orderId)
  const isSecond = lightning?.state === 'open' && lightning.is_first
  return (
    <div className={styles['test']}>
      {pay.isError && <Banner kind="danger">{CHECKOUT_TEXTS.payFailed}</Banner>}
      <Button variant={isSecond ? 'soft' : 'primary'} block busy={pay.isPending} onClick={() => pay.mutate()}>
        {CHECKOUT_TEXTS.payTest}
      </Button>
      <p className={styles['note']}>{CHECKOUT_TEXTS.payTestNote}</p>
    </div>
  )
}
