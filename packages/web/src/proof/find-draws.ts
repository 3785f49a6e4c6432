import type { DrawHint } from '@fairball/contract/schemas/fairness'
import type { Api } from '../shared/api.ts'

/** Number of draws fetched at the same time. */
const AT_ONCE = 4
/** Number of draws searched: an order names draws of a few weeks ahead. */
const MAX_DRAWS_AHEAD = 120

/** A draw of a game by its number, and the operator's hint at its place in the log. */
interface FoundDraw {
  readonly number: number
  readonly hint: DrawHint
}

/**
 * Finds draws of a game by the hashes of their `open`, with the operator's hints.
 *
 * @param from number of a draw that is not after the first of them
 * @returns the draws by hash; null if one is not among the next draws of the game
 */
export async function findDraws(
  api: Api,
  { game, opens, from }: { readonly game: string; readonly opens: readonly string[]; readonly from: number },
): Promise<ReadonlyMap<string, FoundDraw> | null> {
  const found = new Map<string, FoundDraw>()
  for (let first = from; first < from + MAX_DRAWS_AHEAD; first += AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, place) => first + place)
    const hints = await Promise.all(numbers.map((number) => hintOf(api, game, number)))
    for (const [place, hint] of hints.entries()) {
      if (hint !== null && opens.includes(hint.open)) found.set(hint.open, { number: first + place, hint })
    }
    if (opens.every((open) => found.has(open))) return found
    if (hints.includes(null)) return null
  }
  return null
}

async function hintOf(api: Api, game: string, number: number): Promise<DrawHint | null> {
  try {
    return await api.call('getFairnessDraw', { params: { game, number } })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'NOT_FOUND') return null
    throw error
  }
}
