import type { Db, Tx } from '../../db/pool.ts'
import { type Family, gauge, type Labels } from '../../metrics/registry.ts'
import type { ChainTip } from '../../ports/bitcoin-node/tip.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { newestRate } from '../payments/rates.ts'
import type { Invariants } from './invariants.ts'
import * as queries from './queries.ts'
import { createReadings, type ReadingsDeps } from './readings.ts'
import { createInvariantWatch } from './watch.ts'

/** In real time: a jump of the demo's clock is no reason to look more often. */
const LOOK_MS = 60_000
/** A process answers everybody who asks within so long, by the lottery's clock, with the same figures. */
const SHARED_SECONDS = 10
const NODE = 'node'

export interface MonitoringDeps {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'steady' | 'log'>
  readonly ledger: ReadingsDeps['ledger']
  readonly invariants: Invariants
  readonly stopPayouts: (tx: Tx, reason: string) => Promise<void>
  /** Asks the bitcoin node for its newest block; null with the test chain. */
  readonly readTip: (() => Promise<ChainTip>) | null
  /** Fixed rates have no age. */
  readonly hasLiveRates: boolean
  /** What other modules tell of themselves. */
  readonly others: {
    readonly unsentMail: () => Promise<Readonly<Record<string, number>>>
    readonly behindSeconds: (db: Db) => Promise<number>
    readonly aheadSeconds: () => number
    readonly troubles: (db: Db) => Promise<{ unknownDeposits: number; reversed: number; missing: number }>
    readonly payouts: () => Promise<{
      batches: ReadonlyMap<string, number>
      stopReason: string | null
      unconfirmedSeconds: number
    }>
    readonly treasury: () => Promise<{
      wallets: ReadonlyMap<string, bigint>
      differenceSats: bigint | null
      unexplainedSats: bigint | null
      unbooked: number
    }>
  }
}

export type Monitoring = ReturnType<typeof createMonitoring>

/**
 * Watches over the whole, and says how it stands. What is told is never counted for whoever asks: dear figures are counted
 * once a minute for all processes, the others once in ten seconds for each.
 */
export function createMonitoring(deps: MonitoringDeps) {
  const { db, runtime, others, readTip } = deps
  const watch = createInvariantWatch(deps)
  const readings = createReadings(deps)
  const stopped = new AbortController()
  let looking: Promise<void> = Promise.resolve()
  let shared: { readonly at: number; readonly answer: Promise<Family[]> } | null = null

  async function lookAtNode(): Promise<void> {
    if (readTip === null) return
    const tip = await readTip()
    await db.run(queries.storeReading, [NODE, runtime.clock.now(), { height: tip.height, at: tip.at }])
  }

  /** One look at everything; what cannot be looked at holds up nothing else. */
  async function look(): Promise<void> {
    await guarded('the invariants could not be checked', watch.check)
    await guarded('the figures could not be counted', readings.refresh)
    await guarded('the bitcoin node does not tell its newest block', lookAtNode)
  }

  async function guarded(what: string, work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => runtime.log.error({ err: error }, what))
  }

  async function lookOn(): Promise<void> {
    while (!stopped.signal.aborted) {
      await look()
      await runtime.steady.sleep(LOOK_MS, stopped.signal).catch(() => undefined) // stopped
    }
  }

  async function read(): Promise<Family[]> {
    return [
      ...(await watchFamilies()),
      ...(await readings.families()),
      ...(await jobFamilies()),
      ...(await drawFamilies()),
      ...(await moneyFamilies()),
      ...(await outsideFamilies()),
    ]
  }

  async function watchFamilies(): Promise<Family[]> {
    const { byId, checkedAt, tookSeconds } = await watch.status()
    const byIdAs = (which: 'standing' | 'accepted') => [...byId].map(([id, one]) => [{ id }, one[which]] as const)
    return [
      gauge(
        'fairball_invariant_violations',
        'What breaks an invariant and was not accepted: anything but 0 stops all payouts. Alarm: InvariantBroken.',
        byIdAs('standing'),
      ),
      gauge('fairball_invariant_violations_accepted', 'What the operator has taken for known.', byIdAs('accepted')),
      gauge(
        'fairball_invariants_age_seconds',
        'When the invariants were checked last. Alarm: InvariantsUnchecked.',
        ageOf(checkedAt),
      ),
      gauge(
        'fairball_invariants_check_seconds',
        'How long that took.',
        tookSeconds === null ? [] : [[{}, tookSeconds]],
      ),
    ]
  }

  async function jobFamilies(): Promise<Family[]> {
    const rows = await db.run(queries.countJobs, [runtime.clock.now()])
    const byKind = (value: (row: (typeof rows)[number]) => number) =>
      rows.map((row) => [{ kind: row.kind }, value(row)] as const)
    const total = (value: (row: (typeof rows)[number]) => number): number =>
      rows.reduce((sum, row) => sum + value(row), 0)
    return [
      gauge('fairball_jobs_waiting', 'Jobs that wait for their time or a worker.', [[{}, total((row) => row.waiting)]]),
      gauge('fairball_jobs_failed', 'Waiting jobs whose last try failed. Alarm: JobsStuck.', [
        [{}, total((row) => row.failed)],
      ]),
      gauge(
        'fairball_jobs_due',
        'Jobs whose time has come, by kind.',
        byKind((row) => row.due),
      ),
      gauge(
        'fairball_job_late_seconds',
        'How long the job of each kind that is due the longest waits. Alarm: JobsLate.',
        byKind((row) => row.late_seconds),
      ),
      gauge(
        'fairball_mails_unsent',
        'Mails that wait for their first try, for another one, or were refused for good and are kept some days. Alarm: MailStuck.',
        Object.entries(await others.unsentMail()).map(([state, mails]) => [{ state }, mails]),
      ),
    ]
  }

  async function drawFamilies(): Promise<Family[]> {
    const late = await db.one(queries.countLateDraws, [runtime.clock.now()])
    const rounds = await db.run(queries.listNewestRounds, [])
    const log = await db.maybeOne(queries.findLog, [])
    return [
      gauge('fairball_draws_late', 'Draws that have begun and have no numbers.', [[{}, late.draws]]),
      gauge('fairball_draw_late_seconds', 'How long the first of these waits for its numbers. Alarm: DrawLate.', [
        [{}, late.late_seconds],
      ]),
      gauge(
        'fairball_beacon_round',
        'The newest round of each beacon that was seen, verified.',
        rounds.map((row) => [{ chain: row.name }, row.newest_round ?? 0n]),
      ),
      gauge(
        'fairball_beacon_age_seconds',
        'How long ago that round was due.',
        rounds.flatMap((row) => ageOf(row.newest_due_at, { chain: row.name })),
      ),
      gauge('fairball_statements', 'Statements in the fairness log.', [[{}, (log?.seq ?? -1) + 1]]),
      gauge('fairball_statements_age_seconds', 'How long ago the newest of them was made.', ageOf(log?.at ?? null)),
      gauge(
        'fairball_clock_behind_seconds',
        'How far this process stands behind the newest beacon round and log statement; above 30 nothing is sold or drawn. Alarm: ClockSlow.',
        [[{}, await others.behindSeconds(db)]],
      ),
      gauge(
        'fairball_clock_ahead_seconds',
        "How far this process's clock stands before the database's; above 30 this process sells and draws nothing. Alarm: ClockFast.",
        [[{}, Math.max(0, Math.floor(others.aheadSeconds()))]], // as the question before has found
      ),
    ]
  }

  async function moneyFamilies(): Promise<Family[]> {
    const troubles = await others.troubles(db)
    const { batches, stopReason, unconfirmedSeconds } = await others.payouts()
    const money = await others.treasury()
    const differences = [
      ['all', money.differenceSats],
      ['unexplained', money.unexplainedSats],
    ] as const
    return [
      gauge('fairball_unknown_deposits', 'Payments that arrived and belong to no order, ever. Alarm: UnknownDeposit.', [
        [{}, troubles.unknownDeposits],
      ]),
      gauge(
        'fairball_payments_reversed',
        'Payments that counted and were reorganised away at least once, ever, and those missing now. Alarm: PaymentReversed.',
        [
          [{ state: 'reversed' }, troubles.reversed],
          [{ state: 'missing' }, troubles.missing],
        ],
      ),
      gauge('fairball_payouts_stopped', 'Nothing is signed or sent. Alarm: PayoutsStopped.', [
        [{}, stopReason === null ? 0 : 1],
      ]),
      gauge(
        'fairball_payout_batches',
        'Payout batches that are not done, by state; HALTED, WAITING_FUNDS and WAITING_APPROVAL need a person. Alarm: PayoutWaits.',
        [...batches].map(([state, count]) => [{ state }, count]),
      ),
      gauge(
        'fairball_payout_unconfirmed_seconds',
        'How long the longest unconfirmed payout is out. Alarm: PayoutUnconfirmed.',
        [[{}, unconfirmedSeconds]],
      ),
      gauge(
        'fairball_wallet_sats',
        'What each wallet held when it was read last, in satoshis.',
        [...money.wallets].map(([wallet, sats]) => [{ wallet }, sats]),
      ),
      gauge(
        'fairball_wallet_difference_sats',
        'What the wallets held less what the ledger said, and the part that nothing on its way explains. Alarm: WalletDifference.',
        differences.flatMap(([part, sats]) => (sats === null ? [] : [[{ part }, sats] as const])),
      ),
      gauge(
        'fairball_unbooked_movements',
        'Spends of our wallets that wait for the operator to say what they were. Alarm: UnbookedMovement.',
        [[{}, money.unbooked]],
      ),
    ]
  }

  async function outsideFamilies(): Promise<Family[]> {
    const rate = deps.hasLiveRates ? await newestRate(db, 'GBP', runtime.clock.now()) : null
    const node = readTip === null ? null : await db.maybeOne(queries.findReading, [NODE])
    const tip = node === null ? null : (node.content as { height: number; at: number }) // only `lookAtNode` writes it
    return [
      gauge(
        'fairball_rate_age_seconds',
        'How old the newest rate is; above 900 nothing is sold. Alarm: RatesOld.',
        ageOf(rate?.at ?? null),
      ),
      gauge(
        'fairball_node_age_seconds',
        'How long ago the bitcoin node answered. Alarm: NodeUnreachable.',
        ageOf(node?.read_at ?? null),
      ),
      gauge('fairball_node_height', "The bitcoin node's newest block.", tip === null ? [] : [[{}, tip.height]]),
      gauge(
        'fairball_node_tip_age_seconds',
        'How long ago that block was made, by its own header. Alarm: NodeBehind.',
        ageOf(tip?.at ?? null),
      ),
    ]
  }

  function ageOf(at: number | null, labels: Labels = {}): (readonly [Labels, number])[] {
    return at === null ? [] : [[labels, Math.max(0, runtime.clock.now() - at)]]
  }

  return {
    look,

    /** How everything stands. Everybody who asks this process within ten seconds gets the same answer. */
    families(): Promise<Family[]> {
      const at = runtime.clock.now()
      if (shared !== null && Math.abs(at - shared.at) < SHARED_SECONDS) return shared.answer
      const answer = read()
      const own = { at, answer }
      shared = own
      answer.catch(() => {
        if (shared === own) shared = null
      })
      return answer
    },

    /** Looks on until it is stopped. */
    start(): void {
      looking = lookOn()
    },
    async stop(): Promise<void> {
      stopped.abort()
      await looking
    },
  }
}
