import { array, nullable, sql, t } from '../../db/sql.ts'
import { highestWin, winType } from './queries.ts'

/** Draws that are over come after those to come: drawn ones, with all balls shown, and void ones. */
const IS_OVER = `d.status in ('settled', 'void')`
const ofPlayer = `from plays p join draws d on d.id = p.draw_id
      where p.player_id = $playerId and ($gameKey::text is null or d.game_key = $gameKey)
        and ($number::int is null or d.number = $number)`

export const countTickets = sql({
  name: 'results.count-tickets',
  text: `select count(*)::int as tickets ${ofPlayer}`,
  params: { playerId: t.bigint, gameKey: nullable(t.text), number: nullable(t.int) },
  row: { tickets: t.int },
})

/**
 * One page of a player's plays, of one game or draw if these are given: those to come, soonest first, then the others,
 * newest first. `winType` is the highest win of a settled draw, null without one.
 */
export const findTickets = sql({
  name: 'results.find-tickets',
  text: `select page.id, page.order_id, page.game_key, page.number, page.status, page.start_at, page.closes_at, page.end_at,
      page.reveal_from_at, page.pick, page.postponed, page.numbers, page.drawn_mask, page.rate_at,
      m.number as moved_from, won.win_type, won.won_sats, won.free_tickets
    from (
      select p.id, p.order_id, p.moved_from_draw_id, d.game_key, d.number, d.status, d.start_at, d.closes_at,
        d.end_at, d.reveal_from_at, d.pick, d.postponed, d.numbers, d.drawn_mask, d.rate_at,
        row_number() over (order by ${IS_OVER}, case when not ${IS_OVER} then d.start_at end, d.start_at desc,
          p.receipt_at desc, p.id desc)::int as place
      ${ofPlayer} order by place limit $limit::int offset $offset::int
    ) page
    left join draws m on m.id = page.moved_from_draw_id
    cross join lateral (
      select ${highestWin('w')} as win_type, sum(w.amount_sats)::bigint as won_sats,
        (count(*) filter (where w.win_type = 'FREE_TICKET'))::int as free_tickets
      from wins w where w.play_id = page.id and page.status = 'settled'
    ) won
    order by page.place`,
  params: {
    playerId: t.bigint,
    gameKey: nullable(t.text),
    number: nullable(t.int),
    limit: t.int,
    offset: t.int,
  },
  row: {
    id: t.uuid,
    orderId: t.uuid,
    gameKey: t.text,
    number: t.int,
    status: t.oneOf(['open', 'closed', 'drawn', 'settled', 'void']),
    startAt: t.epochSeconds,
    closesAt: t.epochSeconds,
    endAt: t.epochSeconds,
    revealFromAt: nullable(t.epochSeconds),
    pick: t.smallint,
    postponed: t.smallint,
    numbers: nullable(array(t.smallint)),
    drawnMask: nullable(t.bigint),
    rateAt: nullable(t.epochSeconds),
    movedFrom: nullable(t.int),
    winType: nullable(winType),
    wonSats: nullable(t.bigint),
    freeTickets: t.int,
  },
})

/** The lines of some orders, in parts; `dips` is empty for an order that did not keep them. */
export const findLinesOfOrders = sql({
  name: 'results.find-lines-of-orders',
  text: `select order_id, masks, dips from order_lines where order_id = any($1) order by order_id, part`,
  params: [array(t.uuid)],
  row: { orderId: t.uuid, masks: array(t.bigint), dips: array(t.bool) },
})
