import { parsePage } from '@fairball/domain/pagination'
import { useParams, useSearch } from '@tanstack/react-router'
import { returnPath } from '../paths.ts'

/** Hooks that make a screen's props of the address. The routes have checked it before a screen shows, so the fallbacks here are never seen. */
export function useGameKey(): { gameKey: string } {
  const { gameKey = '' } = useParams({ strict: false })
  return { gameKey }
}

/** The page of a list, from 1. */
export function usePage(): { page: number } {
  const { page } = useParams({ strict: false })
  return { page: parsePage(page) ?? 1 }
}

/** A game and the page of a list of it. */
export function useGamePage(): { gameKey: string; page: number } {
  return { ...useGameKey(), ...usePage() }
}

/** A game and one of its draws. */
export function useGameDraw(): { gameKey: string; number: number } {
  const { number = '' } = useParams({ strict: false })
  return { ...useGameKey(), number: Number(number) }
}

/** The results of a game: the page of the plays, that of the wins, and the play to open. */
export function useGamePlay(): { gameKey: string; page: number; winsPage: number; playId: string | null } {
  const { playId = null } = useParams({ strict: false })
  const { wins } = useSearch({ strict: false })
  return { ...useGamePage(), winsPage: parsePage(wins) ?? 1, playId }
}

/** A game to play: how many lucky dips to begin with, and the order to come back to. */
export function useGamePlayed(): { gameKey: string; luckyDips: number; transactionId: string | null } {
  const { count = '0' } = useParams({ strict: false })
  const { transaction_id: transactionId = null } = useSearch({ strict: false })
  return { ...useGameKey(), luckyDips: Number(count), transactionId }
}

/** The order a checkout is for. */
export function useOrderId(): { orderId: string } {
  const { order = '' } = useParams({ strict: false })
  return { orderId: order }
}

/** The key out of a mail. */
export function useResetKey(): { resetKey: string } {
  const { key = '' } = useParams({ strict: false })
  return { resetKey: key }
}

/** Where to go after signing in: a path on this site. */
export function useReturnPath(): { path: string } {
  return { path: useCheckedPath() ?? '/' }
}

/** The second step of a login, and where to go after it; null where nothing was asked for. */
export function useLoginKey(): { loginKey: string; path: string | null } {
  const { key = '' } = useParams({ strict: false })
  return { loginKey: key, path: useCheckedPath() }
}

/** The social network that an answer comes from. */
export function useProvider(): { provider: string } {
  const { provider = '' } = useParams({ strict: false })
  return { provider }
}

/** No props. */
export function useNothing(): object {
  return NOTHING
}

const NOTHING = {}

function useCheckedPath(): string | null {
  const { path } = useSearch({ strict: false })
  return returnPath(path)
}
