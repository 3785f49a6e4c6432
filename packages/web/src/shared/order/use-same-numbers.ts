import { replayLines } from '@fairball/domain/line-drafts'
import type { Game } from '../data/games.ts'
import { useNavigate } from '../navigation.tsx'
import { paths } from '../paths.ts'
import { runtime } from '../runtime.ts'
import { useSession } from '../session/use-session.ts'
import { drawTimesOf } from './draw-times.ts'
import { keepOrder } from './kept-order.ts'
import { newOrder } from './order-draft.ts'

/** Opens the payment step with lines. */
type PlayAgain = (
  lines: readonly (readonly number[])[],
  /** The order that the new one takes the place of, and when it was made, in epoch seconds. */
  instead?: { orderId: string; at: number },
) => void

/**
 * @returns a function that makes these lines, as chosen ones, the draft of an order for the game's next draw, and opens
 *   the step in which it is paid. Nothing is ordered.
 */
export function useSameNumbers(game: Game): PlayAgain {
  const navigate = useNavigate()
  const { profile } = useSession()
  return (lines, instead) => {
    const draftId = runtime.randomId()
    const order = {
      ...newOrder([], { id: draftId, drawTimes: drawTimesOf(game) }),
      lines: replayLines(lines),
      // Its text is that of no order, so that paying makes another.
      attempt: instead === undefined ? null : { ...instead, id: draftId, of: '' },
    }
    const place = { gameKey: game.key, dips: 0, player: profile?.username ?? '' }
    keepOrder(sessionStorage, place, { order, entry: '' })
    navigate(paths.game(game.key), { page: { step: 2, draftId, isFirst: true } })
  }
}
