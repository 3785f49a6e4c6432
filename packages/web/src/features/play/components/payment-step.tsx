import { ApiError } from '@fairball/contract/client'
import { useConfig } from '../../../app/config.ts'
import type { Game } from '../../../app/data/games.ts'
import { paths } from '../../../app/paths.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { LoadFailed } from '../../../ui/empty-state.tsx'
import { Steps } from '../../../ui/steps.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import { isPaid, paymentViewOf } from '../payment-view.ts'
import { useCheckoutUrl, usePaymentStatus } from '../use-play.ts'
import { PaymentStatus } from './payment-status.tsx'
import { PrizeTable } from './prize-table.tsx'
import { TwoColumns } from './two-columns.tsx'

const STEP = 3

/** Step 3: whether the order is paid, and where to go from here. */
export function PaymentStep({ game, transactionId }: { game: Game; transactionId: string }) {
  const payment = usePaymentStatus(game.key, transactionId)
  const { publicUrl } = useConfig()
  const paid = isPaid(payment.data?.status)
  const view = paymentViewOf(payment.data?.status)
  const checkoutUrl = useCheckoutUrl(transactionId, view === 'unpaid' || view === 'underpaid')
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
            <PaymentStatus view={view} moved={payment.data?.moved ?? []}>
              {checkoutUrl !== undefined && (
                <LinkButton href={hrefOf(checkoutUrl, publicUrl)}>{ORDER_TEXTS.toCheckout}</LinkButton>
              )}
              {paid !== null && (
                <>
                  <LinkButton href={paths.game(game.key)} variant={paid ? 'primary' : 'secondary'}>
                    {ORDER_TEXTS.playMore}
                  </LinkButton>
                  <LinkButton href={paths.results(game.key)} variant="secondary">
                    {paid ? ORDER_TEXTS.checkNumbers : ORDER_TEXTS.checkTickets}
                  </LinkButton>
                </>
              )}
            </PaymentStatus>
          )
        }
        aside={<PrizeTable game={game} />}
      />
    </>
  )
}

/** The page where an order is paid: one of this site changes without loading, one of the payment provider's own is another site. */
function hrefOf(checkoutUrl: string, publicUrl: string): string {
  return checkoutUrl.startsWith(`${publicUrl}/`) ? checkoutUrl.slice(publicUrl.length) : checkoutUrl
}

/** Whether there is no such order for this player: asking again would not help. */
function isGone(error: Error): boolean {
  return error instanceof ApiError && error.code === 'NOT_FOUND'
}
