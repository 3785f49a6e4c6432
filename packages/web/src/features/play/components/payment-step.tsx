import { useEffect, useEffectEvent, useState } from 'react'
import type { OrderPayment } from '@fairball/contract/schemas/order'
import { useClockValue } from '../../../shared/use-clock.ts'
import { useConfig } from '../../../shared/config.ts'
import { useCryptoAccount } from '../../../shared/data/crypto-account.ts'
import type { Game } from '../../../shared/data/games.ts'
import { useNavigate } from '../../../shared/navigation.tsx'
import { useSameNumbers } from '../../../shared/order/use-same-numbers.ts'
import { paths } from '../../../shared/paths.ts'
import { Button, LinkButton } from '@fairball/ui/button.tsx'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import { paymentViewOf } from '../payment-view.ts'
import type { PaymentView } from '../payment-view.ts'
import { TICKET_WORDS } from '../ticket-messages.ts'
import { isGone, useCheckoutUrl, usePaymentStatus } from '../use-play.ts'
import { OrderSteps } from './order-steps.tsx'
import { OrderTicket } from './order-ticket.tsx'
import { PaidOrder } from './paid-order.tsx'
import { PaymentConfirmations } from './payment-confirmations.tsx'
import { PaymentStatus } from './payment-status.tsx'
import { PrizeTable } from './prize-table.tsx'
import { TwoColumns } from './two-columns.tsx'

const STEP = 3

/** Props of {@link PaymentStep}. */
interface PaymentStepProps {
  game: Game
  transactionId: string
  /** The game is no longer drawn: nothing more can be ordered. */
  isEnded?: boolean
}

/** Step 3: whether the order is paid, and the next links; once it is, the ticket. */
export function PaymentStep({ game, transactionId, isEnded = false }: PaymentStepProps) {
  const payment = usePaymentStatus(game.key, transactionId)
  // The ticket's part about the payout address then shows with it.
  useCryptoAccount()
  // An order of another game is not shown here.
  const order = payment.data?.game_key === game.key ? payment.data : undefined
  useRedirectToGame(game.key, payment.data?.game_key, transactionId)
  const expiresAt = order?.order.expires_at ?? Infinity
  const isOver = useClockValue((now) => now >= expiresAt)
  const view = paymentViewOf(order, isOver)
  const [hasWaited, setHasWaited] = useState(false)
  if (!hasWaited && view !== 'checking' && view !== 'confirmed') setHasWaited(true)
  const hasFailed = payment.isError && payment.data === undefined
  const paid = view === 'confirmed' ? order : undefined
  return (
    <>
      <OrderSteps step={STEP} />
      <VisuallyHidden live>
        {paid !== undefined && TICKET_WORDS.announced(paid.order.lines.length, paid.order.draws.length)}
      </VisuallyHidden>
      {paid !== undefined && <PaidOrder game={game} transactionId={transactionId} payment={paid} isNew={hasWaited} />}
      {view !== 'confirmed' && (
        <TwoColumns
          main={
            hasFailed ? (
              <StatusFailed game={game} onRetry={isGone(payment.error) ? null : () => void payment.refetch()} />
            ) : (
              <Unpaid game={game} transactionId={transactionId} isEnded={isEnded} view={view} payment={order} />
            )
          }
          aside={!isEnded && <PrizeTable game={game} />}
        />
      )}
    </>
  )
}

function StatusFailed({ game, onRetry }: { game: Game; onRetry: (() => void) | null }) {
  return (
    <>
      <LoadFailed {...(onRetry === null ? {} : { onRetry })} />
      <p>
        <LinkButton href={paths.game(game.key)} variant="secondary">
          {ORDER_TEXTS.playMore}
        </LinkButton>
      </p>
    </>
  )
}

/** Props of {@link Unpaid}. */
interface UnpaidProps extends Required<PaymentStepProps> {
  view: Exclude<PaymentView, 'confirmed'>
  payment: OrderPayment | undefined
}

/** An order that is not paid, or not yet, and the next links. */
function Unpaid({ game, transactionId, isEnded, view, payment }: UnpaidProps) {
  const { publicUrl } = useConfig()
  const checkoutUrl = useCheckoutUrl(transactionId, view === 'unpaid' || view === 'underpaid')
  const tryAgain = useSameNumbers(game)
  const isSeen = view === 'processing'
  return (
    <>
      <PaymentStatus
        view={view}
        payment={payment}
        progress={isSeen && <PaymentConfirmations transactionId={transactionId} />}
      >
        {checkoutUrl !== undefined && (
          <LinkButton href={hrefOf(checkoutUrl, publicUrl)}>{ORDER_TEXTS.toCheckout}</LinkButton>
        )}
        {view === 'expired' && !isEnded && payment?.ended_because === undefined && (
          <Button onClick={() => void tryAgain(payment?.order.lines.map(({ numbers }) => numbers) ?? [])}>
            {ORDER_TEXTS.tryAgain}
          </Button>
        )}
        {view === 'refunded' && <LinkButton href={paths.balance()}>{ORDER_TEXTS.toBalance}</LinkButton>}
        {view !== 'checking' && (
          <LinkButton href={paths.game(game.key)} variant="secondary">
            {ORDER_TEXTS.playMore}
          </LinkButton>
        )}
        {isSeen && (
          <LinkButton href={paths.results(game.key)} variant="secondary">
            {ORDER_TEXTS.checkTickets}
          </LinkButton>
        )}
      </PaymentStatus>
      {isSeen && payment !== undefined && <OrderTicket game={game} order={payment.order} />}
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
