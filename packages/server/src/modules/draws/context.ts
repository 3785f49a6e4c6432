import type { GameWithRules } from '@fairball/domain/games'
import type { Quote } from '@fairball/domain/protocol/statement-codecs'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Facts } from '../../kernel/facts.ts'
import type { Beacons } from '../../ports/beacon/beacon.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { FairnessContext } from '../fairness/service.ts'
import type { OrdersContext } from '../orders/service.ts'
import type { ClockRule } from './clock-rule.ts'

/** Channel for a draw's changes, read by other processes and the watch page; the payload is the game's key. */
export const DRAWS_CHANNEL = 'draws'

/** A partner charity (operator's content). */
export interface Partner {
  readonly id: string
  readonly name: string
  readonly url: string
  /** where its share is paid to; null while it has none */
  readonly address: string | null
}

/** What decides whether anything is sold. */
export interface SalesContext {
  readonly runtime: Runtime
  readonly clock: ClockRule
  /** Throws RATE_UNAVAILABLE if a currency's newest rate is too old to sell at, or doubtful. In sats per unit. */
  readonly assertFreshRate: (from: Db | Tx, currency: string) => Promise<bigint>
  /** What left our wallets and is not booked yet, in sats: it may be stolen, so no prize is promised on it. */
  readonly missingSats: (from: Db | Tx) => Promise<bigint>
}

/** Where the rates of draws come from. */
interface QuotedRates {
  /** the hosts that a draw opened now names */
  readonly sources: readonly string[]
  /** The sources' latest quotes of a currency's unit before a moment in epoch seconds. */
  readonly quotes: (from: Queries, at: number, currency: string) => Promise<readonly Quote[]>
}

/** What draws need to be opened, closed, drawn and settled (decisions section 4, fairness.md). */
export interface DrawsContext extends SalesContext {
  readonly db: Db
  readonly jobs: Jobs
  readonly facts: Pick<Facts, 'record'>
  readonly rates: QuotedRates
  readonly fairness: FairnessContext
  readonly beacons: Beacons
  /** the games that an empty database begins with, in display order */
  readonly firstGames: readonly GameWithRules[]
  readonly orders: OrdersContext
  readonly partners: () => readonly Partner[]
  /** A draw of more lines is settled in parts of about this many. Default: `LINES_A_PART`. */
  readonly linesAPart?: number | undefined
}
