import type { PaidFor } from '@fairball/contract/schemas/order'
import { type ReactNode, useState } from 'react'
import { useClockValue } from '../../../shared/use-clock.ts'
import type { Game } from '../../../shared/data/games.ts'
import { newestBegun } from '../../../shared/order/draw-times.ts'
import { HeldBack } from '../../../shared/stage/held-back.tsx'
import OwnResult from '../../../shared/stage/own-result.tsx'
import { useOwnTickets } from '../../../shared/stage/use-own-tickets.ts'

/** Props of {@link TicketResult}. */
interface TicketResultProps {
  game: Game
  order: PaidFor
  /** the ticket */
  children: ReactNode
}

/**
 * How the newest draw of an order that has begun ended, above the ticket; nothing before its prizes are counted. Where
 * the draw is over when the page opens, the ticket comes with its result, so that nothing moves.
 */
export function TicketResult({ game, order: { draws }, children }: TicketResultProps) {
  const newest = useClockValue((now) => newestBegun(draws, now))
  const number = newest?.number ?? 0
  const playId = newest?.play_id ?? null
  const isOver = newest !== null && game.last_draw_at !== null && newest.start_at <= game.last_draw_at
  const [awaited] = useState(isOver ? number : null)
  const own = useOwnTickets({ gameKey: game.key, number }, 'DRAWN', playId !== null)
  return (
    <>
      {playId !== null && <OwnResult key={number} gameKey={game.key} number={number} playId={playId} />}
      <HeldBack isWaiting={awaited === number && own.status === 'LOADING'}>{children}</HeldBack>
    </>
  )
}
