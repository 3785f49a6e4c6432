import { type Codec, currencyValue, fail, gameKey, whole, words } from './statement-codecs.ts'
import { linesOf, readFields, writeFields } from './statements.ts'
import { MAX_POOL, STATEMENT_BYTES } from './numbers.ts'

/** The rules of a game (section 4): a separate text that `game` and `open` name by its hash. */

/** A prize tier: a line wins it with exactly this number of matches. */
interface RulesTier {
  readonly matches: number
  readonly kind: 'jackpot' | 'fixed' | 'free'
  /** of a fixed prize, in minor units of the price's currency; 0 otherwise */
  readonly minor: number
}

export interface Rules {
  readonly game: string
  readonly version: number
  /** numbers of a line, below `pool` */
  readonly pick: number
  readonly pool: number
  /** of a line, in minor units */
  readonly price: { readonly currency: string; readonly value: number }
  /** the jackpot first, matches descending */
  readonly tier: readonly RulesTier[]
  /** percent of a stake; the three add up to 100 */
  readonly split: { readonly prizes: number; readonly donation: number; readonly fee: number }
  /** the minimum jackpot, in minor units */
  readonly floor: number
  /** the operator's addition if the fixed prizes exceed the pool, in minor units */
  readonly cover: number
  readonly limit: { readonly play: number; readonly player: number }
  /** seconds from the close of sales to the start */
  readonly closes: number
  /** starts of draws, seconds after Monday 00:00 UTC */
  readonly at: readonly number[]
}

const tier: Codec<RulesTier> = {
  read: (text) => {
    const [matches = '', kind = '', minor, ...more] = text.split(' ')
    const hasPrize = minor !== undefined && more.length === 0
    if (kind === 'fixed' && hasPrize) return { matches: whole.read(matches), kind, minor: whole.read(minor) }
    if ((kind !== 'jackpot' && kind !== 'free') || minor !== undefined) return fail(`not a tier: ${text}`)
    return { matches: whole.read(matches), kind, minor: 0 }
  },
  write: ({ matches, kind, minor }) => (kind === 'fixed' ? `${matches} fixed ${minor}` : `${matches} ${kind}`),
}
const split = words(
  whole,
  whole,
  whole,
)(
  (prizes, donation, fee) => ({ prizes, donation, fee }),
  ({ prizes, donation, fee }: Rules['split']) => [prizes, donation, fee],
)
const limit = words(whole, whole)(
  (play, player) => ({ play, player }),
  ({ play, player }: Rules['limit']) => [play, player],
)

const FIELDS = [
  { key: 'game', codec: gameKey, many: '' },
  { key: 'version', codec: whole, many: '' },
  { key: 'pick', codec: whole, many: '' },
  { key: 'pool', codec: whole, many: '' },
  { key: 'price', codec: currencyValue, many: '' },
  { key: 'tier', codec: tier, many: '+' },
  { key: 'split', codec: split, many: '' },
  { key: 'floor', codec: whole, many: '' },
  { key: 'cover', codec: whole, many: '' },
  { key: 'limit', codec: limit, many: '' },
  { key: 'closes', codec: whole, many: '' },
  { key: 'at', codec: whole, many: '+' },
] as const
const FIRST_LINE = 'fairball/rules/v2'

/** Reads the text of rules. @throws StatementError for any other text, and for rules that are not playable */
export function readRules(text: string): Rules {
  const [first, ...lines] = linesOf(text)
  if (first !== FIRST_LINE) return fail('no rules of version 2')
  if (text.length > STATEMENT_BYTES) return fail('too long')
  const rules = readFields(lines, FIELDS) as unknown as Rules // the table above gives each key its values
  checkSense(rules)
  return rules
}

/** Writes the text of rules. @throws StatementError if they are invalid */
export function writeRules(rules: Rules): string {
  const text = `${FIRST_LINE}\n${writeFields(FIELDS, rules)}`
  readRules(text)
  return text
}

function checkSense({ pick, pool, tier: tiers, split: shares }: Rules): void {
  if (pick < 1 || pick >= pool || pool > MAX_POOL) fail(`no draw of ${pick} from ${pool}`)
  const [first] = tiers
  if (first?.kind !== 'jackpot' || first.matches !== pick) fail('the first tier is not the jackpot of all numbers')
  if (tiers.filter(({ kind }) => kind === 'jackpot').length > 1) fail('two jackpots')
  if (tiers.some(({ matches }, place) => place > 0 && matches >= (tiers[place - 1]?.matches ?? 0))) {
    fail('the matches of the tiers do not fall')
  }
  if (shares.prizes + shares.donation + shares.fee !== 100) fail('the split does not add up to 100')
}
