/** A game, its draws and their watch data, in answers. */
import { PATTERNS } from '@fairball/domain/games'
import * as z from 'zod/mini'
import { logStatementSchema } from './fairness.ts'
import { lineSchema, linesSchema } from './lines.ts'
import { amountSchema, cryptoSchema, fiatAmountSchema, fiatSchema, prizeAmountSchema } from './money.ts'

/** What an entry can win. */
export const winTypeSchema = z.enum(['JACKPOT', 'PRIZE', 'FREE_TICKET'])
export type WinType = z.output<typeof winTypeSchema>

/** The times of a game's current draw, in epoch seconds, and its number within the game. */
export const nextDrawSchema = z.object({
  number: z.int(),
  start_at: z.int(),
  end_at: z.int(),
  ticket_sell_closes_at: z.int(),
})
export type NextDraw = z.output<typeof nextDrawSchema>

/** A draw that an order is for. */
export const drawRefSchema = z.object({ number: z.int(), start_at: z.int(), ticket_sell_closes_at: z.int() })
export type DrawRef = z.output<typeof drawRefSchema>

/**
 * The next draws on sale, ascending, at most two: an order made now is for the first, or for the second once the first
 * has closed.
 */
const openDraws = z.array(nextDrawSchema)

/** One row of a game's prize table: `matches` is a list of one. */
const gamePrizeSchema = z.object({
  matches: z.array(z.int()),
  prize: z.object({ fiat: z.record(z.string(), prizeAmountSchema) }),
})

/**
 * A weekday (1 Monday to 7 Sunday, UTC) with a draw of a game, the second of the day when it starts, and for how many
 * weeks an order can name the day.
 */
const drawDaySchema = z.object({ day: z.int(), time_delta_midnight_utc: z.int(), max_weeks: z.int() })
export type DrawDay = z.output<typeof drawDaySchema>

/** Where each stake goes, in whole percent; the three sum to 100. */
const splitSchema = z.object({ prize_pool: z.int(), donation: z.int(), fee: z.int() })

/**
 * A change that was announced: the first draw it applies to, what changes (`price-up`, `prizes-down`, …), and the hash
 * of the statement that announced it.
 */
const gameChangeSchema = z.object({
  version: z.int(),
  from_draw: z.int(),
  from_at: z.int(),
  kinds: z.array(z.string()),
  statement: z.nullable(z.string()),
})
export type GameChange = z.output<typeof gameChangeSchema>

/** The pattern that a game's colour is worn in. */
const patternSchema = z.enum(PATTERNS)

/** The rules of a version. Amounts are hundredths of the unit of `currency`. */
const rulesSchema = z.object({
  currency: z.string(),
  pick: z.int(),
  pool: z.int(),
  price_minor: z.int(),
  tiers: z.array(
    z.discriminatedUnion('kind', [
      z.object({ matches: z.int(), kind: z.enum(['jackpot', 'free']) }),
      z.object({ matches: z.int(), kind: z.literal('fixed'), prize_minor: z.int() }),
    ]),
  ),
  split: splitSchema,
  guaranteed_minor: z.int(),
  cover_minor: z.int(),
  draw_times: z.array(z.object({ day: z.int(), minute_of_day: z.int() })),
  closes_before_seconds: z.int(),
  weeks_ahead: z.int(),
  most_entries: z.int(),
})

/** A draw that an order can be for, by the version it was opened with. */
export const openDrawSchema = z.object({
  number: z.int(),
  start_at: z.int(),
  ticket_sell_closes_at: z.int(),
  /** 1 Monday to 7 Sunday, UTC. */
  day: z.int(),
  version: z.int(),
  rules: rulesSchema,
  /** The hash of the rules' text, as the draw's statement names it. */
  rules_hash: z.string(),
  ticket_price: z.object({ fiat: z.record(z.string(), fiatAmountSchema) }),
  prizes: z.array(gamePrizeSchema),
})
export type OpenDraw = z.output<typeof openDrawSchema>

/**
 * A version of a game. `from_draw` is its first draw, opened or to come; null if another version took it back before it
 * had any. `statement` is the hash of the statement that announced it.
 */
export const gameVersionSchema = z.object({
  version: z.int(),
  from_at: z.int(),
  from_draw: z.nullable(z.int()),
  announced_at: z.int(),
  kinds: z.array(z.string()),
  rules: rulesSchema,
  rules_hash: z.string(),
  statement: z.nullable(z.string()),
})
export type GameVersion = z.output<typeof gameVersionSchema>

/** A game that is no longer drawn; `into` is the game that gets its pool, or `partners`. */
export const retiredGameSchema = z.object({
  key: z.string(),
  name: z.string(),
  color: z.string(),
  retired_at: z.int(),
  into: z.string(),
})
export type RetiredGame = z.output<typeof retiredGameSchema>

/** A game with its rules, its next draw and its advertised jackpot. `tickets_won` is 0 without a bearer. */
export const gameSchema = z.object({
  id: z.int(),
  key: z.string(),
  name: z.string(),
  /** The game's colour, `#RRGGBB`. */
  color: z.string(),
  pattern: patternSchema,
  summary: z.string(),
  /** Of the price and the fixed prizes. */
  currency: z.string(),
  split: splitSchema,
  /** One set: `n` numbers a line out of 1 to `N`. */
  sets: z.array(z.object({ n: z.int(), N: z.int() })),
  tickets_won: z.int(),
  ticket_price: z.object({ fiat: z.record(z.string(), fiatAmountSchema) }),
  jackpot: amountSchema,
  prizes: z.array(gamePrizeSchema),
  advanced_ticket_purchase: z.object({ days: z.array(drawDaySchema), max_weeks_ahead: z.int() }),
  next_draw: nextDrawSchema,
  open_draws: openDraws,
  /**
   * False while no orders are accepted: the operator has paused the game, the bankroll does not carry it, no rate is new
   * enough, or the clock is wrong.
   */
  is_on_sale: z.boolean(),
  /** What to show in place of the way to play; null while the game is on sale. */
  sales_note: z.nullable(z.string()),
  /** The next change that was announced; null for none. Price and prizes above are those of the first open draw. */
  change: z.nullable(gameChangeSchema),
  /** Start of the newest draw with all balls shown; null before the first. */
  last_draw_at: z.nullable(z.int()),
})
export type Game = z.output<typeof gameSchema>

/** A game the player has played, for the page "My games"; one that is no longer drawn has no jackpot and no next draw. */
export const myGameSchema = z.object({
  key: z.string(),
  name: z.string(),
  color: z.string(),
  jackpot: z.nullable(amountSchema),
  next_draw: z.nullable(nextDrawSchema),
  open_draws: openDraws,
})
export type MyGame = z.output<typeof myGameSchema>

/** A charity that shares in the donation of a jackpot. */
export const partnerSchema = z.object({ name: z.string(), url: z.string() })
export type Partner = z.output<typeof partnerSchema>

/** One ball: not drawn yet (`false`), being drawn (`true`), or its number. */
const ballSchema = z.union([z.boolean(), z.int()])

/**
 * One tier of a draw. The amounts are per winner; a free ticket and a jackpot without a winner have no bitcoin amount,
 * and words instead of the amounts. `youWin` is false without a bearer.
 */
export const watchPrizeSchema = z.object({
  type: winTypeSchema,
  matches: z.array(z.int()),
  crypto: z.nullable(cryptoSchema),
  fiat: z.record(z.string(), prizeAmountSchema),
  number_of_wins: z.int(),
  youWin: z.boolean(),
  partners: z.array(partnerSchema),
})
export type WatchPrize = z.output<typeof watchPrizeSchema>

/** The data of the watch page: the balls in the order drawn, and the prizes once all are shown. */
export const watchDataSchema = z.object({
  draw: z.array(ballSchema),
  prizes: z.union([z.literal(false), z.array(watchPrizeSchema)]),
})
export type WatchData = z.output<typeof watchDataSchema>

/** An amount that may be absent. */
const amountOrFalse = z.union([z.literal(false), amountSchema])

const drawFields = {
  id: z.int(),
  /** The number within the game, from 1, without gaps. */
  number: z.int(),
  /** The draw's start. */
  datetime: z.int(),
  month_and_year: z.string(),
  /** In the order drawn. */
  numbers: lineSchema,
  /** The amount paid; false if nobody won. */
  jackpot: amountOrFalse,
  /** The partners' share; false if there was none. */
  donation: amountOrFalse,
  partners: z.array(partnerSchema),
}

/** A draw whose last ball has been shown. */
export const drawSchema = z.object(drawFields)
export type Draw = z.output<typeof drawSchema>

/** The newest draw of a game: how many lines won anything in it, and the money that all of them won together. */
export const latestDrawSchema = z.object({
  game_key: z.string(),
  draw: drawSchema,
  winning_lines: z.int(),
  prizes: amountSchema,
})
export type LatestDraw = z.output<typeof latestDrawSchema>

/** The public status of a draw: DRAWN only once the last ball is shown. */
const drawStatusSchema = z.enum(['OPEN', 'CLOSED', 'DRAWN', 'VOID'])

/**
 * The sources and uses of a draw's money, from the ledger. In satoshis nothing is made or lost: `stakes + from_pool +
 * from_bankroll` is `donation + fee + prizes + jackpot + to_next`, and `prize_pool_share` is the part of the stakes for
 * the prize pool. Converted amounts are rounded individually.
 */
export const drawMoneySchema = z.object({
  /** Paid for the entries of this draw. */
  stakes: amountSchema,
  /** Left in the game's prize pool by earlier draws. */
  from_pool: amountSchema,
  /** Added by the operator, to fixed prizes and to a guaranteed jackpot. */
  from_bankroll: amountSchema,
  /** Part of the stakes for the partners. */
  donation: amountSchema,
  /** Part of the stakes for the operator. */
  fee: amountSchema,
  /** Part of the stakes for the prize pool. */
  prize_pool_share: amountSchema,
  /** Fixed prizes of all winners. */
  prizes: amountSchema,
  /** The jackpot of all winners. */
  jackpot: amountSchema,
  /** Left in the prize pool for the next draw. */
  to_next: amountSchema,
  /** Set aside by this and earlier draws, and paid because this jackpot was won; null if it was not. */
  released: z.nullable(z.object({ fee: amountSchema, donation: amountSchema })),
})
export type DrawMoney = z.output<typeof drawMoneySchema>

/** One draw with its prize breakdown. Before the last ball is shown `numbers` is empty and `prizes` is false. */
export const drawDetailsSchema = z.object({
  ...drawFields,
  status: drawStatusSchema,
  ticket_sell_closes_at: z.int(),
  end_at: z.int(),
  /** Number of entries; null before sales have closed. */
  entries: z.nullable(z.int()),
  prizes: z.union([z.literal(false), z.array(watchPrizeSchema)]),
  /** Whether the fixed prizes were scaled down because they exceeded the pot and its cover. */
  is_scaled: z.boolean(),
  /** Whole satoshis per unit of the prizes' currency, and the time of that rate; null before the close. */
  rate: z.nullable(z.object({ code: z.string(), sats: z.int(), at: z.int() })),
  /** Null before the draw is settled, and for a draw that was void before its sales closed. */
  money: z.nullable(drawMoneySchema),
  /** The statements of the log about the draw, in order, without those about single batches of plays. */
  statements: z.array(logStatementSchema),
})
export type DrawDetails = z.output<typeof drawDetailsSchema>

/** One winning entry. `amount_won` is null for a free ticket. */
export const winSchema = z.object({
  id: z.string(),
  date: z.int(),
  win_type: winTypeSchema,
  amount_won: z.nullable(amountSchema),
  /** The page of the plays list with the entry's play. */
  play_page: z.int(),
  play_id: z.string(),
})
export type Win = z.output<typeof winSchema>

/** One order's entries in one draw. `draw` is null and nothing is won until the draw's last ball is shown. */
export const playSchema = z.object({
  id: z.string(),
  date: z.int(),
  draw: z.nullable(z.object({ id: z.int(), number: z.int(), numbers: lineSchema })),
  tickets: linesSchema,
  is_win: z.boolean(),
  /** The best win of the play; null if it won nothing. */
  win_type: z.nullable(winTypeSchema),
  is_claimed: z.boolean(),
})
export type Play = z.output<typeof playSchema>

/** The wins of one line in the draws of the last 180 days. */
export const checkedLineSchema = z.object({
  line: lineSchema,
  draws: z.array(z.object({ number: z.int(), date: z.int(), matches: z.int(), win_type: winTypeSchema })),
})
export type CheckedLine = z.output<typeof checkedLineSchema>

/** How often each number of a game was drawn in all its draws, and its jackpots over time. */
export const statisticsSchema = z.object({
  draws: z.int(),
  numbers: z.array(z.object({ number: z.int(), count: z.int() })),
  /** The jackpots of the newest draws, newest first, and whether they were won. */
  jackpots: z.array(
    z.object({ number: z.int(), date: z.int(), crypto: cryptoSchema, fiat: fiatSchema, is_won: z.boolean() }),
  ),
})
export type Statistics = z.output<typeof statisticsSchema>
