import type { PaidFor } from '@fairball/contract/schemas/order'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import type { Game } from '../../shared/data/games.ts'
import { useDrawTicket } from './use-draw-ticket.ts'

/** The draw that a paid order's ticket is about now. */
interface LeadDraw {
  /** Undefined if the order has no draw. */
  readonly draw: PaidFor['draws'][number] | undefined
  /** The draws after it, and those that are over. */
  readonly later: PaidFor['draws']
  readonly past: PaidFor['draws']
  /** The player's ticket in it, from the close of its sales on. */
  readonly ticket: Ticket | undefined
}

/** @returns the first draw of a paid order that is not over; of one whose draws are all over, the last */
export function useLeadDraw({
  game,
  order: { draws },
  transactionId,
}: {
  game: Game
  order: PaidFor
  transactionId: string
}): LeadDraw {
  const from = draws.findIndex(({ number }) => number >= game.next_draw.number)
  const current = draws[from]
  const drawn = useDrawTicket({ gameKey: game.key, transactionId, draw: current })
  const isOver = drawn?.draw.status === 'DRAWN' || drawn?.draw.status === 'VOID'
  const next = from === -1 ? draws.length : isOver ? from + 1 : from
  const place = Math.max(0, Math.min(next, draws.length - 1))
  const draw = draws[place]
  return {
    draw,
    later: draws.slice(place + 1),
    past: draws.slice(0, place),
    ticket: draw === current ? drawn : undefined,
  }
}
