import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/pool.ts'
import { sql, t } from '../db/sql.ts'
import { route } from './route.ts'

const countJobs = sql({
  name: 'http.count-jobs',
  text: `select count(*)::int as waiting, (count(*) filter (where last_error is not null))::int as failed from jobs`,
  row: { waiting: t.int, failed: t.int },
})

/** What the metrics are taken from. */
export interface MetricsDeps {
  readonly db: Db
  readonly ledger: {
    balancesByKind(db: Db): Promise<ReadonlyMap<string, bigint>>
    violations(db: Db): Promise<readonly string[]>
  }
  readonly clockRule: { behindSeconds(db: Db): Promise<number> }
  readonly payments: { troubles(db: Db): Promise<{ unknownDeposits: number; reversed: number; missing: number }> }
  readonly payouts: {
    status(): Promise<{
      batches: ReadonlyMap<string, number>
      stopReason: string | null
      unconfirmedSeconds: number
    }>
  }
  readonly treasury: {
    status(): Promise<{
      wallets: ReadonlyMap<string, bigint>
      differenceSats: bigint | null
      unexplainedSats: bigint | null
      unbooked: number
    }>
  }
  readonly messages: { unsentMail(): Promise<{ waiting: number; failing: number; refused: number }> }
}

/** Measurements in the text format of Prometheus (version 0.0.4). */
export function metricsRoutes(app: FastifyInstance, deps: MetricsDeps): void {
  const { db, ledger, messages, payments, payouts, treasury, clockRule } = deps
  route(app, calls.getMetrics, async () => {
    const jobs = await db.one(countJobs, [])
    const mails = await messages.unsentMail()
    const balances = await ledger.balancesByKind(db)
    const violations = await ledger.violations(db)
    const troubles = await payments.troubles(db)
    const { batches, stopReason, unconfirmedSeconds } = await payouts.status()
    const money = await treasury.status()
    const behindSeconds = await clockRule.behindSeconds(db)
    return [
      ...gauge('fairball_jobs_waiting', 'Jobs that wait for their time or a worker.', [['', jobs.waiting]]),
      ...gauge('fairball_jobs_failed', 'Waiting jobs whose last try failed.', [['', jobs.failed]]),
      ...gauge(
        'fairball_mails_unsent',
        'Mails that wait for their first try, for another one, or were refused for good and are kept some days.',
        Object.entries(mails).map(([state, count]) => [`{state="${state}"}`, count]),
      ),
      ...gauge(
        'fairball_clock_behind_seconds',
        'How far this process stands behind the newest beacon round and log statement; above 30 nothing is sold or drawn.',
        [['', behindSeconds]],
      ),
      ...gauge('fairball_unknown_deposits', 'Payments that arrived and belong to no order, ever: more is an alarm.', [
        ['', troubles.unknownDeposits],
      ]),
      ...gauge(
        'fairball_payments_reversed',
        'Payments that counted and were reorganised away at least once, ever, and those missing now: more is an alarm.',
        [
          ['{state="reversed"}', troubles.reversed],
          ['{state="missing"}', troubles.missing],
        ],
      ),
      ...gauge('fairball_payouts_stopped', 'Nothing is signed or sent: anything but 0 is an alarm.', [
        ['', stopReason === null ? 0 : 1],
      ]),
      ...gauge(
        'fairball_payout_batches',
        'Payout batches that are not done, by state; HALTED, WAITING_FUNDS and WAITING_APPROVAL need a person.',
        [...batches].map(([state, count]) => [`{state="${state}"}`, count]),
      ),
      ...gauge(
        'fairball_payout_unconfirmed_seconds',
        'How long the longest unconfirmed payout is out; above 2700 is an alarm.',
        [['', unconfirmedSeconds]],
      ),
      ...gauge(
        'fairball_wallet_sats',
        'What each wallet held when it was read last, in satoshis.',
        [...money.wallets].map(([wallet, sats]) => [`{wallet="${wallet}"}`, sats]),
      ),
      ...gauge(
        'fairball_wallet_difference_sats',
        'What the wallets held less what the ledger said, and the part that nothing on its way explains: such a rest for ten minutes is an alarm.',
        [
          ...(money.differenceSats === null ? [] : [['{part="all"}', money.differenceSats] as const]),
          ...(money.unexplainedSats === null ? [] : [['{part="unexplained"}', money.unexplainedSats] as const]),
        ],
      ),
      ...gauge(
        'fairball_unbooked_movements',
        'Spends of our wallets that wait for the operator to say what they were: anything but 0 is an alarm.',
        [['', money.unbooked]],
      ),
      ...gauge('fairball_invariant_violations', 'What breaks the ledger: anything but 0 is an alarm.', [
        ['', violations.length],
      ]),
      ...gauge(
        'fairball_ledger_sats',
        'Balance of all ledger accounts of a kind, in satoshis.',
        [...balances].map(([kind, sats]) => [`{kind="${kind}"}`, sats]),
      ),
      '',
    ].join('\n')
  })
}

function gauge(
  name: string,
  help: string,
  values: readonly (readonly [labels: string, value: number | bigint])[],
): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...values.map(([labels, value]) => `${name}${labels} ${value}`),
  ]
}
