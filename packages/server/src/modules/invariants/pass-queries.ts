import { array, nullable, sql, t } from '../../db/sql.ts'
import { RULES, violationRow } from './queries.ts'
import { type Rule, unionOf } from './rules.ts'
import { EVERYTHING, rangeOf } from './scopes.ts'

/** What rules are cut by. */
type Cut = NonNullable<Rule['cut']>

const UUID_ENDS = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const
const BIGINT_ENDS = ['-9223372036854775808', '9223372036854775807'] as const

/**
 * For each cut: the statement that finds the last id of the next piece after the id `$1`, as text, and null if this is the
 * last piece. A piece takes a second or two; that of a large draw more.
 */
const CUTS = {
  transfer: { ends: BIGINT_ENDS, next: nextOf('transfers', 100_000) },
  account: { ends: BIGINT_ENDS, next: nextOf('ledger_accounts', 20_000) },
  order: { ends: UUID_ENDS, next: nextOf('orders', 20_000, 'uuid') },
  player: { ends: BIGINT_ENDS, next: nextOf('players', 5000) },
  payout: { ends: BIGINT_ENDS, next: nextOf('payouts', 20_000) },
  batch: { ends: BIGINT_ENDS, next: nextOf('payout_batches', 2000) },
  draw: {
    ends: BIGINT_ENDS,
    /** Draws with 50,000 entries together, or one draw. */
    next: sql({
      name: 'invariants.next-of-draws',
      text: `select (
          select max(id) from (
            select id, row_number() over (order by id) as place, sum(500 + leaves) over (order by id) as weight
            from (select id, leaves from draws where id > $1::text::bigint order by id limit 100) d) w
          where place = 1 or weight <= 50000)::text as id`,
      params: [t.text],
      row: { id: nullable(t.text) },
    }),
  },
} as const satisfies Record<Cut, object>

function nextOf(table: string, rows: number, type: 'bigint' | 'uuid' = 'bigint') {
  return sql({
    name: `invariants.next-of-${table.replaceAll('_', '-')}`,
    text: `select (select id from ${table} where id > $1::text::${type} order by id offset ${rows} limit 1)::text as id`,
    params: [t.text],
    row: { id: nullable(t.text) },
  })
}

/** The steps of a pass over everything, by name: rules that are cut alike, piece by piece, and each of the others. */
export const STEPS = [
  ...Object.entries(CUTS).map(([cut, { ends, next }]) => {
    const by = cut as Cut // its own keys
    const statement = sql({
      name: `invariants.pass-by-${cut}`,
      text: unionOf(
        RULES.filter((rule) => rule.cut === by),
        rangeOf(by),
      ),
      params: { from: t.text, to: t.text },
      row: violationRow,
    })
    return { name: statement.name, ends, next, statement, whole: null }
  }),
  ...RULES.filter(({ cut }) => cut === null).map((rule, place) => {
    const statement = sql({
      name: `invariants.pass-${rule.id.toLowerCase()}-${place}`,
      text: unionOf([rule], EVERYTHING),
      row: violationRow,
    })
    return { name: statement.name, ends: null, next: null, statement: null, whole: statement }
  }),
]

export const beginPasses = sql({
  name: 'invariants.begin-passes',
  text: `insert into invariant_passes default values on conflict (id) do nothing`,
})

/** The pass that is under way, or was the last one; missing while another process has a piece of it. */
export const lockPass = sql({
  name: 'invariants.lock-pass',
  text: `select began_at, step, after_id, found, is_capped from invariant_passes for update skip locked`,
  row: {
    beganAt: t.epochSeconds,
    step: nullable(t.text),
    afterId: nullable(t.text),
    found: array(t.bigint),
    isCapped: t.bool,
  },
})

export const beginPass = sql({
  name: 'invariants.begin-pass',
  text: `update invariant_passes set began_at = $1, step = $2, after_id = null, found = '{}', is_capped = false, longest_ms = 0`,
  params: [t.epochSeconds, t.text],
})

/** Moves a pass to the step $step (null: to its end) behind the id $afterId, with what the piece found. */
export const movePass = sql({
  name: 'invariants.move-pass',
  text: `update invariant_passes set step = $step, after_id = $afterId, found = found || $found::bigint[],
      is_capped = is_capped or $isCapped, longest_ms = greatest(longest_ms, $tookMs),
      checked_at = case when $step::text is null then began_at else checked_at end`,
  params: {
    step: nullable(t.text),
    afterId: nullable(t.text),
    found: array(t.bigint),
    isCapped: t.bool,
    tookMs: t.bigint,
  },
})

/** From when the last whole pass says how everything is, and how long the longest piece of the newest one took. */
export const findPass = sql({
  name: 'invariants.find-pass',
  text: `select checked_at, longest_ms from invariant_passes`,
  row: { checkedAt: nullable(t.epochSeconds), longestMs: t.bigint },
})
