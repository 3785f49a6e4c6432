import { GAME_KEY_PATTERN, type GameRules, type GameTraits, PATTERNS, problemsOfGame } from './games.ts'
import { type RulesJson, rulesFromJson, rulesToJson } from './game-json.ts'
import { JsonReader } from './json-reader.ts'

/** The format that a games file names. */
const GAMES_FORMAT = 'fairball-games/1'
/** What a game retires into if no other game is left: its money goes to the partners in equal parts. */
export const INTO_PARTNERS = 'partners'

/** A problem of a games file. */
export interface FileProblem {
  /** the place, as `games[0].rules.tiers[1].prize_minor`; empty for the file as a whole */
  readonly at: string
  /** a sentence for the operator */
  readonly problem: string
}

/** One game of a games file. */
export interface FileGame {
  readonly traits: GameTraits
  readonly rules: GameRules
  /** the first draw start that the rules apply to, in epoch seconds; null for the earliest moment allowed */
  readonly from: number | null
  /** null unless the game retires; `into` is a game's key, or `partners` */
  readonly retire: { readonly into: string } | null
}

const TIER_KINDS = ['jackpot', 'fixed', 'free'] as const

/** A games file as it was read. */
export interface ReadGames {
  /** in the file's order; a value at the place of a problem is only of the right type */
  readonly games: readonly FileGame[]
  readonly problems: readonly FileProblem[]
}

/**
 * Reads a games file: its grammar, and the rules of each game alone. What depends on the installation is for
 * `planGames`, which finds all problems at once.
 */
export function readGamesFile(text: string): ReadGames {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return { games: [], problems: [{ at: '', problem: `This is not JSON: ${(error as Error).message}.` }] }
  }
  const reader = new JsonReader()
  const file = reader.object(json, '', ['format', 'games'])
  if (file === null) return { games: [], problems: reader.problems }
  reader.oneOf(file['format'], 'format', [GAMES_FORMAT])
  const games = reader.list(file['games'], 'games', (value, at) => readGame(reader, value, at))
  return { games, problems: reader.problems }
}

/** Writes a games file; `readGamesFile` reads the same games again. */
export function writeGamesFile(games: readonly FileGame[]): string {
  const entries = games.map(({ traits: { key, name, accent, pattern, summary }, rules, from, retire }) => ({
    key,
    name,
    accent,
    pattern,
    summary,
    rules: rulesToJson(rules),
    from,
    retire,
  }))
  return `${JSON.stringify({ format: GAMES_FORMAT, games: entries }, null, 2)}\n`
}

function readGame(reader: JsonReader, value: unknown, at: string): FileGame {
  const keys = ['key', 'name', 'accent', 'pattern', 'summary', 'rules', 'from', 'retire']
  const json = reader.object(value, at, keys) ?? {}
  const traits = {
    key: reader.text(json['key'], `${at}.key`, GAME_KEY_PATTERN, 'A key is 2 to 31 of a-z, 0-9 and -, a letter first.'),
    name: reader.text(json['name'], `${at}.name`, lineUpTo(40), 'A name has 1 to 40 characters, none of them hidden.'),
    accent: reader.text(json['accent'], `${at}.accent`, /^#[\dA-F]{6}$/, 'A colour is # and six of 0-9 and A-F.'),
    pattern: reader.oneOf(json['pattern'], `${at}.pattern`, PATTERNS),
    summary: reader.text(
      json['summary'],
      `${at}.summary`,
      lineUpTo(160),
      'A summary has 1 to 160 characters, none of them hidden.',
    ),
  }
  const rules = readRules(reader, json['rules'], `${at}.rules`)
  const from = json['from'] === null ? null : reader.whole(json['from'], `${at}.from`)
  const retire = json['retire'] === null ? null : readRetirement(reader, json['retire'], `${at}.retire`)
  return { traits, rules, from, retire }
}

/** Controls, halves of characters, and signs that turn the direction of the following text. */
const HIDDEN = String.raw`[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]`

/** A line of text, with a space at neither end and nothing hidden in it. */
function lineUpTo(most: number): RegExp {
  return new RegExp(`^(?!.*${HIDDEN})\\S(?:.{0,${most - 2}}\\S)?$`, 'u')
}

function readRetirement(reader: JsonReader, value: unknown, at: string): { readonly into: string } {
  const json = reader.object(value, at, ['into']) ?? {}
  const wanted = `This is the key of a game, or ${INTO_PARTNERS}.`
  return { into: reader.text(json['into'], `${at}.into`, GAME_KEY_PATTERN, wanted) }
}

/** Reads rules, and checks them as soon as their shape is right. */
function readRules(reader: JsonReader, value: unknown, at: string): GameRules {
  const known = reader.problems.length
  const json = reader.object(value, at, RULES_KEYS) ?? {}
  const split = reader.object(json['split'], `${at}.split`, ['prize_pool', 'donation', 'fee']) ?? {}
  const whole = (key: string) => reader.whole(json[key], `${at}.${key}`)
  const read: RulesJson = {
    currency: reader.text(json['currency'], `${at}.currency`, /^[A-Z]{3}$/, 'A currency is three capital letters.'),
    pick: whole('pick'),
    pool: whole('pool'),
    price_minor: whole('price_minor'),
    tiers: reader.list(json['tiers'], `${at}.tiers`, (tier, place) => readTier(reader, tier, place)),
    split: {
      prize_pool: reader.whole(split['prize_pool'], `${at}.split.prize_pool`),
      donation: reader.whole(split['donation'], `${at}.split.donation`),
      fee: reader.whole(split['fee'], `${at}.split.fee`),
    },
    guaranteed_minor: whole('guaranteed_minor'),
    cover_minor: whole('cover_minor'),
    draw_times: reader.list(json['draw_times'], `${at}.draw_times`, (time, place) => {
      const { day, minute_of_day: minute } = reader.object(time, place, ['day', 'minute_of_day']) ?? {}
      return { day: reader.whole(day, `${place}.day`), minute_of_day: reader.whole(minute, `${place}.minute_of_day`) }
    }),
    closes_before_seconds: whole('closes_before_seconds'),
    weeks_ahead: whole('weeks_ahead'),
    most_entries: whole('most_entries'),
  }
  const rules = rulesFromJson(read)
  if (reader.problems.length === known) {
    for (const { at: field, problem } of problemsOfGame(rules)) reader.refuse(`${at}.${field}`, problem)
  }
  return rules
}

const RULES_KEYS = [
  'currency',
  'pick',
  'pool',
  'price_minor',
  'tiers',
  'split',
  'guaranteed_minor',
  'cover_minor',
  'draw_times',
  'closes_before_seconds',
  'weeks_ahead',
  'most_entries',
] as const satisfies readonly (keyof RulesJson)[]

function readTier(reader: JsonReader, value: unknown, at: string): RulesJson['tiers'][number] {
  const isFixed = typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'fixed'
  const json = reader.object(value, at, isFixed ? ['matches', 'kind', 'prize_minor'] : ['matches', 'kind']) ?? {}
  const matches = reader.whole(json['matches'], `${at}.matches`)
  const kind = reader.oneOf(json['kind'], `${at}.kind`, TIER_KINDS)
  return kind === 'fixed'
    ? { matches, kind, prize_minor: reader.whole(json['prize_minor'], `${at}.prize_minor`) }
    : { matches, kind }
}
