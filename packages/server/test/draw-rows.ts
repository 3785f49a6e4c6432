import { createHash } from 'node:crypto'
import { rulesToJson } from '@fairball/domain/game-json'
import { GAMES } from '@fairball/domain/seeds'
import { lineMask } from '@fairball/domain/lines'
import type { Db } from '../src/db/pool.ts'
import { array, nullable, sql, t } from '../src/db/sql.ts'
import { FIXED_RATES } from '../src/ports/rates/fixed-rates.ts'
import type { Runtime } from '../src/runtime/runtime.ts'
import type { StoredPartner, StoredTier } from '../src/modules/draws/stored-draw.ts'

/** Rows for the tests of what is only read: draws, orders, plays and wins as the life of a draw leaves them. */

const CHAIN = 'c'.repeat(64)
const RULES = 'd'.repeat(64)
const LINES_A_ROW = 200

const insertGround = sql({
  name: 'test-rows.insert-ground',
  text: `with chain as (
      insert into beacon_chains (hash, name, public_key, period_seconds, genesis_at, group_hash, beacon_id, scheme)
      values ($1, 'test', '00', 3, 0, $1, 'test', 'bls-unchained-g1-rfc9380') on conflict do nothing
    ), rules as (
      insert into texts (hash, text) values ($2, 'rules') on conflict do nothing
    ), games_made as (
      insert into games (id, key, position, name, accent, pattern, summary, weeks_ahead)
      select g.place, g.key, g.place, g.name, g.accent, g.pattern, g.summary, g.weeks_ahead
      from jsonb_to_recordset($3) as g (place int, key text, name text, accent text, pattern text, summary text, weeks_ahead int)
      on conflict do nothing
    ), versions as (
      insert into game_versions (game_key, version, from_at, rules_hash, rules, kinds)
      select v.key, 1, 0, $2, v.rules, '{new}' from jsonb_to_recordset($3) as v (key text, rules jsonb) on conflict do nothing
    )
    insert into game_aliases (alias, game_key) values ('threasure', 'treasure') on conflict do nothing`,
  params: [t.text, t.text, t.json()],
})

const insertRates = sql({
  name: 'test-rows.insert-rates',
  text: `insert into rates (at, currency, sats_per_unit)
    select $1, r.currency, r.sats from unnest($2::text[], $3::bigint[]) as r (currency, sats) on conflict do nothing`,
  params: [t.epochSeconds, array(t.text), array(t.bigint)],
})

const insertStatement = sql({
  name: 'test-rows.insert-statement',
  text: `insert into log_leaves (index, at, hash, type, text)
    select coalesce(max(index) + 1, 0), $1, $2, 'open', '' from log_leaves`,
  params: [t.epochSeconds, t.text],
})

const insertDraw = sql({
  name: 'test-rows.insert-draw',
  text: `insert into draws (game_key, number, status, start_at, closes_at, end_at, round, guaranteed_minor, cover_minor,
      pick, pool, weekday, chain_hash, rules_hash, open_hash, seed_hash, seed_sealed, numbers, drawn_mask, entries,
      pot_sats, floor_sats, rate_sats, rate_at, reveal_from_at, jackpot_sats, donation_sats, tiers, partners,
      settled_at, prizes_scaled, scheduled_at, version, price_minor, most_entries)
    values ($1, $2, $3, $4::bigint, $5, $6, 1, $7, 0, $8, $9, extract(isodow from to_timestamp($4::bigint) at time zone 'UTC'), $10, $11, $12, $12, '', $13, $14, $15, $16, $17, $18, $19, $20,
      $21, $22, $23, $24, $25, $26, $4, 1, 100, 5000) returning id`,
  params: [
    t.text,
    t.int,
    t.text,
    t.epochSeconds,
    t.epochSeconds,
    t.epochSeconds,
    t.bigint,
    t.smallint,
    t.smallint,
    t.text,
    t.text,
    t.text,
    nullable(array(t.smallint)),
    nullable(t.bigint),
    nullable(t.int),
    nullable(t.bigint),
    nullable(t.bigint),
    nullable(t.bigint),
    nullable(t.epochSeconds),
    nullable(t.epochSeconds),
    nullable(t.bigint),
    nullable(t.bigint),
    nullable(t.json<readonly StoredTier[]>()),
    nullable(t.json<readonly StoredPartner[]>()),
    nullable(t.epochSeconds),
    nullable(t.bool),
  ],
  row: { id: t.bigint },
})

const changeStatus = sql({
  name: 'test-rows.change-status',
  text: `update draws set status = $2 where id = $1`,
  params: [t.bigint, t.text],
})

const insertPlayer = sql({
  name: 'test-rows.insert-player',
  text: `insert into players (created_at, username) values ($1, $2) returning id`,
  params: [t.epochSeconds, t.text],
  row: { id: t.bigint },
})

const insertConsent = sql({
  name: 'test-rows.insert-consent',
  text: `insert into winner_consents (tag, player_id, given_at, ended_at) values ($1, $2, $3, $4)`,
  params: [t.uuid, t.bigint, t.epochSeconds, nullable(t.epochSeconds)],
})

const insertOrder = sql({
  name: 'test-rows.insert-order',
  text: `insert into orders (id, player_id, created_at, expires_at, paid_at, ticket_price_minor, price_minor, rate_sats,
      due_sats, draw_ids, line_count, entry_count, free_count, weeks, days, game_key, status, username, request_hash, secret)
    values ($1, $2, $3, $3, $4, 100, 100, 1000, 1000, $5, $6, $6, 0, 1, '{1}', $7, $8, 'player', '',
      sha256(convert_to($1::uuid::text, 'UTF8')))`,
  params: [t.uuid, t.bigint, t.epochSeconds, nullable(t.epochSeconds), array(t.bigint), t.int, t.text, t.text],
})

const insertLines = sql({
  name: 'test-rows.insert-lines',
  text: `insert into order_lines (order_id, part, masks) values ($1, $2, $3)`,
  params: [t.uuid, t.smallint, array(t.bigint)],
})

const insertPlay = sql({
  name: 'test-rows.insert-play',
  text: `insert into plays (id, order_id, player_id, draw_id, stake_sats, receipt_at, place, free_count, line_count, play_id, owner_tag, rate_sats)
    values ($1, $2, $3, $4, $5, $6, 0, 0, $7, substring(sha256(convert_to($1::uuid::text, 'UTF8')) for 16),
      sha256(convert_to($1::uuid::text, 'UTF8')), 1000)`,
  params: [t.uuid, t.uuid, t.bigint, t.bigint, t.bigint, t.epochSeconds, t.int],
})

const insertWin = sql({
  name: 'test-rows.insert-win',
  text: `insert into wins (draw_id, player_id, amount_sats, play_id, line_no, matches, win_type)
    values ($1, $2, $3, $4, $5, $6, $7)`,
  params: [t.bigint, t.bigint, nullable(t.bigint), t.uuid, t.int, t.smallint, t.text],
})

const insertManyWins = sql({
  name: 'test-rows.insert-many-wins',
  text: `insert into wins (draw_id, player_id, amount_sats, play_id, line_no, matches, win_type)
    select $1, $2, case when i % 20 = 0 then 50000 end, $3, i, case when i % 20 = 0 then 3 else 2 end,
      case when i % 20 = 0 then 'PRIZE' else 'FREE_TICKET' end
    from generate_series(1, $4::int) as i`,
  params: [t.bigint, t.bigint, t.uuid, t.int],
})

const insertPaidOut = sql({
  name: 'test-rows.insert-paid-out',
  text: `with batch as (
      insert into payout_batches (created_at, state) values ($5, 'SENT') returning id
    ), payout as (
      insert into payouts (batch_id, player_id, sats, created_at, sent_at, address)
      select id, $1, 1, $5, $6, 'address' from batch returning id
    )
    insert into payables (created_at, sats, player_id, draw_id, payout_id, kind, source, play_id, line_no)
    select $5, 1, $1, $2, id, 'prize', format('win:%s:%s:%s', $2::bigint, $3::uuid, $4::int), $3, $4 from payout`,
  params: [t.bigint, t.bigint, t.uuid, t.int, t.epochSeconds, nullable(t.epochSeconds)],
})

const insertFreeTickets = sql({
  name: 'test-rows.insert-free-tickets',
  text: `insert into free_tickets (player_id, game_key, won, used, held) values ($1, $2, $3, $4, $5)`,
  params: [t.bigint, t.text, t.int, t.int, t.int],
})

/** A draw of a test; the rest follows from the game. */
export interface DrawRow {
  readonly gameKey: string
  readonly number: number
  readonly startAt: number
  readonly status?: 'open' | 'closed' | 'drawn' | 'settled' | 'void'
  /** in the order drawn */
  readonly numbers?: readonly number[]
  readonly revealFromAt?: number
  readonly entries?: number
  readonly potSats?: bigint
  readonly floorSats?: bigint
  readonly rateAt?: number
  readonly jackpotSats?: bigint
  readonly donationSats?: bigint
  readonly tiers?: readonly StoredTier[]
  readonly partners?: readonly StoredPartner[]
}

export type TestRows = ReturnType<typeof testRows>

/** Writes rows as they are after the events that made them; nothing checks that they fit together. */
export function testRows(db: Db, runtime: Pick<Runtime, 'clock' | 'random'>) {
  const now = (): number => runtime.clock.now()

  return {
    /** The games, a beacon chain and rules that draws refer to, and the demo's rates. */
    async ground(): Promise<void> {
      await db.execute(insertGround, [
        CHAIN,
        RULES,
        GAMES.map((game, index) => ({
          ...game,
          place: index + 1,
          weeks_ahead: game.weeksAhead,
          rules: rulesToJson(game),
        })),
      ])
      await this.rates(0, 1n)
    },

    /** The demo's rates, multiplied by `times`, from `at` on. */
    async rates(at: number, times: bigint): Promise<void> {
      const satsPerUnit = FIXED_RATES.map((rate) => rate.satsPerUnit * times)
      await db.execute(insertRates, [at, FIXED_RATES.map((rate) => rate.currency), satsPerUnit])
    },

    async player(username = `p-${runtime.random.uuid()}`): Promise<bigint> {
      return (await db.one(insertPlayer, [now(), username])).id
    },

    /** Lets a player's wins be shown since now, and until `endedAt` if it is given. */
    async consent(playerId: bigint, endedAt: number | null = null): Promise<void> {
      await db.execute(insertConsent, [runtime.random.uuid(), playerId, now(), endedAt])
    },

    async draw(row: DrawRow): Promise<bigint> {
      const game = GAMES.find((one) => one.key === row.gameKey)
      if (game === undefined) throw new Error(`no such game: ${row.gameKey}`)
      const hash = createHash('sha256').update(runtime.random.bytes(32)).digest('hex')
      const endAt = row.startAt + 20 * game.pick + 60
      const isSettled = row.status === 'settled'
      await db.execute(insertStatement, [now(), hash])
      const { id } = await db.one(insertDraw, [
        row.gameKey,
        row.number,
        row.status ?? 'open',
        row.startAt,
        row.startAt - game.closesBeforeSeconds,
        endAt,
        BigInt(game.guaranteedMinor),
        game.pick,
        game.pool,
        CHAIN,
        RULES,
        hash,
        row.numbers === undefined ? null : [...row.numbers],
        row.numbers === undefined ? null : lineMask(row.numbers),
        row.entries ?? null,
        row.potSats ?? null,
        row.floorSats ?? null,
        row.rateAt === undefined ? null : 1000n,
        row.rateAt ?? null,
        row.revealFromAt ?? null,
        row.jackpotSats ?? null,
        row.donationSats ?? null,
        row.tiers ?? null,
        row.partners ?? null,
        isSettled ? endAt - 60 : null,
        isSettled ? false : null,
      ])
      return id
    },

    async moveDraw(id: bigint, status: string): Promise<void> {
      await db.execute(changeStatus, [id, status])
    },

    /** An order with one play in each of the draws if it is PAID; returns the plays' ids in that order. */
    async order(row: {
      playerId: bigint
      gameKey: string
      lines: readonly (readonly number[])[]
      drawIds: readonly bigint[]
      status?: string
      paidAt?: number
      stakeSats?: bigint
    }): Promise<string[]> {
      const { playerId, gameKey, lines, drawIds, status = 'PAID', paidAt = now(), stakeSats = 0n } = row
      const orderId = runtime.random.uuid()
      const paidAtOrNull = status === 'PAID' ? paidAt : null
      await db.execute(insertOrder, [
        orderId,
        playerId,
        paidAt,
        paidAtOrNull,
        [...drawIds],
        lines.length,
        gameKey,
        status,
      ])
      const masks = lines.map((line) => lineMask(line))
      for (let part = 0; part * LINES_A_ROW < masks.length; part++) {
        await db.execute(insertLines, [orderId, part, masks.slice(part * LINES_A_ROW, (part + 1) * LINES_A_ROW)])
      }
      const playIds: string[] = []
      for (const drawId of status === 'PAID' ? drawIds : []) {
        const playId = runtime.random.uuid()
        await db.execute(insertPlay, [playId, orderId, playerId, drawId, stakeSats, paidAt, lines.length])
        playIds.push(playId)
      }
      return playIds
    },

    /** A winning line. */
    async win(row: {
      drawId: bigint
      playerId: bigint
      playId: string
      lineNo?: number
      matches: number
      winType: 'JACKPOT' | 'PRIZE' | 'FREE_TICKET'
      sats?: bigint
    }): Promise<void> {
      await db.execute(insertWin, [
        row.drawId,
        row.playerId,
        row.sats ?? null,
        row.playId,
        row.lineNo ?? 0,
        row.matches,
        row.winType,
      ])
    },

    /** Many wins of one play, one in twenty of them in money. */
    async manyWins(row: { drawId: bigint; playerId: bigint; playId: string; wins: number }): Promise<void> {
      await db.execute(insertManyWins, [row.drawId, row.playerId, row.playId, row.wins])
    },

    /** Puts a win into a payout, sent at `sentAt` or not yet. */
    async payout(row: {
      playerId: bigint
      drawId: bigint
      playId: string
      lineNo?: number
      sentAt: number | null
    }): Promise<void> {
      const { playerId, drawId, playId, lineNo = 0, sentAt } = row
      await db.execute(insertPaidOut, [playerId, drawId, playId, lineNo, now(), sentAt])
    },

    async freeTickets(
      playerId: bigint,
      gameKey: string,
      counts: { won: number; used: number; held: number },
    ): Promise<void> {
      await db.execute(insertFreeTickets, [playerId, gameKey, counts.won, counts.used, counts.held])
    },
  }
}
