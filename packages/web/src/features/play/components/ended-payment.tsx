import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { DEFAULT_CURRENCY_CODE } from '@fairball/domain/fiat'
import { useGameName } from '../../../shared/data/game-looks.ts'
import type { Game } from '../../../shared/data/games.ts'
import EndedGame from '../../../shared/ended-game.tsx'
import { useSession } from '../../../shared/session/use-session.ts'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { StepsSkeleton } from './play-skeleton.tsx'

const PaymentStep = lazyRouteComponent(() => import('./payment-step.tsx'), 'PaymentStep')

/** The order of a player in a game that is no longer drawn: its ticket, its refund, or why it has none. */
export default function EndedPayment({ gameKey, transactionId }: { gameKey: string; transactionId: string }) {
  const { status } = useSession()
  const name = useGameName(gameKey)
  if (status === 'unknown') return <StepsSkeleton />
  if (status !== 'player') return <EndedGame gameKey={gameKey} />
  return (
    <div data-game={gameKey}>
      <PageTitle>{name}</PageTitle>
      <Suspense fallback={<StepsSkeleton />}>
        <PaymentStep key={transactionId} game={endedGame(gameKey, name)} transactionId={transactionId} isEnded />
      </Suspense>
    </div>
  )
}

/** What is left of a game: its name. Nothing is on sale, and every draw of an order is before the next one. */
function endedGame(key: string, name: string): Game {
  return {
    id: 0,
    key,
    name,
    color: '',
    pattern: 'solid',
    summary: '',
    currency: DEFAULT_CURRENCY_CODE,
    split: { prize_pool: 0, donation: 0, fee: 0 },
    sets: [],
    tickets_won: 0,
    ticket_price: { fiat: {} },
    jackpot: { crypto: { value: '0.00000000', code: 'BTC' }, fiat: {} },
    prizes: [],
    advanced_ticket_purchase: { days: [], max_weeks_ahead: 0 },
    next_draw: { number: Number.MAX_SAFE_INTEGER, start_at: 0, end_at: 0, ticket_sell_closes_at: 0 },
    open_draws: [],
    is_on_sale: false,
    sales_note: null,
    change: null,
    last_draw_at: null,
  }
}
