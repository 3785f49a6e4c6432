import { useEffect } from 'react'
import { DemoHint } from '../../../proof/demo-hint.tsx'
import { useConfig } from '../../../shared/config.ts'
import { useCryptoAccount } from '../../../shared/data/crypto-account.ts'
import type { Game } from '../../../shared/data/games.ts'
import { useFirstLines } from '../../../shared/first-lines.ts'
import { useNavigate } from '../../../shared/navigation.tsx'
import { paths } from '../../../shared/paths.ts'
import { BallRow } from '@fairball/ui/ball-row.tsx'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { Disclosure } from '@fairball/ui/disclosure.tsx'
import { ArrowLeftIcon, ArrowRightIcon, BitcoinIcon } from '@fairball/ui/icons.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Receipt } from '@fairball/ui/receipt.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import type { Order } from '../use-order.ts'
import { isLimit, isPromiseError, paymentErrorText, remedyOf, useStartPayment } from '../use-play.ts'
import { letterOf } from '@fairball/domain/line-letters'
import { OrderNote, receiptItems } from './order-receipt.tsx'
import { TwoColumns } from './two-columns.tsx'
import { WeeklyLeft } from './weekly-left.tsx'
import styles from './payment-method.module.css'

/** Step 2: how the order is paid, with bitcoin or with free tickets alone. */
export function PaymentMethod({ game, order }: { game: Game; order: Order }) {
  const start = useStartPayment({ game, free: order.price.freeTickets, drawPrices: order.price.byDraw })
  const goTo = useGoTo()
  const { price } = order
  const pay = () =>
    start.mutate(order.attempt(), {
      onSuccess: ({ checkout_url, transaction_id }) => {
        order.dispatch({ type: 'ordered', orderId: transaction_id })
        goTo(checkout_url)
      },
    })
  // The button stays busy until the browser has left: a second press would open the same page.
  const isBusy = start.isPending || start.isSuccess
  const next = price.isFree ? ORDER_TEXTS.freeNote : ORDER_TEXTS.payNote
  const { reset } = start
  useEffect(() => {
    // A player who comes back from another site's payment page finds this page as they left it, still busy.
    const wake = ({ persisted }: PageTransitionEvent) => persisted && reset()
    window.addEventListener('pageshow', wake)
    return () => window.removeEventListener('pageshow', wake)
  }, [reset])
  return (
    <TwoColumns
      main={
        <>
          {!price.isFree && <Bitcoin />}
          {!price.isFree && <WeeklyLeft />}
          <Card title={ORDER_TEXTS.yourLines(order.complete.length)}>
            <OrderedLines lines={order.complete} />
          </Card>
          <div>
            <Button variant="soft" icon={<ArrowLeftIcon size={20} />} onClick={order.goBack}>
              {ORDER_TEXTS.back}
            </Button>
          </div>
        </>
      }
      aside={
        <>
          {start.isError && (
            <Banner kind="danger" action={<Remedy error={start.error} onBack={order.goBack} />}>
              {paymentErrorText(start.error)}
              {isPromiseError(start.error) && <DemoHint />}
            </Banner>
          )}
          <Receipt
            title={ORDER_TEXTS.order}
            items={receiptItems(game, order)}
            totalLabel={ORDER_TEXTS.orderTotal}
            total={price.total}
            action={
              <Button
                size="hero"
                block
                busy={isBusy}
                disabled={price.entries === 0 || !price.isKnown}
                iconEnd={<ArrowRightIcon />}
                onClick={pay}
              >
                {price.isFree ? ORDER_TEXTS.payFree : ORDER_TEXTS.pay(price.total)}
              </Button>
            }
            // The banner says which limit it was: the note does not say it again.
            note={isLimit(start.error) ? next : <OrderNote game={game} order={order} text={next} />}
          />
        </>
      }
    />
  )
}

function OrderedLines({ lines }: { lines: Order['complete'] }) {
  return (
    <ul className={styles['lines']}>
      {useFirstLines(lines).map(({ confirmedNumbers }, index) => (
        <li key={letterOf(index)} className={styles['line']}>
          <BallRow places={confirmedNumbers} size={36} label={ORDER_TEXTS.lineName(letterOf(index))} />
        </li>
      ))}
    </ul>
  )
}

/** The one way to pay, and help with it. */
function Bitcoin() {
  return (
    <Card title={ORDER_TEXTS.method}>
      <label className={styles['method']}>
        <input type="radio" name="method" checked readOnly className={styles['radio']} />
        <BitcoinIcon size={32} />
        <span className={styles['words']}>
          <strong>{ORDER_TEXTS.methodBitcoin}</strong>
          <span>{ORDER_TEXTS.methodText}</span>
        </span>
      </label>
      <MissingAddress />
      <Disclosure title={ORDER_TEXTS.howToPay}>
        <ol className={styles['help']}>
          {ORDER_TEXTS.howToPaySteps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Disclosure>
    </Card>
  )
}

/** For a player without a payout address: the link to the form for it. */
function MissingAddress() {
  const { data: address } = useCryptoAccount()
  if (address !== null) return null
  return (
    <p className={styles['missing']}>
      {ORDER_TEXTS.methodNoAddress} <Link href={paths.cryptoAccount()}>{ORDER_TEXTS.addAddress}</Link>
    </p>
  )
}

/** The link to the place where a refused order can be corrected. */
function Remedy({ error, onBack }: { error: Error; onBack: () => void }) {
  switch (remedyOf(error)) {
    case 'own limits':
      return <Link href={paths.responsiblePlay()}>{ORDER_TEXTS.toLimits}</Link>
    case 'lines':
      return (
        <Button variant="secondary" size="small" onClick={onBack}>
          {ORDER_TEXTS.changeLines}
        </Button>
      )
    case null:
      return null
  }
}

/**
 * @returns a function that goes to an absolute address. A page of this site opens without a reload: the address may
 *   name the site differently than the browser does (localhost, 127.0.0.1), and a player is signed in only under one
 *   name.
 */
function useGoTo(): (address: string) => void {
  const navigate = useNavigate()
  const { publicUrl } = useConfig()
  return (address) => {
    if (address.startsWith(`${publicUrl}/`)) navigate(address.slice(publicUrl.length))
    else window.location.assign(address)
  }
}
