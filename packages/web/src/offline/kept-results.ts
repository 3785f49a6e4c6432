/** The last results, kept for offline reading: public data only, nothing about a player. */
export interface KeptResults {
  /** The server's time when they were fetched, in epoch seconds. */
  keptAt: number
  games: KeptGame[]
}

/** A game and its newest draws. */
export interface KeptGame {
  key: string
  name: string
  /** The accent, `#RRGGBB`; absent in what an older version kept. */
  color?: string
  draws: KeptDraw[]
}

/** A draw whose numbers are public. */
export interface KeptDraw {
  number: number
  /** The draw's start, in epoch seconds. */
  datetime: number
  /** In the order drawn. */
  numbers: number[]
}

/** Number of kept draws of a game. */
const DRAWS_KEPT = 5
/** The header with the server's time in epoch seconds, on every answer of the API. */
const NOW_HEADER = 'x-fairball-now'

/**
 * Fetches the last results of all games, as for a visitor: without tokens and cookies.
 *
 * @throws Error if an answer breaks the API's contract or is missing
 */
export async function fetchResults(fetch: (address: string) => Promise<Response>): Promise<KeptResults> {
  const response = await okay(fetch('/api/v1/games'))
  const keptAt = Number(response.headers.get(NOW_HEADER))
  // Our own server's answers; any other value of a field ends up as text in a page.
  const games = (await response.json()) as { key: string; name: string; color: string }[]
  const kept: KeptGame[] = []
  for (const { key, name, color } of games) {
    const answer = await okay(fetch(`/api/v1/games/${encodeURIComponent(key)}/draws`))
    const { results } = (await answer.json()) as { results: KeptDraw[] }
    const draws = results.slice(0, DRAWS_KEPT)
    kept.push({
      key,
      name,
      color,
      draws: draws.map(({ number, datetime, numbers }) => ({ number, datetime, numbers: [...numbers] })),
    })
  }
  return { keptAt, games: kept }
}

async function okay(answer: Promise<Response>): Promise<Response> {
  const response = await answer
  if (!response.ok) throw new Error(`${response.url} was answered ${response.status}.`)
  return response
}
