import type { Game } from '../data/games.ts'
import { useNavigate } from '../navigation.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../session/use-session.ts'

/**
 * @returns a function that makes these lines, as chosen ones, the draft of an order for the game's next draw, and opens
 *   the step in which it is paid. Nothing is ordered.
 */
export function useSameNumbers(game: Game): (lines: readonly (readonly number[])[]) => Promise<void> {
  const navigate = useNavigate()
  const { profile } = useSession()
  return async (lines) => {
    // Its rules of drafts are no part of the pages that have the button.
    const { keepSameNumbers } = await import('./same-numbers.ts')
    const page = keepSameNumbers(sessionStorage, { game, player: profile?.username ?? '', lines })
    navigate(paths.game(game.key), { page })
  }
}
