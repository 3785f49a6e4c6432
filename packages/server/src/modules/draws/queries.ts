import { array, nullable, type RowOf, sql, t } from '../../db/sql.ts'

/** Opening, closing and settling of one game come one after the other; sales go on beside them. */
export const lockGame = sql({
  name: 'draws.lock-game',
  text: `select key, extra_start_at from games where key = $1 for no key update`,
  params: [t.text],
  row: { key: t.text, extra_start_at: nullable(t.epochSeconds) },
})

export const insertGame = sql({
  name: 'draws.insert-game',
  text: `insert into games (key, position, extra_start_at) values ($1, $2, $3)
    on conflict (key) do update set position = excluded.position`,
  params: [t.text, t.int, nullable(t.epochSeconds)],
})

export const countGames = sql({
  name: 'draws.count-games',
  text: `select count(*)::int as games from games`,
  row: { games: t.int },
})

/** Open draws with what was signed for them. */
export const listSignedRules = sql({
  name: 'draws.list-signed-rules',
  text: `select d.game_key, d.number, d.start_at, d.rules_hash, r.text as rules_text, d.guaranteed_minor, d.cover_minor
    from draws d join rules_texts r on r.hash = d.rules_hash where d.status = 'open' order by d.game_key, d.number`,
  row: {
    game_key: t.text,
    number: t.int,
    start_at: t.epochSeconds,
    rules_hash: t.text,
    rules_text: t.text,
    guaranteed_minor: t.bigint,
    cover_minor: t.bigint,
  },
})

/** Every game there was, with the numbers of its draws that are neither settled nor void. */
export const listUnfinished = sql({
  name: 'draws.list-unfinished',
  text: `select g.key, coalesce(array_agg(d.number order by d.number) filter (where d.id is not null), '{}') as numbers
    from games g left join draws d on d.game_key = g.key and d.status in ('open', 'closed', 'drawn')
    group by g.key order by g.key`,
  row: { key: t.text, numbers: array(t.int) },
})

export const findLastOpened = sql({
  name: 'draws.find-last-opened',
  text: `select number, scheduled_at from draws where game_key = $1 order by number desc limit 1`,
  params: [t.text],
  row: { number: t.int, scheduled_at: t.epochSeconds },
})

export const insertDraw = sql({
  name: 'draws.insert',
  text: `insert into draws (game_key, number, weekday, scheduled_at, start_at, closes_at, end_at, pick, pool, rules_hash, seed_sealed,
      seed_hash, chain_hash, round, open_hash, guaranteed_minor, cover_minor)
    values ($gameKey, $number, $weekday, $scheduledAt, $startAt, $closesAt, $endAt, $pick, $pool, $rulesHash, $sealedSeed, $seedHash, $chainHash, $round, $openHash, $guaranteedMinor, $coverMinor) returning id`,
  params: {
    gameKey: t.text,
    number: t.int,
    weekday: t.smallint,
    scheduledAt: t.epochSeconds,
    startAt: t.epochSeconds,
    closesAt: t.epochSeconds,
    endAt: t.epochSeconds,
    pick: t.smallint,
    pool: t.smallint,
    rulesHash: t.text,
    sealedSeed: t.bytea,
    seedHash: t.text,
    chainHash: t.text,
    round: t.bigint,
    openHash: t.text,
    guaranteedMinor: t.bigint,
    coverMinor: t.bigint,
  },
  row: { id: t.bigint },
})

const drawRow = {
  id: t.bigint,
  game_key: t.text,
  number: t.int,
  status: t.text,
  scheduled_at: t.epochSeconds,
  start_at: t.epochSeconds,
  closes_at: t.epochSeconds,
  end_at: t.epochSeconds,
  pick: t.smallint,
  pool: t.smallint,
  postponed: t.smallint,
  rules_hash: t.text,
  seed_sealed: t.bytea,
  chain_hash: t.text,
  round: t.bigint,
  open_hash: t.text,
  close_hash: nullable(t.text),
  entries: nullable(t.int),
  free_entries: nullable(t.int),
  root: nullable(t.text),
  stake_sats: nullable(t.bigint),
  guaranteed_minor: t.bigint,
  cover_minor: t.bigint,
  pot_sats: nullable(t.bigint),
  bankroll_sats: nullable(t.bigint),
  floor_sats: nullable(t.bigint),
  rate_sats: nullable(t.bigint),
  rate_at: nullable(t.epochSeconds),
  numbers: nullable(array(t.smallint)),
  drawn_mask: nullable(t.bigint),
  beacon_signature: nullable(t.text),
  reveal_from_at: nullable(t.epochSeconds),
}
const drawColumns = Object.keys(drawRow).join(', ')

/** Waits for the sales that hold the row, and keeps new ones out. */
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

/** A draw with all that its own life hangs on. */
export type DrawRow = RowOf<typeof findDraw>

export const countPlays = sql({
  name: 'draws.count-plays',
  text: `select count(*)::int as plays, coalesce(sum(line_count), 0)::int as entries,
      coalesce(sum(free_count), 0)::int as free_entries, coalesce(sum(stake_sats), 0)::bigint as stake_sats
    from plays where draw_id = $1`,
  params: [t.bigint],
  row: { plays: t.int, entries: t.int, free_entries: t.int, stake_sats: t.bigint },
})

export const closeDraw = sql({
  name: 'draws.close',
  text: `update draws set status = 'closed', closed_at = $now, entries = $entries, free_entries = $freeEntries, root = $root, stake_sats = $stakeSats,
      pot_sats = $potSats, bankroll_sats = $bankrollSats, floor_sats = $floorSats, rate_sats = $rateSats, rate_at = $rateAt, close_hash = $closeHash
    where id = $id and status = 'open'`,
  params: {
    id: t.bigint,
    now: t.epochSeconds,
    entries: t.int,
    freeEntries: t.int,
    root: t.text,
    stakeSats: t.bigint,
    potSats: t.bigint,
    bankrollSats: t.bigint,
    floorSats: t.bigint,
    rateSats: t.bigint,
    rateAt: t.epochSeconds,
    closeHash: t.text,
  },
})

export const postponeDraw = sql({
  name: 'draws.postpone',
  text: `update draws set start_at = $startAt, end_at = $endAt, round = $round, postponed = postponed + 1,
      postpone_hashes = postpone_hashes || $postponeHash::text
    where id = $id and status = 'open'`,
  params: {
    id: t.bigint,
    startAt: t.epochSeconds,
    endAt: t.epochSeconds,
    round: t.bigint,
    postponeHash: t.text,
  },
})

/** A sealed draw gets a later round: the close before it is no longer in force. */
export const resealDraw = sql({
  name: 'draws.reseal',
  text: `update draws set start_at = $startAt, end_at = $endAt, round = $round, postponed = postponed + 1,
      postpone_hashes = postpone_hashes || $postponeHash::text, close_hash = $closeHash
    where id = $id and status = 'closed'`,
  params: {
    id: t.bigint,
    startAt: t.epochSeconds,
    endAt: t.epochSeconds,
    round: t.bigint,
    postponeHash: t.text,
    closeHash: t.text,
  },
})

/** When the game's other unfinished draws are. */
export const findTimesOfOthers = sql({
  name: 'draws.find-times-of-others',
  text: `select number, status, postponed, start_at, end_at from draws
    where game_key = $1 and id <> $2 and status in ('open', 'closed', 'drawn')`,
  params: [t.text, t.bigint],
  row: { number: t.int, status: t.text, postponed: t.smallint, start_at: t.epochSeconds, end_at: t.epochSeconds },
})

export const voidDraw = sql({
  name: 'draws.void',
  text: `update draws set status = 'void', settled_at = $2, void_hash = $3 where id = $1 and status in ('open', 'closed')`,
  params: [t.bigint, t.epochSeconds, t.text],
})

export const findRound = sql({
  name: 'draws.find-round',
  text: `select signature from beacon_rounds where chain_hash = $1 and round = $2`,
  params: [t.text, t.bigint],
  row: { signature: t.text },
})

/** Signatures of rounds that no draw of ours uses are not kept. */
export const insertRoundOfDraws = sql({
  name: 'draws.insert-round-of-draws',
  text: `insert into beacon_rounds (chain_hash, round, signature, seen_at)
    select $1::text, $2::bigint, $3::text, $4::bigint
    where exists (select from draws where chain_hash = $1 and round = $2 and status in ('open', 'closed'))
    on conflict do nothing`,
  params: [t.text, t.bigint, t.text, t.epochSeconds],
})

/** Draws that wait for a round, on whichever chain. */
export const findWaiting = sql({
  name: 'draws.find-waiting',
  text: `select id, chain_hash, status from draws where round = $1 and status in ('open', 'closed') order by id`,
  params: [t.bigint],
  row: { id: t.bigint, chain_hash: t.text, status: t.text },
})

/** How late it is at least: the newest verified round was due then, or the newest statement made. And what the database's clock says. */
export const findProvenTime = sql({
  name: 'draws.find-proven-time',
  text: `select greatest(
      (select max(newest_due_at) from beacon_chains),
      (select at from statements order by seq desc limit 1)) as proven_at,
    (extract(epoch from clock_timestamp()) * 1000)::bigint as told_ms`,
  row: { proven_at: nullable(t.epochSeconds), told_ms: t.epochSeconds },
})

export const keepNewestRound = sql({
  name: 'draws.keep-newest-round',
  text: `update beacon_chains set newest_round = $2, newest_signature = $3, newest_due_at = $4
    where hash = $1 and coalesce(newest_round, 0) < $2`,
  params: [t.text, t.bigint, t.text, t.epochSeconds],
})

export const findNewestRound = sql({
  name: 'draws.find-newest-round',
  text: `select newest_round, newest_signature from beacon_chains where hash = $1`,
  params: [t.text],
  row: { newest_round: nullable(t.bigint), newest_signature: nullable(t.text) },
})

export const findStateKept = sql({
  name: 'draws.find-state-kept',
  text: `select exists (select from system_state where key = $1) as is_kept`,
  params: [t.text],
  row: { is_kept: t.bool },
})

export const insertRound = sql({
  name: 'draws.insert-round',
  text: `insert into beacon_rounds (chain_hash, round, signature, seen_at) values ($1, $2, $3, $4) on conflict do nothing`,
  params: [t.text, t.bigint, t.text, t.epochSeconds],
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

export const countByMatches = sql({
  name: 'draws.count-by-matches',
  text: `select bit_count((mask & $2)::bit(64))::int as matches, count(*)::int as entries
    from entries where draw_id = $1 group by 1`,
  params: [t.bigint, t.bigint],
  row: { matches: t.int, entries: t.int },
})

/** Only winners become rows: one scan of the draw's own partition. $3, $4, $5 run in parallel, one place a tier. */
export const insertWins = sql({
  name: 'draws.insert-wins',
  text: `insert into wins (draw_id, player_id, amount_sats, play_id, line_no, matches, win_type, entry_id)
    select e.draw_id, p.player_id, nullif(tier.sats, 0), e.play_id, e.line_no, tier.matches, tier.win_type, e.entry_id
    from entries e
    join unnest($matches::int[], $winTypes::text[], $sats::bigint[]) as tier (matches, win_type, sats)
      on tier.matches = bit_count((e.mask & $drawnMask)::bit(64))
    join plays p on p.id = e.play_id
    where e.draw_id = $drawId`,
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
  text: `insert into payables (created_at, sats, player_id, draw_id, kind, source, entry_id)
    select $2, amount_sats, player_id, draw_id, 'prize', 'win:' || draw_id || ':' || encode(entry_id, 'hex'), entry_id
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
    drawId: t.bigint,
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
      donation_sats = $donationSats, partners = $partners, result_hash = $resultHash
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
  },
})

/** A draw's winners, one row a player: what they won in sats, how many free tickets, and their best line. */
export const findWinners = sql({
  name: 'draws.find-winners',
  text: `select player_id, coalesce(sum(amount_sats), 0)::bigint as sats,
      count(*) filter (where win_type = 'FREE_TICKET')::int as free_tickets,
      bool_or(win_type = 'JACKPOT') as is_jackpot, max(matches) as matches,
      (array_agg(play_id order by matches desc, play_id, line_no))[1] as play_id,
      (array_agg(line_no order by matches desc, play_id, line_no))[1] as line_no
    from wins where draw_id = $1 group by player_id order by player_id`,
  params: [t.bigint],
  row: {
    player_id: t.bigint,
    sats: t.bigint,
    free_tickets: t.int,
    is_jackpot: t.bool,
    matches: t.smallint,
    play_id: t.uuid,
    line_no: t.int,
  },
})

export const newestRate = sql({
  name: 'draws.newest-rate',
  text: `select sats_per_unit, at from rates where currency = $1 order by at desc limit 1`,
  params: [t.text],
  row: { sats_per_unit: t.bigint, at: t.epochSeconds },
})

/** The next draw of each game that has not closed: what the bankroll has to cover. */
export const findCovers = sql({
  name: 'draws.find-covers',
  text: `select distinct on (game_key) guaranteed_minor, cover_minor from draws
    where status = 'open' order by game_key, number`,
  row: { guaranteed_minor: t.bigint, cover_minor: t.bigint },
})
