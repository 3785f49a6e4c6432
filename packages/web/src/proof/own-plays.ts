import type { Play } from '@fairball/contract/schemas/game'
import type { Api } from '../shared/api.ts'

/** A draw of a game. */
interface PlayedDraw {
  readonly game: string
  readonly number: number
  /** Its start, epoch seconds: before a draw its plays have the start and not the number. */
  readonly startAt: number
  /** Whether its last ball was shown. */
  readonly isDrawn: boolean
}

/**
 * The plays of the signed-in player in one draw. The list of plays has those not yet drawn before drawn ones and is
 * newest first in both, so a binary search finds the page where a draw's plays begin.
 */
export async function playsOfDraw(
  api: Api,
  played: Omit<PlayedDraw, 'startAt'> & { readonly startAt: number | Promise<number> },
): Promise<Play[]> {
  const pages = new Map<number, Play[]>()
  let pageCount = 1
  const pageOf = async (page: number): Promise<Play[]> => {
    const known = pages.get(page)
    if (known !== undefined) return known
    const { data } = await api.call('getPlays', { params: { key: played.game }, query: { _page: page } })
    pages.set(page, data.results)
    pageCount = data.total_pages
    return data.results
  }
  const [startAt] = await Promise.all([played.startAt, pageOf(1)])
  const draw = { ...played, startAt }
  let [first, last] = [1, pageCount]
  while (first < last) {
    const middle = Math.floor((first + last) / 2)
    const lastPlay = (await pageOf(middle)).at(-1)
    if (lastPlay !== undefined && isBefore(lastPlay, draw)) first = middle + 1
    else last = middle
  }
  const found: Play[] = []
  for (let page = first; page <= pageCount; page += 1) {
    const plays = await pageOf(page)
    found.push(...plays.filter((play) => isOf(play, draw)))
    const lastPlay = plays.at(-1)
    if (lastPlay === undefined || !isOf(lastPlay, draw)) break
  }
  return found
}

function isOf(play: Play, { number, startAt }: PlayedDraw): boolean {
  return play.draw === null ? play.date === startAt : play.draw.number === number
}

/** Whether a play is before those of a draw in the list. */
function isBefore(play: Play, { startAt, isDrawn }: PlayedDraw): boolean {
  const isPlayDrawn = play.draw !== null
  return isPlayDrawn === isDrawn ? play.date > startAt : isDrawn
}
