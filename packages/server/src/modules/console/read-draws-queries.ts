import { array, nullable, sql, t } from '../../db/sql.ts'

/** Maximum number of statements shown about a draw: the newest ones. */
const MOST_STATEMENTS = 200
/** Maximum number of characters shown of each. */
const MOST_SIGNS = 2000

/** A draw, without its seed. */
export const findDrawPage = sql({
  name: 'console.find-draw-page',
  text: `select d.id, d.game_key, d.number, d.status, d.closes_at, d.start_at, d.end_at, d.closed_at, d.settled_at, d.scheduled_at, d.round, d.open_hash,
      d.close_hash, d.entries, d.leaf_lines, d.leaves, d.stake_sats, d.leaf_stake_sats, d.numbers, d.tiers, o.at as opened_at,
      c.index + 1 as close_size, s.text as policy
    from console_draws d left join console_log o on o.statement_hash = d.open_hash left join console_log c on c.statement_hash = d.close_hash
    left join console_texts s on s.text_hash = substring(o.text from '\\npolicy ([0-9a-f]{64})\\n')
    where d.game_key = coalesce((select a.game_key from console_game_aliases a where a.alias = $1), $1) and d.number = $2`,
  params: [t.text, t.int],
  row: {
    id: t.bigint,
    gameKey: t.text,
    number: t.int,
    status: t.text,
    closesAt: t.epochSeconds,
    startAt: t.epochSeconds,
    endAt: t.epochSeconds,
    closedAt: nullable(t.epochSeconds),
    settledAt: nullable(t.epochSeconds),
    scheduledAt: t.epochSeconds,
    round: t.whole,
    openHash: t.text,
    closeHash: nullable(t.text),
    entries: nullable(t.int),
    leafLines: t.whole,
    leaves: t.whole,
    stakeSats: nullable(t.bigint),
    leafStakeSats: t.bigint,
    numbers: nullable(array(t.smallint)),
    tiers: nullable(t.json<readonly StoredTier[]>()),
    openedAt: nullable(t.epochSeconds),
    closeSize: nullable(t.whole),
    policy: nullable(t.text),
  },
})

/** A tier of a draw as it is stored; satoshis are texts. */
export interface StoredTier {
  readonly matches: number
  readonly kind: string
  readonly winners: number
  readonly satsEach: string
}

/** The newest statements about a draw, the newest first. */
export const listStatements = sql({
  name: 'console.list-statements',
  text: `select index, at, type, left(text, ${MOST_SIGNS}) as text from console_log where open_hash = $1
    order by index desc limit ${MOST_STATEMENTS}`,
  params: [t.text],
  row: { index: t.whole, at: t.epochSeconds, type: t.text, text: t.text },
})

/** Who has cosigned the log at a size; a witness is named by its key. */
export const listCosigned = sql({
  name: 'console.list-cosigned',
  text: `select witness, at from console_cosignatures where size = $1 order by witness`,
  params: [t.whole],
  row: { witness: t.text, at: t.epochSeconds },
})
