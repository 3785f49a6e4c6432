import { replayLines } from '@fairball/domain/line-drafts'
import type { Game } from '../../shared/data/games.ts'
import { useNavigate } from '../../shared/navigation.tsx'
import { paths } from '../../shared/paths.ts'
import { runtime } from '../../shared/runtime.ts'
import { useSession } from '../../shared/session/use-session.ts'
import { keepOrder } from './kept-order.ts'
import { newOrder } from './order-draft.ts'
import { timesOf } from './use-order.ts'

/**
 * @returns a function that begins a new order with these lines as chosen ones, or without lines with those kept by the
 * tab
 */
export function useTryAgain(game: Game): (lines: readonly (readonly number[])[]) => void {
  const navigate = useNavigate()
  const { profile } = useSession()
  return (lines) => {
    if (lines.length > 0) {
      const name = { id: runtime.randomId(), drawTimes: timesOf(game) }
      const order = { ...newOrder([], name), lines: replayLines(lines) }
      const place = { gameKey: game.key, dips: 0, player: profile?.username ?? '' }
      keepOrder(sessionStorage, place, { order, entry: '' })
    }
    navigate(paths.game(game.key))
  }
}
