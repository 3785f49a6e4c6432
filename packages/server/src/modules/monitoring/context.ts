import type { Db, Tx } from '../../db/pool.ts'
import type { Family } from '../../metrics/registry.ts'
import type { ChainTip } from '../../ports/bitcoin-node/tip.ts'
import type { NodeWatch } from '../../ports/lightning/node-watch.ts'
import { Loop } from '../../runtime/loop.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { SharedAnswer } from '../../runtime/shared-answer.ts'
import type { SalesState } from '../draws/service.ts'
import type { Invariants } from './invariants.ts'

/** How long a process reuses the same figures for all callers, by the lottery's clock. */
const SHARED_SECONDS = 10

/** What monitoring needs, and its limits. */
export interface MonitoringContext {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'monotonic' | 'log'>
  readonly invariants: Invariants
  readonly stopPayouts: (tx: Tx, reason: string) => Promise<void>
  /** Tells programs outside of an alarm; `subject` tells it from others. */
  readonly tellOfAlarm: (
    tx: Tx,
    alarm: { readonly alarm: string; readonly subject: string; readonly text: string },
  ) => Promise<void>
  /** Asks the bitcoin node for its newest block; null with the test chain. */
  readonly readTip: (() => Promise<ChainTip>) | null
  /** asks the Lightning node; null without one */
  readonly lightning: Pick<NodeWatch, 'look'> | null
  /** Logs in to the mail server; null with the local outbox. */
  readonly checkMail: (() => Promise<void>) | null
  /** The hash of the beacon's chain; null for a beacon that follows our own clock. */
  readonly beaconChain: string | null
  /** Fixed rates have no age. */
  readonly hasLiveRates: boolean
  /** What other modules report of themselves. */
  readonly others: {
    readonly sales: () => Promise<SalesState>
    readonly unsentMail: () => Promise<Readonly<Record<string, number>>>
    readonly behindSeconds: (db: Db) => Promise<number>
    readonly aheadSeconds: () => number
    readonly settingsApart: () => Promise<ReadonlyMap<string, number>>
    readonly troubles: (db: Db) => Promise<{ unknownDeposits: number; reversed: number; missing: number }>
    readonly payouts: () => Promise<{
      batches: ReadonlyMap<string, number>
      stopReason: string | null
      unconfirmedSeconds: number
      returned: { readonly returnedSats: bigint; readonly limitSats: bigint | null }
    }>
    readonly treasury: () => Promise<{
      wallets: ReadonlyMap<string, bigint>
      differenceSats: bigint | null
      lightningDifferenceSats: bigint | null
      unexplainedSats: bigint | null
      unbooked: number
      deposits: {
        readonly sizes: readonly { readonly upToSats: bigint | null; readonly coins: number; readonly sats: bigint }[]
        readonly costs: readonly { readonly rate: string; readonly sats: bigint }[]
      } | null
    }>
  }
  /** when this process began, in epoch seconds */
  readonly startedAt: number
  readonly families: SharedAnswer<Family[]>
  readonly loop: Loop
  /** Runs the pass over the invariants: a long piece must not delay the check of each minute. */
  readonly passLoop: Loop
}

/** The context of one process. */
export function monitoringContext(
  options: Omit<MonitoringContext, 'startedAt' | 'families' | 'loop' | 'passLoop'>,
): MonitoringContext {
  const { clock, monotonic } = options.runtime
  return {
    ...options,
    startedAt: clock.now(),
    families: new SharedAnswer(() => clock.now(), SHARED_SECONDS),
    loop: new Loop(monotonic),
    passLoop: new Loop(monotonic),
  }
}
