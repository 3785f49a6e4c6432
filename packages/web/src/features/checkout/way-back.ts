import type { Api } from '../../shared/api.ts'
import type { Game } from '../../shared/data/games.ts'
import { orderedDraft } from '../../shared/order/kept-order.ts'
import { keepSameNumbers } from '../../shared/order/same-numbers.ts'
import type { PageState } from '../../shared/page-state.ts'
import { paths } from '../../shared/paths.ts'

/** An order, and the person who looks at its payment. */
interface Paid {
  orderId: string
  gameKey: string
  /** Undefined while it is not known. */
  game: Game | undefined
  /** The player's name; null for a visitor. */
  player: string | null
}

/** The page of a game, and its step. */
interface Way {
  href: string
  page?: PageState
}

/**
 * The step before the payment, with the lines of the order: those kept by the tab, or those the server keeps for its
 * player. Others get to the game.
 */
export async function wayBack(api: Api, { orderId, gameKey, game, player }: Paid): Promise<Way> {
  const kept = orderedDraft(sessionStorage, orderId)
  if (kept !== null) {
    const href = kept.dips > 0 ? paths.luckyDips(kept.gameKey, kept.dips) : paths.game(kept.gameKey)
    return { href, page: { step: 2, draftId: kept.draftId, isFirst: true } }
  }
  const href = paths.game(gameKey)
  const own = player === null ? null : await ownOrder(api, orderId)
  if (own === null || game === undefined || player === null) return { href }
  const lines = own.lines.map(({ numbers }) => numbers)
  const instead = { orderId, at: own.created_at }
  return { href, page: keepSameNumbers(sessionStorage, { game, player, lines, instead }) }
}

/** The order, if it is this player's. */
async function ownOrder(api: Api, orderId: string) {
  try {
    return (await api.call('getPayment', { query: { transaction_id: orderId } })).order
  } catch {
    return null
  }
}
