import { useEffect, useEffectEvent } from 'react'
import { ApiError } from '@fairball/contract/client'
import { useClockValue } from '../../../shared/clock.ts'
import { useConfig } from '../../../shared/config.ts'
import type { Game } from '../../../shared/data/games.ts'
import { useNavigate } from '../../../shared/navigation.tsx'
import { paths } from '../../../shared/paths.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { LoadFailed } from '../../../ui/empty-state.tsx'
import { Steps } from '../../../ui/steps.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import { paymentViewOf } from '../payment-view.ts'
import { useCheckoutUrl, usePaymentStatus } from '../use-play.ts'
import { useTryAgain } from '../use-try-again.ts'
import { OrderTicket } from './order-ticket.tsx'
import { PaymentStatus } from './payment-status.tsx'
import { PrizeTable } from './prize-table.tsx'
import { SoftCalendar, TicketNextStep } from './ticket-next-step.tsx'
import { TwoColumns } from './two-columns.tsx'

const STEP = 3

/** Step 3: whether the order is paid, and the next links. */
export function PaymentStep({ game, transactionId }: { game: Game; transactionId: string }) {
  const payment = usePaymentStatus(game.key, transactionId)
  const { publicUrl } = useConfig()
  // An order of another game is not shown here.
  const order = payment.data?.game_key === game.key ? payment.data : undefined
  useRedirectToGame(game.key, payment.data?.game_key, transactionId)
  const expiresAt = order?.order.expires_at ?? Infinity
  const isOver = useClockValue((now) => now >= expiresAt)
  const view = paymentViewOf(order, isOver)
  const checkoutUrl = useCheckoutUrl(transactionId, view === 'unpaid' || view === 'underpaid')
  const tryAgain = useTryAgain(game)
  const isBought = view === 'confirmed' || view === 'processing'
  const hasFailed = payment.isError && payment.data === undefined
  return (
    <>
      <Steps current={STEP} names={ORDER_TEXTS.steps} />
      <TwoColumns
        main={
          hasFailed ? (
            <>
              <LoadFailed {...(isGone(payment.error) ? {} : { onRetry: () => void payment.refetch() })} />
              <p>
                <LinkButton href={paths.game(game.key)} variant="secondary">
                  {ORDER_TEXTS.playMore}
                </LinkButton>
              </p>
            </>
          ) : (
            <>
              <PaymentStatus view={view} payment={order}>
                {view === 'confirmed' && order !== undefined && <SoftCalendar game={game} order={order.order} />}
                {checkoutUrl !== undefined && (
                  <LinkButton href={hrefOf(checkoutUrl, publicUrl)}>{ORDER_TEXTS.toCheckout}</LinkButton>
                )}
                {view === 'expired' && order?.ended_because === undefined && (
                  <Button onClick={() => tryAgain(order?.order.lines.map(({ numbers }) => numbers) ?? [])}>
                    {ORDER_TEXTS.tryAgain}
                  </Button>
                )}
                {view === 'refunded' && <LinkButton href={paths.cryptoAccount()}>{ORDER_TEXTS.toAddress}</LinkButton>}
                {view !== 'checking' && (
                  <LinkButton href={paths.game(game.key)} variant="secondary">
                    {ORDER_TEXTS.playMore}
                  </LinkButton>
                )}
                {isBought && (
                  <LinkButton href={paths.results(game.key)} variant="secondary">
                    {view === 'confirmed' ? ORDER_TEXTS.checkNumbers : ORDER_TEXTS.checkTickets}
                  </LinkButton>
                )}
              </PaymentStatus>
              {isBought && order !== undefined && <OrderTicket game={game} order={order.order} />}
            </>
          )
        }
        aside={
          <>
            {view === 'confirmed' && order !== undefined && <TicketNextStep game={game} order={order.order} />}
            <PrizeTable game={game} />
          </>
        }
      />
    </>
  )
}

/** A link may name another game than the order's: its own page shows it. */
function useRedirectToGame(shownKey: string, orderKey: string | undefined, transactionId: string): void {
  const navigate = useNavigate()
  const goThere = useEffectEvent((key: string) =>
    navigate(`${paths.game(key)}?transaction_id=${encodeURIComponent(transactionId)}`, { replace: true }),
  )
  useEffect(() => {
    if (orderKey !== undefined && orderKey !== shownKey) goThere(orderKey)
  }, [orderKey, shownKey])
}

/**
 * The page where an order is paid: a page of this site opens without loading, and a payment provider's page is another
 * site.
 */
function hrefOf(checkoutUrl: string, publicUrl: string): string {
  return checkoutUrl.startsWith(`${publicUrl}/`) ? checkoutUrl.slice(publicUrl.length) : checkoutUrl
}

/** Whether there is no such order for this player: asking again would not help. */
function isGone(error: Error): boolean {
  return error instanceof ApiError && error.code === 'NOT_FOUND'
}
