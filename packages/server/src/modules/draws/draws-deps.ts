import type { Db, Tx } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Beacons } from '../../ports/beacon/beacon.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Fairness } from '../fairness/service.ts'
import type { Ledger } from '../ledger/service.ts'
import type { Orders } from '../orders/service.ts'
import type { ClockRule } from './clock-rule.ts'

/** Other processes and the watch page hear of a draw's changes on this channel; the payload is the game's key. */
export const DRAWS_CHANNEL = 'draws'

/** A partner charity (operator's content). */
export interface Partner {
  readonly id: string
  readonly name: string
  readonly url: string
  /** where its share is paid to; null while it has none */
  readonly address: string | null
}

export interface DrawsDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly ledger: Ledger
  readonly jobs: Jobs
  readonly fairness: Fairness
  readonly beacons: Beacons
  readonly clock: ClockRule
  readonly orders: Pick<Orders, 'movePlaysOfVoidDraw'>
  readonly partners: readonly Partner[]
  /** What left our wallets and nobody has booked yet, in sats: it may be stolen, so no prize is promised on it. */
  readonly missingSats: (tx: Tx) => Promise<bigint>
  /** Called in the transaction in which winnings became owed. */
  readonly onOwed: (tx: Tx) => Promise<void>
  /** Tells one winner, inside a transaction. */
  readonly tellWinner: (tx: Tx, news: WinnerNews) => Promise<void>
}

/** What a winner is told about one draw. */
export interface WinnerNews {
  readonly playerId: bigint
  readonly gameKey: string
  readonly drawId: bigint
  readonly drawNumber: number
  /** all money prizes of the player in this draw, in sats */
  readonly sats: bigint
  readonly freeTickets: number
  readonly isJackpot: boolean
}
