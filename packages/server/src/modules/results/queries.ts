import { array, columnList, nullable, sql, t } from '../../db/sql.ts'
import type { StoredPartner, StoredTier } from '../draws/service.ts'

/**
 * The one order of a player's plays: undrawn ones first, then newest first. The page of a win is counted in it, so the
 * list and the wins must not differ. For players a draw is drawn when its last ball has been shown, which is when it is
 * settled.
 */
const playsOrder = (draw: string, play: string): string =>
  `${draw}.status = 'settled', ${draw}.start_at desc, ${play}.receipt_at desc, ${play}.id desc`

export const winType = t.oneOf(['JACKPOT', 'PRIZE', 'FREE_TICKET'])
const winTypesAscending = `array['FREE_TICKET', 'PRIZE', 'JACKPOT']`
/** A play with several wins shows the highest. */
export const highestWin = (wins: string): string =>
  `(${winTypesAscending})[max(array_position(${winTypesAscending}, ${wins}.win_type))]`

export const countPlays = sql({
  name: 'results.count-plays',
  text: `select count(*)::int as plays from plays p join draws d on d.id = p.draw_id
    where p.player_id = $1 and d.game_key = $2`,
  params: [t.bigint, t.text],
  row: { plays: t.int },
})

/**
 * One page of a player's plays with all that is shown of them: the total number of plays; the lines of their orders,
 * one row per part; and for drawn plays the best win, null without one, and whether all money they won has left in a
 * payout. A prize scaled down to zero owes nothing.
 *
 * It is one statement because each costs as much as everything else that the call does.
 */
export const findPlays = sql({
  name: 'results.find-plays',
  text: `select page.id, page.order_id, page.draw_id, page.number, page.start_at, page.status, page.numbers, page.plays,
      l.masks, won.win_type, won.is_claimed
    from (
      select p.id, p.order_id, p.receipt_at, d.id as draw_id, d.number, d.start_at, d.status, d.numbers,
        count(*) over ()::int as plays
      from plays p join draws d on d.id = p.draw_id
      where p.player_id = $1 and d.game_key = $2
      order by ${playsOrder('d', 'p')} limit $3::int offset $4::int
    ) page
    join order_lines l on l.order_id = page.order_id
    cross join lateral (
      select ${highestWin('w')} as win_type,
        bool_and(coalesce(w.amount_sats, 0) = 0 or exists (
          select from payables b join payouts o on o.id = b.payout_id and o.sent_at is not null
          where b.kind = 'prize' and b.draw_id = w.draw_id and b.play_id = w.play_id and b.line_no = w.line_no
        )) as is_claimed
      from wins w where w.play_id = page.id and page.status = 'settled'
    ) won
    order by ${playsOrder('page', 'page')}, l.part`,
  params: [t.bigint, t.text, t.int, t.int],
  row: {
    id: t.uuid,
    orderId: t.uuid,
    drawId: t.bigint,
    number: t.int,
    startAt: t.epochSeconds,
    status: t.text,
    numbers: nullable(array(t.smallint)),
    plays: t.int,
    masks: array(t.bigint),
    winType: nullable(winType),
    isClaimed: nullable(t.bool),
  },
  serves: 'each',
})

export const findWins = sql({
  name: 'results.find-wins',
  text: `with placed as (
      select p.id, d.start_at, d.status, d.rate_at,
        row_number() over (order by ${playsOrder('d', 'p')}) as rank
      from plays p join draws d on d.id = p.draw_id
      where p.player_id = $1 and d.game_key = $2
    )
    select w.play_id || ':' || w.line_no as id, placed.start_at, placed.rate_at, w.win_type, w.amount_sats,
      w.play_id, placed.rank
    from wins w join placed on placed.id = w.play_id
    where w.player_id = $1 and placed.status = 'settled'
    order by placed.rank, w.line_no limit $3::int`,
  params: [t.bigint, t.text, t.int],
  row: {
    id: t.text,
    startAt: t.epochSeconds,
    rateAt: nullable(t.epochSeconds),
    winType,
    amountSats: nullable(t.bigint),
    playId: t.uuid,
    rank: t.whole,
  },
  serves: 'each',
})

/**
 * The newest money wins of players who let them be shown now, one row per player and draw; $1 is the earliest start, $2
 * the maximum number. The draws are read from the newest on (`draws_settled_by_start`), each with its money wins
 * (`wins_in_money`), and no further than needed. A draw is settled once its last ball has been shown. The id reveals
 * neither the player nor a line: lines are public.
 */
export const findShownWins = sql({
  name: 'results.find-shown-wins',
  text: `select encode(sha256(convert_to(won.tag || ':' || d.id, 'UTF8')), 'hex') as id,
      p.username, d.game_key, d.start_at, d.rate_at, won.sats
    from draws d
    cross join lateral (
      select w.player_id, c.tag, sum(w.amount_sats)::bigint as sats
      from wins w join winner_consents c on c.player_id = w.player_id and c.ended_at is null
      where w.draw_id = d.id and w.amount_sats is not null
      group by w.player_id, c.tag
      order by sats desc, c.tag limit $2::int
    ) won
    join players p on p.id = won.player_id and p.closed_at is null
    where d.status = 'settled' and d.start_at > $1
    order by d.start_at desc, d.id desc, won.sats desc, won.tag limit $2::int`,
  params: [t.epochSeconds, t.int],
  row: {
    id: t.text,
    username: t.text,
    gameKey: t.text,
    startAt: t.epochSeconds,
    rateAt: nullable(t.epochSeconds),
    sats: t.bigint,
  },
})

/** The tiers in which players won something in a draw. */
export const findWonMatches = sql({
  name: 'results.find-won-matches',
  text: `select distinct player_id, matches from wins where draw_id = $1 and player_id = any($2)`,
  params: [t.bigint, array(t.bigint)],
  row: { playerId: t.bigint, matches: t.smallint },
})

const historyRow = {
  id: t.bigint,
  number: t.int,
  startAt: t.epochSeconds,
  numbers: nullable(array(t.smallint)),
  rateAt: nullable(t.epochSeconds),
  jackpotSats: nullable(t.bigint),
  donationSats: nullable(t.bigint),
  partners: nullable(t.json<readonly StoredPartner[]>()),
}
const historyColumns = columnList(historyRow)

export const countSettledDraws = sql({
  name: 'results.count-settled-draws',
  text: `select count(*)::int as draws from draws where game_key = $1 and status = 'settled' and start_at > $2`,
  params: [t.text, t.epochSeconds],
  row: { draws: t.int },
})

export const findSettledDraws = sql({
  name: 'results.find-settled-draws',
  text: `select ${historyColumns} from draws where game_key = $1 and status = 'settled' and start_at > $2
    order by start_at desc limit $3::int offset $4::int`,
  params: [t.text, t.epochSeconds, t.int, t.int],
  row: historyRow,
})

/** The newest settled draw of each game, newest first; $1 is the earliest start. */
export const findLatestDraws = sql({
  name: 'results.find-latest-draws',
  text: `select * from (
      select distinct on (game_key) game_key, tiers, ${historyColumns} from draws
      where status = 'settled' and start_at > $1 order by game_key, start_at desc
    ) latest order by start_at desc, game_key`,
  params: [t.epochSeconds],
  row: { gameKey: t.text, tiers: nullable(t.json<readonly StoredTier[]>()), ...historyRow },
})

/** The newest settled draws of all games, newest first; $1 is the earliest start, $2 the maximum number. */
export const findNewestDraws = sql({
  name: 'results.find-newest-draws',
  text: `select game_key, number, start_at, settled_at, numbers, tiers, jackpot_sats from draws
    where status = 'settled' and start_at > $1 order by start_at desc, id desc limit $2::int`,
  params: [t.epochSeconds, t.int],
  row: {
    gameKey: t.text,
    number: t.int,
    startAt: t.epochSeconds,
    settledAt: nullable(t.epochSeconds),
    numbers: nullable(array(t.smallint)),
    tiers: nullable(t.json<readonly StoredTier[]>()),
    jackpotSats: nullable(t.bigint),
  },
})

export const findDraw = sql({
  name: 'results.find-draw',
  text: `select ${historyColumns}, status, closes_at, end_at, pick, reveal_from_at, entries, tiers, prizes_scaled, currency, rate_sats, closed_at, open_hash
    from draws where game_key = $1 and number = $2`,
  params: [t.text, t.int],
  row: {
    ...historyRow,
    status: t.oneOf(['open', 'closed', 'drawn', 'settled', 'void']),
    closesAt: t.epochSeconds,
    endAt: t.epochSeconds,
    pick: t.smallint,
    currency: t.text,
    revealFromAt: nullable(t.epochSeconds),
    entries: nullable(t.int),
    tiers: nullable(t.json<readonly StoredTier[]>()),
    prizesScaled: nullable(t.bool),
    rateSats: nullable(t.bigint),
    closedAt: nullable(t.epochSeconds),
    openHash: t.text,
  },
})

/** Everything lines are checked against: the drawn balls as a mask and the tiers as they were. */
export const findDrawnMasks = sql({
  name: 'results.find-drawn-masks',
  text: `select number, start_at, drawn_mask, tiers from draws
    where game_key = $1 and status = 'settled' and start_at > $2 order by start_at desc`,
  params: [t.text, t.epochSeconds],
  row: {
    number: t.int,
    startAt: t.epochSeconds,
    drawnMask: nullable(t.bigint),
    tiers: nullable(t.json<readonly StoredTier[]>()),
  },
})

export const countDrawnNumbers = sql({
  name: 'results.count-drawn-numbers',
  text: `select n.number, count(*)::int as count from draws d cross join unnest(d.numbers) as n (number)
    where d.game_key = $1 and d.status = 'settled' group by n.number`,
  params: [t.text],
  row: { number: t.smallint, count: t.int },
})

export const findJackpots = sql({
  name: 'results.find-jackpots',
  text: `select number, start_at, rate_at, pot_sats, floor_sats, tiers, jackpot_sats from draws
    where game_key = $1 and status = 'settled' order by start_at desc limit $2::int`,
  params: [t.text, t.int],
  row: {
    number: t.int,
    startAt: t.epochSeconds,
    rateAt: nullable(t.epochSeconds),
    potSats: nullable(t.bigint),
    floorSats: nullable(t.bigint),
    tiers: nullable(t.json<readonly StoredTier[]>()),
    jackpotSats: nullable(t.bigint),
  },
})
