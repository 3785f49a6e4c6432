import { isVersion, kindsOfChange } from './game-changes.ts'
import type { FileGame, FileProblem } from './games-file.ts'
import {
  earliestFrom,
  firstDrawFrom,
  isIntoPartners,
  type PlannedFor,
  type StandingGame,
  staysActive,
} from './standing-games.ts'
import { isRate } from './protocol/money.ts'
import { LOWEST_RATE } from './protocol/numbers.ts'
import { problemOfSiteColors, type SiteColors } from './site-colors.ts'
import { problemOfAccent } from './world.ts'

/** Most games that are not retired. */
const MAX_GAMES = 50

/**
 * Every problem of a games file on an installation, each with its place; empty if there are none.
 *
 * @param ofFile problems of the file alone; what they concern is not judged again
 */
export function problemsOfGames(
  file: readonly FileGame[],
  installation: PlannedFor,
  ofFile: readonly FileProblem[],
): FileProblem[] {
  const { standing } = installation
  const isSound: IsSound = (place) =>
    ofFile.every(({ at }) => at !== place && !at.startsWith(`${place}.`) && !at.startsWith(`${place}[`))
  const keys = new Set([
    ...standing.filter(({ state }) => state !== 'retired').map(({ traits }) => traits.key),
    ...file.map(({ traits }) => traits.key),
  ])
  return [
    ...unmet('games', [[keys.size <= MAX_GAMES, '', `At most ${MAX_GAMES} games are not retired.`]]),
    ...file.flatMap((game, index) => {
      const at = `games[${index}]`
      if (!isSound(`${at}.key`)) return []
      const before = standing.find(({ traits }) => traits.key === game.traits.key) ?? null
      const isRepeated = file.findIndex(({ traits }) => traits.key === game.traits.key) < index
      const problems = unmet(at, [
        [!isRepeated, '.key', 'This key is in the file twice.'],
        [before?.state !== 'retired', '.key', 'A game of this key has retired; no key is used again.'],
        [!installation.aliases.includes(game.traits.key), '.key', 'This is another spelling of the key of a game.'],
      ])
      if (problems.length > 0) return problems
      return [
        ...problemsForLife(at, game, before, isSound),
        ...(isSound(`${at}.accent`) ? problemsOfAccent(at, game, before, installation.colors) : []),
        ...(isSound(`${at}.rules.currency`) ? problemsOfCurrency(at, game, before, installation.currencies) : []),
        ...(isSound(`${at}.retire`) ? problemsOfRetirement(at, game, before, file, installation) : []),
        ...(isSound(`${at}.from`) ? problemsOfFrom(at, game, before, installation.nowAt, isSound(`${at}.rules`)) : []),
      ]
    }),
  ]
}

/** A colour that cannot be read is a problem, except one that the game has already: it may come from an older program. */
function problemsOfAccent(
  at: string,
  { traits }: FileGame,
  before: StandingGame | null,
  colors: SiteColors | null,
): FileProblem[] {
  if (traits.accent === before?.traits.accent) return []
  const ofSite = colors === null ? null : problemOfSiteColors(colors, [traits])
  const problem = problemOfAccent(traits.accent) ?? (ofSite === null ? null : `With the site’s colours, ${ofSite}.`)
  return problem === null ? [] : [{ at: `${at}.accent`, problem }]
}

/**
 * A game begins in a currency with a rate that draws can have. Later it keeps its currency, also while there is none.
 */
function problemsOfCurrency(
  at: string,
  { rules: { currency } }: FileGame,
  before: StandingGame | null,
  currencies: PlannedFor['currencies'],
): FileProblem[] {
  if (before !== null) return []
  const rate = currencies.get(currency)
  if (rate === undefined)
    return unmet(at, [[false, '.rules.currency', `No two sources of rates agree on a rate of ${currency} now.`]])
  const tooLow = `1 ${currency} is worth ${rate} satoshis, and a draw needs ${LOWEST_RATE} or more.`
  return unmet(at, [[isRate(Number(rate)), '.rules.currency', tooLow]])
}

function problemsForLife(
  at: string,
  { rules }: FileGame,
  before: StandingGame | null,
  isSound: IsSound,
): FileProblem[] {
  if (before === null) return []
  const fixed = (['currency', 'pick', 'pool'] as const).filter((field) => isSound(`${at}.rules.${field}`))
  return unmet(
    at,
    fixed.map((field): Condition => [
      rules[field] === before.rules[field],
      `.rules.${field}`,
      `This is ${before.rules[field]} for the life of ${before.traits.name}.`,
    ]),
  )
}

function problemsOfRetirement(
  at: string,
  { traits, rules, retire }: FileGame,
  before: StandingGame | null,
  file: readonly FileGame[],
  { standing, partners }: PlannedFor,
): FileProblem[] {
  if (before !== null && before.state === 'retiring') {
    const isSame = before.retiresInto === retire?.into && kindsOfChange(before.rules, rules).length === 0
    return unmet(at, [[isSame, '.retire', `${before.traits.name} retires: that and its rules stay as announced.`]])
  }
  if (retire === null) return []
  if (before === null) return [{ at: `${at}.retire`, problem: 'A game that was never announced cannot retire.' }]
  const { into } = retire
  const others = [...standing, ...file].map((game) => game.traits.key).filter((key) => key !== traits.key)
  const isLast = !others.some((key) => staysActive(key, file, standing))
  const target = file.find((game) => game.traits.key === into) ?? standing.find((game) => game.traits.key === into)
  const heir = standing.find((game) => game.state === 'retiring' && game.retiresInto === traits.key)
  return unmet(at, [
    [kindsOfChange(before.rules, rules).length === 0, '.rules', 'A game that retires keeps its rules.'],
    [heir === undefined, '.retire', `${heir?.traits.name ?? ''} still retires into it.`],
    ...(isIntoPartners(into)
      ? ([
          [isLast, '.retire.into', 'Only the last game retires into the partners.'],
          [partners > 0, '.retire.into', 'There is no partner to retire into.'],
        ] as const)
      : ([
          [
            into !== traits.key && staysActive(into, file, standing),
            '.retire.into',
            'This is no other game that stays active.',
          ],
          [
            target === undefined || target.rules.currency === before.rules.currency,
            '.retire.into',
            `This game is not in ${before.rules.currency}.`,
          ],
        ] as const)),
  ])
}

/** A moment earlier than the earliest is a problem, unless nothing is announced. */
function problemsOfFrom(
  at: string,
  { rules, from, retire }: FileGame,
  before: StandingGame | null,
  nowAt: number,
  hasSoundRules: boolean,
): FileProblem[] {
  const isAnnounced =
    retire === null ? isVersion(kindsOfChange(before?.rules ?? null, rules)) : before?.state === 'active'
  if (from === null || !isAnnounced) return []
  const earliestAt = earliestFrom(before, nowAt)
  if (from >= earliestAt) return []
  const firstDraw = hasSoundRules ? firstDrawFrom(before, rules, earliestAt, nowAt).firstDraw : null
  const draw = firstDraw === null ? '' : `, with draw ${firstDraw.number}`
  const iso = new Date(earliestAt * 1000).toISOString().replace('.000Z', 'Z')
  return [{ at: `${at}.from`, problem: `The earliest moment is ${earliestAt} (${iso})${draw}.` }]
}

/** Whether the file alone has no problem at a place or inside it. */
type IsSound = (place: string) => boolean

/** What has to be so at a place, and the sentence for when it is not. */
type Condition = readonly [isMet: boolean, at: string, problem: string]

function unmet(at: string, conditions: readonly Condition[]): FileProblem[] {
  return conditions.flatMap(([isMet, field, problem]) => (isMet ? [] : [{ at: `${at}${field}`, problem }]))
}
