import type { PlannedGame } from './games-plan.ts'
import { minorText } from './minor-text.ts'
import { monthName } from './month-names.ts'
import { isIntoPartners, type StandingGame } from './standing-games.ts'

/**
 * What a plan says of one game, as sentences for the operator.
 *
 * @param before null for a new game
 * @param nameOf the name of a game by its key
 * @param nowAt epoch seconds: moments of another year name it
 */
export function sentencesOf(
  game: PlannedGame,
  before: StandingGame | null,
  nameOf: (key: string) => string,
  nowAt: number,
): string[] {
  const { name } = game.traits
  const sentences = [
    ...announced(game, before, nameOf, nowAt),
    ...(game.kinds.includes('horizon') && before !== null
      ? [`${name}: orders reach ${weeks(game.rules.weeksAhead)} ahead at once, not ${weeks(before.rules.weeksAhead)}.`]
      : []),
  ]
  return game.shown.length === 0 ? sentences : [...sentences, `${name}: at once ${game.shown.join(', ')}.`]
}

function announced(
  { version, into, traits, kinds }: PlannedGame,
  before: StandingGame | null,
  nameOf: (key: string) => string,
  nowAt: number,
): string[] {
  if (version === null) return []
  const { firstDraw, lastBefore, fromAt } = version
  if (into !== null) {
    const heir = isIntoPartners(into) ? 'the partners' : nameOf(into)
    const last = lastBefore === null ? 'It has no draw.' : `Draw ${lastBefore} is its last.`
    return [`${traits.name}: retires into ${heir} from ${momentOf(fromAt, nowAt)}. ${last}`]
  }
  const first =
    firstDraw === null ? momentOf(fromAt, nowAt) : `draw ${firstDraw.number}, ${momentOf(firstDraw.startAt, nowAt)}`
  return [[`${traits.name}: from ${first}.`, ...kept(before, kinds)].join(' ')]
}

/** What open draws keep: their price if it changes, otherwise their rules. */
function kept(before: StandingGame | null, kinds: PlannedGame['kinds']): string[] {
  const open = before?.openDraws ?? []
  const [first] = open
  const last = open.at(-1)
  if (before === null || first === undefined || last === undefined) return []
  const isOne = first.number === last.number
  const draws = isOne ? `Draw ${first.number} is` : `Draws ${first.number} to ${last.number} are`
  const prices = new Set(open.map(({ priceMinor }) => priceMinor))
  const isPrice = kinds.includes('price-up') || kinds.includes('price-down')
  const price = prices.size === 1 ? minorText(first.priceMinor, before.rules.currency) : 'their prices'
  const what = isPrice ? price : `${isOne ? 'its' : 'their'} rules`
  return [`${draws} open and ${isOne ? 'keeps' : 'keep'} ${what}.`]
}

function weeks(count: number): string {
  return count === 1 ? '1 week' : `${count} weeks`
}

/** A moment in UTC: `23 December 20:00 UTC`, with its year if that is not the present one. */
function momentOf(at: number, nowAt: number): string {
  const date = new Date(at * 1000)
  const isThisYear = date.getUTCFullYear() === new Date(nowAt * 1000).getUTCFullYear()
  const year = isThisYear ? '' : ` ${date.getUTCFullYear()}`
  return `${date.getUTCDate()} ${monthName(at)}${year} ${date.toISOString().slice(11, 16)} UTC`
}
