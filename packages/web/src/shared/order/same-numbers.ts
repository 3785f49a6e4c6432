import { replayLines } from '@fairball/domain/line-drafts'
import type { Game } from '../data/games.ts'
import type { PageState } from '../page-state.ts'
import { runtime } from '../runtime.ts'
import { drawTimesOf } from './draw-times.ts'
import { keepOrder } from './kept-order.ts'
import { newOrder } from './order-draft.ts'

/** Lines to play again. */
interface SameNumbers {
  game: Game
  /** The player's name. */
  player: string
  lines: readonly (readonly number[])[]
  /** The order that the new one takes the place of, and when it was made, in epoch seconds. */
  instead?: { orderId: string; at: number }
}

/**
 * Makes lines, as chosen ones, the draft of an order for the game's next draw.
 *
 * @returns the step of the game's page in which it is paid
 */
export function keepSameNumbers(storage: Storage, { game, player, lines, instead }: SameNumbers): PageState {
  const draftId = runtime.randomId()
  const order = {
    ...newOrder([], { id: draftId, drawTimes: drawTimesOf(game) }),
    lines: replayLines(lines),
    // Its text is that of no order, so that paying makes another.
    attempt: instead === undefined ? null : { ...instead, id: draftId, of: '' },
  }
  keepOrder(storage, { gameKey: game.key, dips: 0, player }, { order, entry: '' })
  return { step: 2, draftId, isFirst: true }
}
