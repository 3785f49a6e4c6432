import { LATE_PAYMENT_SECONDS } from '@fairball/domain/order-status'
import { LOWEST_RATE, SECTION_LEAVES } from '@fairball/domain/protocol/numbers'
import type { RulesJson } from '@fairball/domain/game-json'
import { array, columnList, nullable, type RowOf, sql, t } from '../../db/sql.ts'
import { LINES_A_ROW } from '../orders/service.ts'

/** Statuses of orders that are being paid. */
export const UNDECIDED = `('PENDING', 'PROCESSING', 'UNDERPAID')`

/** Opening, closing and settling of one game come one after the other; sales continue meanwhile. */
export const lockGame = sql({
  name: 'draws.lock-game',
  text: `select key, extra_start_at, weeks_ahead, closed, settled, pot_sats, free_won, free_used, carried, state_hash from games
    where key = $1 for no key update`,
  params: [t.text],
  row: {
    key: t.text,
    extraStartAt: nullable(t.epochSeconds),
    weeksAhead: t.int,
    closed: t.int,
    settled: t.int,
    potSats: t.bigint,
    freeWon: t.whole,
    freeUsed: t.whole,
    carried: t.whole,
    stateHash: nullable(t.text),
  },
})

/** A game with its state, locked. */
export type GameRow = RowOf<typeof lockGame>

/** Keeps the state that the newest close, result or void states. */
export const keepState = sql({
  name: 'draws.keep-state',
  text: `update games set closed = $closed, settled = $settled, pot_sats = $potSats, free_won = $won, free_used = $used,
      carried = $carried, state_hash = $hash where key = $gameKey`,
  params: {
    gameKey: t.text,
    closed: t.int,
    settled: t.int,
    potSats: t.bigint,
    won: t.whole,
    used: t.whole,
    carried: t.whole,
    hash: t.text,
  },
})

export const findNewestVersion = sql({
  name: 'draws.find-newest-version',
  text: `select v.version, v.from_at, v.rules_hash, x.text as rules_text from game_versions v join texts x on x.hash = v.rules_hash
    where v.game_key = $1 order by v.version desc limit 1`,
  params: [t.text],
  row: { version: t.int, fromAt: t.epochSeconds, rulesHash: t.text, rulesText: t.text },
})

export const insertVersion = sql({
  name: 'draws.insert-version',
  text: `insert into game_versions (game_key, version, from_at, rules, rules_hash, announced_at, kinds, reason, statement_hash, actor, request_id)
    values ($gameKey, $version, $fromAt, $rules, $rulesHash, $announcedAt, $kinds, $reason, $statementHash, $actor, $requestId)`,
  params: {
    gameKey: t.text,
    version: t.int,
    fromAt: t.epochSeconds,
    rules: t.json<RulesJson>(),
    rulesHash: t.text,
    announcedAt: t.epochSeconds,
    kinds: array(t.text),
    reason: t.text,
    statementHash: t.text,
    actor: t.text,
    requestId: nullable(t.text),
  },
})

/** A game at the end of the list. */
export const insertGame = sql({
  name: 'draws.insert-game',
  text: `insert into games (key, name, accent, pattern, summary, weeks_ahead, created_at, extra_start_at, position)
    select $key, $name, $accent, $pattern, $summary, $weeksAhead, $createdAt, $extraStartAt, coalesce(max(position) + 1, 0) from games`,
  params: {
    key: t.text,
    name: t.text,
    accent: t.text,
    pattern: t.text,
    summary: t.text,
    weeksAhead: t.int,
    createdAt: t.epochSeconds,
    extraStartAt: nullable(t.epochSeconds),
  },
})

export const insertAlias = sql({
  name: 'draws.insert-alias',
  text: `insert into game_aliases (alias, game_key) select $1, key from games where key = $2 on conflict do nothing`,
  params: [t.text, t.text],
})

export const countGames = sql({
  name: 'draws.count-games',
  text: `select count(*)::int as games from games`,
  row: { games: t.int },
})

/** Every draw that is neither settled nor void, with the version and the text it names, as far as they are there. */
export const listUnfinished = sql({
  name: 'draws.list-unfinished',
  text: `select d.game_key, d.number, d.version, d.rules_hash, d.currency, d.price_minor, d.most_entries, d.guaranteed_minor, d.cover_minor,
      d.pick, d.pool, g.key as known_game, v.rules_hash as version_hash, x.text as rules_text
    from draws d left join games g on g.key = d.game_key
    left join game_versions v on v.game_key = d.game_key and v.version = d.version
    left join texts x on x.hash = d.rules_hash
    where d.status in ('open', 'closed', 'drawn') order by d.game_key, d.number`,
  row: {
    gameKey: t.text,
    number: t.int,
    version: t.int,
    rulesHash: t.text,
    currency: t.text,
    priceMinor: t.bigint,
    mostEntries: nullable(t.int),
    guaranteedMinor: t.bigint,
    coverMinor: t.bigint,
    pick: t.smallint,
    pool: t.smallint,
    knownGame: nullable(t.text),
    versionHash: nullable(t.text),
    rulesText: nullable(t.text),
  },
})

export const findLastOpened = sql({
  name: 'draws.find-last-opened',
  text: `select number, scheduled_at from draws where game_key = $1 order by number desc limit 1`,
  params: [t.text],
  row: { number: t.int, scheduledAt: t.epochSeconds },
})

export const insertDraw = sql({
  name: 'draws.insert',
  text: `insert into draws (game_key, number, version, weekday, scheduled_at, start_at, closes_at, end_at, pick, pool, currency, price_minor, most_entries,
      rules_hash, seed_sealed, seed_hash, chain_hash, round, open_hash, guaranteed_minor, cover_minor)
    values ($gameKey, $number, $version, $weekday, $startAt, $startAt, $closesAt, $endAt, $pick, $pool, $currency, $priceMinor, $mostEntries,
      $rulesHash, $sealedSeed, $seedHash, $chainHash, $round, $openHash, $guaranteedMinor, $coverMinor) returning id`,
  params: {
    gameKey: t.text,
    number: t.int,
    version: t.int,
    weekday: t.smallint,
    startAt: t.epochSeconds,
    closesAt: t.epochSeconds,
    endAt: t.epochSeconds,
    pick: t.smallint,
    pool: t.smallint,
    currency: t.text,
    priceMinor: t.bigint,
    mostEntries: t.int,
    rulesHash: t.text,
    sealedSeed: t.bytea,
    seedHash: t.text,
    chainHash: t.text,
    round: t.whole,
    openHash: t.text,
    guaranteedMinor: t.bigint,
    coverMinor: t.bigint,
  },
  row: { id: t.bigint },
})

const drawRow = {
  id: t.bigint,
  gameKey: t.text,
  number: t.int,
  status: t.text,
  scheduledAt: t.epochSeconds,
  startAt: t.epochSeconds,
  closesAt: t.epochSeconds,
  endAt: t.epochSeconds,
  pick: t.smallint,
  pool: t.smallint,
  postponed: t.smallint,
  rulesHash: t.text,
  seedSealed: t.bytea,
  chainHash: t.text,
  round: t.whole,
  openHash: t.text,
  closeHash: nullable(t.text),
  entries: nullable(t.int),
  leaves: t.whole,
  leafLines: t.whole,
  leafFree: t.whole,
  leafCarried: t.whole,
  leafStakeSats: t.bigint,
  soldHash: nullable(t.text),
  version: t.int,
  currency: t.text,
  priceMinor: t.bigint,
  guaranteedMinor: t.bigint,
  coverMinor: t.bigint,
  potSats: nullable(t.bigint),
  floorSats: nullable(t.bigint),
  rateAt: nullable(t.epochSeconds),
  numbers: nullable(array(t.smallint)),
  drawnMask: nullable(t.bigint),
  beaconSignature: nullable(t.text),
  revealFromAt: nullable(t.epochSeconds),
}
const drawColumns = columnList(drawRow)

/** Waits for the sales that hold the row, and prevents new ones. */
export const lockDraw = sql({
  name: 'draws.lock',
  text: `select ${drawColumns} from draws where id = $1 for no key update`,
  params: [t.bigint],
  row: drawRow,
})

export const findDraw = sql({
  name: 'draws.find',
  text: `select ${drawColumns} from draws where id = $1`,
  params: [t.bigint],
  row: drawRow,
})

/** A draw with everything its own life depends on. */
export type DrawRow = RowOf<typeof findDraw>

/** The plays of a draw that have no leaf yet, by their ids, with the lines of their orders. */
export const streamNewPlays = sql({
  name: 'draws.stream-new-plays',
  text: `select p.id, p.play_id, p.owner_tag, p.rate_sats, p.free_count, p.line_count,
      (select array_agg(m.mask order by l.part, m.place) from order_lines l
        cross join unnest(l.masks) with ordinality as m (mask, place) where l.order_id = p.order_id) as masks
    from plays p where p.draw_id = $1 and p.leaf_index is null order by p.play_id`,
  params: [t.bigint],
  row: {
    id: t.uuid,
    playId: t.bytea,
    ownerTag: t.bytea,
    rateSats: t.whole,
    freeCount: t.int,
    lineCount: t.int,
    masks: array(t.bigint),
  },
})

/** Writes leaves with the indexes from $2 on, and gives their plays these places. */
export const insertLeaves = sql({
  name: 'draws.insert-leaves',
  text: `with made as (
      insert into play_leaves (draw_id, index, play_id, is_revocation, leaf)
      select $drawId, $start + l.place - 1, l.play_id, false, l.leaf
      from unnest($playIds::bytea[], $leaves::bytea[]) with ordinality as l (play_id, leaf, place)
    )
    update plays set leaf_index = $start + p.place - 1 from unnest($ids::uuid[]) with ordinality as p (id, place) where plays.id = p.id`,
  params: {
    drawId: t.bigint,
    start: t.epochSeconds,
    ids: array(t.uuid),
    playIds: array(t.bytea),
    leaves: array(t.bytea),
  },
})

/**
 * Plays of a draw whose payment left the chain, by their leaves, with the transaction it was: the last to be reversed.
 */
export const findTakenBack = sql({
  name: 'draws.find-taken-back',
  text: `select b.leaf_index, b.play_id, l.leaf,
      (select split_part(p.outpoint, ':', 1) from payments p where p.order_id = b.order_id and p.network = 'ONCHAIN' and p.times_reversed > 0
        order by p.confirmed_at is null desc, p.seen_at desc, p.outpoint limit 1) as txid
    from plays_taken_back b join play_leaves l on l.draw_id = b.draw_id and l.index = b.leaf_index
    where b.draw_id = $1 order by b.leaf_index`,
  params: [t.bigint],
  row: { leafIndex: t.whole, playId: t.bytea, leaf: t.bytea, txid: t.text },
})

export const insertRevocations = sql({
  name: 'draws.insert-revocations',
  text: `insert into play_leaves (draw_id, index, play_id, is_revocation, leaf)
    select $1, $2 + l.place - 1, l.play_id, true, l.leaf
    from unnest($3::bytea[], $4::bytea[]) with ordinality as l (play_id, leaf, place)`,
  params: [t.bigint, t.whole, array(t.bytea), array(t.bytea)],
})

export const insertBatch = sql({
  name: 'draws.insert-batch',
  text: `insert into sold_batches (draw_id, size, hash) values ($1, $2, $3)`,
  params: [t.bigint, t.whole, t.text],
})

/** Keeps what the leaves of a draw add up to after a batch. */
export const keepBatch = sql({
  name: 'draws.keep-batch',
  text: `update draws set leaves = $leaves, leaf_lines = $lines, leaf_free = $free, leaf_carried = $carried, leaf_stake_sats = $stakeSats,
      sold_hash = $soldHash where id = $id`,
  params: {
    id: t.bigint,
    leaves: t.whole,
    lines: t.whole,
    free: t.whole,
    carried: t.whole,
    stakeSats: t.bigint,
    soldHash: t.text,
  },
})

/** Whether a draw has plays, with a leaf or about to have one. */
export const hasPlays = sql({
  name: 'draws.has-plays',
  text: `select exists (select from plays where draw_id = $1) as has_plays`,
  params: [t.bigint],
  row: { hasPlays: t.bool },
})

/** The next unclosed draw of a game that comes before number $2. */
export const findEarlierOpen = sql({
  name: 'draws.find-earlier-open',
  text: `select id, start_at, scheduled_at, closes_at from draws
    where game_key = $1 and number < $2 and status = 'open' order by number limit 1`,
  params: [t.text, t.int],
  row: { id: t.bigint, startAt: t.epochSeconds, scheduledAt: t.epochSeconds, closesAt: t.epochSeconds },
})

export const closeDraw = sql({
  name: 'draws.close',
  text: `update draws set status = 'closed', closed_at = $now, entries = $lines, stake_sats = $stakeSats, pot_sats = $potSats, floor_sats = $floorSats,
      cover_sats = $coverSats, short_sats = $shortSats, rate_sats = $rateSats, rate_at = $rateAt, close_hash = $closeHash, revoked = $revoked
    where id = $id and status = 'open'`,
  params: {
    id: t.bigint,
    now: t.epochSeconds,
    lines: t.int,
    stakeSats: t.bigint,
    potSats: t.bigint,
    floorSats: t.bigint,
    coverSats: t.bigint,
    shortSats: t.bigint,
    rateSats: t.bigint,
    rateAt: t.epochSeconds,
    closeHash: t.text,
    revoked: t.bytea,
  },
})

export const postponeDraw = sql({
  name: 'draws.postpone',
  text: `update draws set start_at = $startAt, end_at = $endAt, round = $round, postponed = postponed + 1
    where id = $id and status = 'open'`,
  params: { id: t.bigint, startAt: t.epochSeconds, endAt: t.epochSeconds, round: t.whole },
})

/** A sealed draw gets a later round and a further close: the close before it is no longer in force. */
export const resealDraw = sql({
  name: 'draws.reseal',
  text: `update draws set start_at = $startAt, end_at = $endAt, round = $round, postponed = postponed + 1, close_hash = $closeHash,
      floor_sats = $floorSats, cover_sats = $coverSats, short_sats = $shortSats, rate_sats = $rateSats, rate_at = $rateAt
    where id = $id and status = 'closed'`,
  params: {
    id: t.bigint,
    startAt: t.epochSeconds,
    endAt: t.epochSeconds,
    round: t.whole,
    closeHash: t.text,
    floorSats: t.bigint,
    coverSats: t.bigint,
    shortSats: t.bigint,
    rateSats: t.bigint,
    rateAt: t.epochSeconds,
  },
})

/** When the game's other unfinished draws start. */
export const findTimesOfOthers = sql({
  name: 'draws.find-times-of-others',
  text: `select number, status, postponed, start_at, end_at from draws
    where game_key = $1 and id <> $2 and status in ('open', 'closed', 'drawn')`,
  params: [t.text, t.bigint],
  row: { number: t.int, status: t.text, postponed: t.smallint, startAt: t.epochSeconds, endAt: t.epochSeconds },
})

export const voidDraw = sql({
  name: 'draws.void',
  text: `update draws set status = 'void', settled_at = $2, void_hash = $3 where id = $1 and status in ('open', 'closed')`,
  params: [t.bigint, t.epochSeconds, t.text],
})

export const findRound = sql({
  name: 'draws.find-round',
  text: `select signature from beacon_rounds where chain_hash = $1 and round = $2`,
  params: [t.text, t.whole],
  row: { signature: t.text },
})

/** Signatures of rounds that none of our draws uses are not kept. */
export const insertRoundOfDraws = sql({
  name: 'draws.insert-round-of-draws',
  text: `insert into beacon_rounds (chain_hash, round, signature, seen_at)
    select $1::text, $2::bigint, $3::text, $4::bigint
    where exists (select from draws where chain_hash = $1 and round = $2 and status in ('open', 'closed'))
    on conflict do nothing`,
  params: [t.text, t.whole, t.text, t.epochSeconds],
})

/** Draws that wait for a round, on any chain. */
export const findWaiting = sql({
  name: 'draws.find-waiting',
  text: `select id, chain_hash, status from draws where round = $1 and status in ('open', 'closed') order by id`,
  params: [t.whole],
  row: { id: t.bigint, chainHash: t.text, status: t.text },
})

/**
 * The earliest time it can be now, by the newest verified round and the newest statement. Also the database's clock.
 */
export const findProvenTime = sql({
  name: 'draws.find-proven-time',
  text: `select greatest(
      (select max(newest_due_at) from beacon_chains),
      (select at from log_leaves order by index desc limit 1)) as proven_at,
    (extract(epoch from clock_timestamp()) * 1000)::bigint as told_ms`,
  row: { provenAt: nullable(t.epochSeconds), toldMs: t.whole },
  serves: 'same',
})

export const keepNewestRound = sql({
  name: 'draws.keep-newest-round',
  text: `update beacon_chains set newest_round = $2, newest_signature = $3, newest_due_at = $4
    where hash = $1 and coalesce(newest_round, 0) < $2`,
  params: [t.text, t.whole, t.text, t.epochSeconds],
})

export const findNewestRound = sql({
  name: 'draws.find-newest-round',
  text: `select newest_round, newest_signature from beacon_chains where hash = $1`,
  params: [t.text],
  row: { newestRound: nullable(t.whole), newestSignature: nullable(t.text) },
})

export const findStateKept = sql({
  name: 'draws.find-state-kept',
  text: `select exists (select from system_state where key = $1) as is_kept`,
  params: [t.text],
  row: { isKept: t.bool },
})

export const insertRound = sql({
  name: 'draws.insert-round',
  text: `insert into beacon_rounds (chain_hash, round, signature, seen_at) values ($1, $2, $3, $4) on conflict do nothing`,
  params: [t.text, t.epochSeconds, t.text, t.epochSeconds],
})

export const drawNumbers = sql({
  name: 'draws.draw-numbers',
  text: `update draws set status = 'drawn', numbers = $numbers, drawn_mask = $drawnMask, beacon_signature = $signature, reveal_from_at = $now
    where id = $id and status = 'closed'`,
  params: {
    id: t.bigint,
    numbers: array(t.smallint),
    drawnMask: t.bigint,
    signature: t.text,
    now: t.epochSeconds,
  },
})

/** What the plays in force in each section of a draw add up to (fairness section 9). A section has 65,536 leaves. */
export const countSections = sql({
  name: 'draws.count-sections',
  text: `select leaf_index / ${SECTION_LEAVES} as section, sum(line_count)::bigint as lines, sum(free_count)::bigint as free,
      coalesce(sum(line_count - free_count) filter (where rate_sats = 0), 0)::bigint as carried,
      sum(((line_count - free_count) * $2::bigint * rate_sats + 99) / 100)::bigint as stake_sats
    from plays where draw_id = $1 group by 1`,
  params: [t.bigint, t.bigint],
  row: {
    section: t.whole,
    lines: t.whole,
    free: t.whole,
    carried: t.whole,
    stakeSats: t.bigint,
  },
})

/**
 * What the plays that moved into a draw staked, and what their leaves count there at the draw's price $2: they differ if
 * the draw they came from had another.
 */
export const sumMovedStakes = sql({
  name: 'draws.sum-moved-stakes',
  text: `select coalesce(sum(stake_sats), 0)::bigint as kept,
      coalesce(sum(((line_count - free_count) * $2::bigint * rate_sats + 99) / 100), 0)::bigint as counted
    from plays where draw_id = $1 and moved_from_draw_id is not null`,
  params: [t.bigint, t.bigint],
  row: { kept: t.bigint, counted: t.bigint },
})

/** How many lines of each section have how many matching numbers. */
export const countByMatches = sql({
  name: 'draws.count-by-matches',
  text: `select p.leaf_index / ${SECTION_LEAVES} as section, bit_count((m.mask & $2)::bit(64))::int as matches, count(*)::int as lines
    from plays p join order_lines l on l.order_id = p.order_id cross join unnest(l.masks) as m (mask)
    where p.draw_id = $1 group by 1, 2`,
  params: [t.bigint, t.bigint],
  row: { section: t.whole, matches: t.int, lines: t.int },
})

/** Only winning lines become rows. The last three parameters run in parallel, one place per tier. */
export const insertWins = sql({
  name: 'draws.insert-wins',
  text: `insert into wins (draw_id, player_id, amount_sats, play_id, line_no, matches, win_type)
    select p.draw_id, p.player_id, nullif(tier.sats, 0), p.id, l.part * ${LINES_A_ROW} + m.place - 1, tier.matches, tier.win_type
    from plays p join order_lines l on l.order_id = p.order_id
    cross join unnest(l.masks) with ordinality as m (mask, place)
    join unnest($matches::int[], $winTypes::text[], $sats::bigint[]) as tier (matches, win_type, sats)
      on tier.matches = bit_count((m.mask & $drawnMask)::bit(64))
    where p.draw_id = $drawId`,
  params: {
    drawId: t.bigint,
    drawnMask: t.bigint,
    matches: array(t.int),
    winTypes: array(t.text),
    sats: array(t.bigint),
  },
})

export const insertPayablesOfWins = sql({
  name: 'draws.insert-payables-of-wins',
  text: `insert into payables (created_at, sats, player_id, draw_id, kind, source, play_id, line_no)
    select $2, amount_sats, player_id, draw_id, 'prize', 'win:' || draw_id || ':' || play_id || ':' || line_no, play_id, line_no
    from wins where draw_id = $1 and amount_sats is not null`,
  params: [t.bigint, t.epochSeconds],
})

export const insertPayableOfPartner = sql({
  name: 'draws.insert-payable-of-partner',
  text: `insert into payables (created_at, sats, partner_id, draw_id, kind, source) values ($now, $sats, $partnerId, $drawId, 'donation', $source)`,
  params: {
    now: t.epochSeconds,
    sats: t.bigint,
    partnerId: t.text,
    drawId: nullable(t.bigint),
    source: t.text,
  },
})

export const addFreeTicketsWon = sql({
  name: 'draws.add-free-tickets-won',
  text: `insert into free_tickets (player_id, game_key, won)
    select player_id, $2, count(*)::int from wins where draw_id = $1 and win_type = 'FREE_TICKET'
    group by player_id order by player_id
    on conflict (player_id, game_key) do update set won = free_tickets.won + excluded.won`,
  params: [t.bigint, t.text],
})

export const settleDraw = sql({
  name: 'draws.settle',
  text: `update draws set status = 'settled', settled_at = $now, tiers = $tiers, prizes_scaled = $arePrizesScaled, jackpot_sats = $jackpotSats,
      donation_sats = $donationSats, partners = $partners, result_hash = $resultHash, sections = $sections
    where id = $id and status = 'drawn'`,
  params: {
    id: t.bigint,
    now: t.epochSeconds,
    tiers: t.json(),
    arePrizesScaled: t.bool,
    jackpotSats: nullable(t.bigint),
    donationSats: nullable(t.bigint),
    partners: t.json(),
    resultHash: t.text,
    sections: t.bytea,
  },
})

/** The next $3 winners of a draw after a player: what they won in sats, how many free tickets, and their best line. */
export const findWinners = sql({
  name: 'draws.find-winners',
  text: `select player_id, coalesce(sum(amount_sats), 0)::bigint as sats,
      count(*) filter (where win_type = 'FREE_TICKET')::int as free_tickets,
      bool_or(win_type = 'JACKPOT') as is_jackpot, max(matches) as matches,
      (array_agg(play_id order by matches desc, play_id, line_no))[1] as play_id,
      (array_agg(line_no order by matches desc, play_id, line_no))[1] as line_no
    from wins where draw_id = $1 and player_id > $2 group by player_id order by player_id limit $3`,
  params: [t.bigint, t.bigint, t.bigint],
  row: {
    playerId: t.bigint,
    sats: t.bigint,
    freeTickets: t.int,
    isJackpot: t.bool,
    matches: t.smallint,
    playId: t.uuid,
    lineNo: t.int,
  },
})

/** The newest rate of a currency that a statement can have. */
export const newestRate = sql({
  name: 'draws.newest-rate',
  text: `select sats_per_unit, at from rates where currency = $1 and sats_per_unit >= ${LOWEST_RATE} order by at desc limit 1`,
  params: [t.text],
  row: { satsPerUnit: t.bigint, at: t.epochSeconds },
})

/**
 * Whether the game `key` is committed at the moment `now`: an unclosed draw of it has an entry, or an order for it may
 * still become PAID. An expired one may if it is paid in time late; what was seen of it by then may confirm later.
 *
 * Each part is written so that PostgreSQL finds one row by an index: an order that only an index gives, and one row of it.
 * With `exists` it reads all plays and all unpaid orders of every game, for each new order.
 */
function isCommitted(key: string, now: string): string {
  return `(coalesce((select true from draws c cross join lateral (select from plays p where p.draw_id = c.id order by p.id limit 1) p
        where c.game_key = ${key} and c.status = 'open' limit 1), false)
      or coalesce((select true from orders o where o.game_key between ${key} and ${key} and o.status in ${UNDECIDED}
        order by o.game_key limit 1), false)
      or coalesce((select true from orders o where o.game_key = ${key} and o.status = 'EXPIRED'
        and o.expires_at >= ${now} - ${2 * LATE_PAYMENT_SECONDS} and (o.expires_at >= ${now} - ${LATE_PAYMENT_SECONDS}
          or (select true from payments p where p.order_id = o.id and p.gone_at is null limit 1))
        order by o.expires_at desc limit 1), false))`
}

/**
 * Every game with an unclosed draw, by position: the largest sum of floor and cover among those draws, the newest rate,
 * and the note of the pause that stops its sales.
 */
export const listSales = sql({
  name: 'draws.list-sales',
  text: `select g.key as game_key, n.currency, n.needed_minor, ${isCommitted('g.key', '$1::bigint')} as is_committed,
      (select r.sats_per_unit from rates r where r.currency = n.currency order by r.at desc limit 1) as rate_sats,
      (select s.public_note from sales_pauses s where coalesce(s.game_key, g.key) = g.key and s.from_at <= $1
        and (s.until_at is null or s.until_at > $1) order by s.game_key is null, s.id limit 1) as pause_note
    from games g cross join lateral (
      select max(d.guaranteed_minor + d.cover_minor) as needed_minor, max(d.currency) as currency from draws d where d.game_key = g.key and d.status = 'open'
    ) n where n.needed_minor is not null order by g.position`,
  params: [t.epochSeconds],
  row: {
    gameKey: t.text,
    currency: t.text,
    neededMinor: t.bigint,
    isCommitted: t.bool,
    rateSats: nullable(t.bigint),
    pauseNote: nullable(t.text),
  },
  serves: 'same',
})

/**
 * Orders that commit a game are taken one after the other, and none meanwhile of games that are committed: together
 * they could promise more than the bankroll has. Until the transaction ends.
 */
export const holdCommitments = sql({
  name: 'draws.hold-commitments',
  text: `select c.is_committed, case when c.is_committed then pg_advisory_xact_lock_shared(7203, 12)::text
      else pg_advisory_xact_lock(7203, 12)::text end as locked
    from (select ${isCommitted('$1::text', '$2::bigint')} as is_committed offset 0) c`,
  params: [t.text, t.epochSeconds],
  row: { isCommitted: t.bool, locked: t.text },
  serves: 'same',
})

/** The same when the game was committed before the lock and is not any more. */
export const holdAllCommitments = sql({
  name: 'draws.hold-all-commitments',
  text: `select pg_advisory_xact_lock(7203, 12)::text as locked`,
  row: { locked: t.text },
})
