import type { Db } from '../../db/pool.ts'
import { type Family, gauge, type Labels } from '../../metrics/registry.ts'
import { SALES_CAUSES } from '../draws/service.ts'
import { playedRates } from '../payments/service.ts'
import type { MonitoringContext } from './context.ts'
import { lightningFamilies, lookAtLightning } from './lightning.ts'
import * as queries from './queries.ts'

// Monitors the whole and reports its state. Expensive metrics are counted once a minute for all processes; the others
// are read on request, by each process once in ten seconds at most.

export { type MonitoringContext, monitoringContext } from './context.ts'
import { checkInvariants, continuePass, invariantStatus } from './watch.ts'
import { readingFamilies, refreshReadings } from './readings.ts'

export { lotteryInvariants } from './invariants.ts'
export { withSealedAddresses } from './invariants.ts'
export { checkAllInvariants } from './watch.ts'

/** In real time: a jump of the demo's clock is no reason to check more often. */
const LOOK_MS = 60_000
/** Delay between logins to the mail server, in all processes together. */
const MAIL_SECONDS = 300
const NODE = 'node'
/** The readings of backups: the newest one, the newest restore that went well, the newest that did not. */
export const BACKUP = 'backup'
export const TRIAL_RESTORE = 'trial-restore'
export const RESTORE_FAILURE = 'restore-failure'
const MAIL = 'mail'

async function lookAtNode(ctx: MonitoringContext): Promise<void> {
  if (ctx.readTip === null) return
  const tip = await ctx.readTip()
  await ctx.db.execute(queries.storeReading, [NODE, ctx.runtime.clock.now(), { height: tip.height, at: tip.at }])
}

/** Tries a login to the mail server, unless another process just did. */
async function lookAtMail(ctx: MonitoringContext): Promise<void> {
  if (ctx.checkMail === null) return
  const now = ctx.runtime.clock.now()
  const last = await ctx.db.maybeOne(queries.findReading, [MAIL])
  if (last !== null && Math.abs(now - last.readAt) < MAIL_SECONDS) return
  const failure = await ctx.checkMail().then(
    () => null,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )
  await ctx.db.execute(queries.storeReading, [MAIL, now, { isFailed: failure !== null }])
  if (failure !== null) throw failure
}

/** Keeps when something about backups happened last, for the metrics. */
export async function noteReading(db: Db, name: string, at: number, content: object): Promise<void> {
  await db.execute(queries.storeReading, [name, at, content])
}

/** One check of everything; what cannot be checked holds up nothing else. */
async function lookAtEverything(ctx: MonitoringContext): Promise<void> {
  await guarded(ctx, 'the invariants could not be checked', () => checkInvariants(ctx))
  await guarded(ctx, 'the figures could not be counted', () => refreshReadings(ctx))
  await guarded(ctx, 'the bitcoin node does not tell its newest block', () => lookAtNode(ctx))
  await guarded(ctx, 'the Lightning node does not tell how it is', () => lookAtLightning(ctx))
  await guarded(ctx, 'the mail server cannot be used: check SMTP_URL', () => lookAtMail(ctx))
}

async function guarded(ctx: MonitoringContext, what: string, work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => ctx.runtime.log.error({ err: error }, what))
}

async function read(ctx: MonitoringContext): Promise<Family[]> {
  return [
    ...(await watchFamilies(ctx)),
    ...(await readingFamilies(ctx)),
    ...(await jobFamilies(ctx)),
    ...(await drawFamilies(ctx)),
    ...(await salesFamilies(ctx)),
    ...(await moneyFamilies(ctx)),
    ...(await outsideFamilies(ctx)),
    ...(await backupFamilies(ctx)),
  ]
}

async function watchFamilies(ctx: MonitoringContext): Promise<Family[]> {
  const { byId, checkedAt, tookSeconds, passedAt, longestPieceSeconds } = await invariantStatus(ctx)
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
      ageOf(ctx, checkedAt),
    ),
    gauge(
      'fairball_invariants_check_seconds',
      'How long it took to recompute the sealed draws that had changed.',
      tookSeconds === null ? [] : [[{}, tookSeconds]],
    ),
    gauge(
      'fairball_invariants_pass_age_seconds',
      'When the last pass over everything began that has reached its end. Alarm: InvariantsPassOld.',
      ageOf(ctx, passedAt ?? ctx.startedAt),
    ),
    gauge(
      'fairball_invariants_pass_piece_seconds',
      'How long the longest piece of the newest pass took.',
      longestPieceSeconds === null ? [] : [[{}, longestPieceSeconds]],
    ),
  ]
}

async function jobFamilies(ctx: MonitoringContext): Promise<Family[]> {
  const rows = await ctx.db.run(queries.countJobs, [ctx.runtime.clock.now()])
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
      byKind((row) => row.lateSeconds),
    ),
    gauge(
      'fairball_mails_unsent',
      'Mails that wait for their first try, for another one, or were refused for good and are kept some days. Alarm: MailStuck.',
      Object.entries(await ctx.others.unsentMail()).map(([state, mails]) => [{ state }, mails]),
    ),
  ]
}

async function drawFamilies(ctx: MonitoringContext): Promise<Family[]> {
  const late = await ctx.db.one(queries.countLateDraws, [ctx.runtime.clock.now()])
  const rounds = await ctx.db.run(queries.listNewestRounds, [])
  const log = await ctx.db.maybeOne(queries.findLog, [])
  return [
    gauge('fairball_draws_late', 'Draws that have begun and have no numbers.', [[{}, late.draws]]),
    gauge('fairball_draw_late_seconds', 'How long the first of these waits for its numbers. Alarm: DrawLate.', [
      [{}, late.lateSeconds],
    ]),
    gauge(
      'fairball_beacon_round',
      'The newest round of each beacon that was seen, verified.',
      rounds.map((row) => [{ chain: row.name }, row.newestRound ?? 0n]),
    ),
    gauge(
      'fairball_beacon_age_seconds',
      'How long ago that round was due.',
      rounds.flatMap((row) => ageOf(ctx, row.newestDueAt, { chain: row.name })),
    ),
    gauge('fairball_statements', 'Statements in the fairness log.', [[{}, (log?.index ?? -1) + 1]]),
    gauge('fairball_statements_age_seconds', 'How long ago the newest of them was made.', ageOf(ctx, log?.at ?? null)),
    gauge(
      'fairball_clock_behind_seconds',
      'How far this process is behind the newest beacon round and log statement; above 30 nothing is sold or drawn. Alarm: ClockSlow.',
      [[{}, await ctx.others.behindSeconds(ctx.db)]],
    ),
    gauge(
      'fairball_clock_ahead_seconds',
      "How far this process's clock is ahead of the database's; above 30 this process sells and draws nothing. Alarm: ClockFast.",
      [[{}, Math.max(0, Math.floor(ctx.others.aheadSeconds()))]], // as the query before has found
    ),
  ]
}

async function salesFamilies(ctx: MonitoringContext): Promise<Family[]> {
  const { cause, freeSats, games } = await ctx.others.sales()
  const mail = ctx.checkMail === null ? null : await ctx.db.maybeOne(queries.findReading, [MAIL])
  // only `lookAtMail` writes it
  const isMailFailed = mail === null ? null : (mail.content as { isFailed: boolean }).isFailed
  return [
    gauge(
      'fairball_sales_stopped',
      'Whether no orders are taken, by cause: the clock is wrong, no rate is new enough. Alarm: SalesStopped.',
      SALES_CAUSES.map((one) => [{ cause: one }, one === cause ? 1 : 0]),
    ),
    gauge('fairball_bankroll_free_sats', 'The bankroll that nothing has reserved, in satoshis.', [[{}, freeSats]]),
    gauge(
      'fairball_bankroll_wanted_sats',
      'What each game alone wants it to be: 1.25 times its floor and cover, in satoshis.',
      games.flatMap(({ gameKey: game, wantedSats }) => (wantedSats === null ? [] : [[{ game }, wantedSats] as const])),
    ),
    gauge(
      'fairball_game_carried',
      'Whether the bankroll carries each game beside those before it; missing before the first rate. Alarm: GameNotCarried.',
      games.flatMap(({ gameKey: game, wantedSats, isCarried }) =>
        wantedSats === null ? [] : [[{ game }, isCarried ? 1 : 0] as const],
      ),
    ),
    gauge(
      'fairball_game_on_sale',
      'Whether orders are taken for each game: it is carried and not paused, and nothing stops all sales.',
      games.map(({ gameKey: game, isOnSale }) => [{ game }, isOnSale ? 1 : 0]),
    ),
    gauge(
      'fairball_mail_login_failed',
      'Whether the last login to the mail server failed; missing without one. Alarm: MailLoginFails.',
      isMailFailed === null ? [] : [[{}, isMailFailed ? 1 : 0]],
    ),
    gauge('fairball_mail_login_age_seconds', 'How long ago that was.', ageOf(ctx, mail?.readAt ?? null)),
    gauge(
      'fairball_beacon_silent_seconds',
      'How long ago the newest round of the beacon in use was due that was seen, or since the start where none was. Alarm: BeaconSilent.',
      await beaconSilence(ctx),
    ),
  ]
}

async function beaconSilence(ctx: MonitoringContext): Promise<(readonly [Labels, number])[]> {
  if (ctx.beaconChain === null) return []
  const chain = await ctx.db.maybeOne(queries.findNewestDue, [ctx.beaconChain])
  return ageOf(ctx, chain?.newestDueAt ?? ctx.startedAt)
}

async function moneyFamilies(ctx: MonitoringContext): Promise<Family[]> {
  const troubles = await ctx.others.troubles(ctx.db)
  const { batches, stopReason, unconfirmedSeconds, returned } = await ctx.others.payouts()
  const money = await ctx.others.treasury()
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
    gauge(
      'fairball_settings_differ',
      'How many processes are set otherwise than the newest worker, by variable: they leave payments and payouts to it. Alarm: SettingsDiffer.',
      [...(await ctx.others.settingsApart())].map(([variable, processes]) => [{ variable }, processes]),
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
      'fairball_returned_sats_24h',
      'Refunds and excess of the last 24 hours that left, or are to leave, without approval, in satoshis. Alarm: ReturnsNearLimit.',
      [[{}, returned.returnedSats]],
    ),
    gauge(
      'fairball_returned_limit_sats',
      'What this may come to: 25% of the float. Beyond it refunds and excess wait for approval. Missing in the demo.',
      returned.limitSats === null ? [] : [[{}, returned.limitSats]],
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
    ...depositFamilies(money.deposits),
    ...(await lightningFamilies(ctx, { differenceSats: money.lightningDifferenceSats })),
  ]
}

function depositFamilies(deposits: Awaited<ReturnType<MonitoringContext['others']['treasury']>>['deposits']): Family[] {
  const { sizes, costs } = deposits ?? { sizes: [], costs: [] }
  const bySize = (value: (size: (typeof sizes)[number]) => number | bigint) =>
    sizes.map((size) => [{ up_to_sats: size.upToSats === null ? 'more' : String(size.upToSats) }, value(size)] as const)
  return [
    gauge(
      'fairball_deposit_coins',
      'Coins of the deposits that are six blocks deep, by size.',
      bySize(({ coins }) => coins),
    ),
    gauge(
      'fairball_deposit_coins_sats',
      'What these come to, in satoshis.',
      bySize(({ sats }) => sats),
    ),
    gauge(
      'fairball_deposit_coins_cost_sats',
      'What spending all of them would cost in satoshis, at the present rate and at others, in sats a virtual byte.',
      costs.map(({ rate, sats }) => [{ rate }, sats]),
    ),
  ]
}

async function outsideFamilies(ctx: MonitoringContext): Promise<Family[]> {
  const rates = ctx.hasLiveRates ? await playedRates(ctx.db, ctx.runtime.clock.now()) : []
  const node = ctx.readTip === null ? null : await ctx.db.maybeOne(queries.findReading, [NODE])
  const tip = node === null ? null : (node.content as { height: number; at: number }) // only `lookAtNode` writes it
  return [
    gauge(
      'fairball_rate_age_seconds',
      'How old the newest rate of each currency of the games is; above 900 nothing is sold in it. Alarm: RatesOld.',
      rates.flatMap(({ currency, at }) => ageOf(ctx, at, { currency })),
    ),
    gauge(
      'fairball_node_age_seconds',
      'How long ago the bitcoin node answered. Alarm: NodeUnreachable.',
      ageOf(ctx, node?.readAt ?? null),
    ),
    gauge('fairball_node_height', "The bitcoin node's newest block.", tip === null ? [] : [[{}, tip.height]]),
    gauge(
      'fairball_node_tip_age_seconds',
      'How long ago that block was made, by its own header. Alarm: NodeBehind.',
      ageOf(ctx, tip?.at ?? null),
    ),
  ]
}

async function backupFamilies(ctx: MonitoringContext): Promise<Family[]> {
  const at = async (name: string) => (await ctx.db.maybeOne(queries.findReading, [name]))?.readAt ?? null
  const [backupAt, restoredAt, failedAt] = [await at(BACKUP), await at(TRIAL_RESTORE), await at(RESTORE_FAILURE)]
  return [
    gauge(
      'fairball_backup_age_seconds',
      'How long ago operator backup took a base backup. Alarm: BackupOld.',
      ageOf(ctx, backupAt),
    ),
    gauge(
      'fairball_trial_restore_age_seconds',
      'How long ago operator restore-trial restored one, and everything held. Alarm: TrialRestoreOld.',
      ageOf(ctx, restoredAt),
    ),
    gauge(
      'fairball_trial_restore_failed',
      'Whether the newest trial failed. Alarm: TrialRestoreFailed.',
      failedAt === null ? [] : [[{}, failedAt >= (restoredAt ?? 0) ? 1 : 0]],
    ),
  ]
}

function ageOf(ctx: MonitoringContext, at: number | null, labels: Labels = {}): (readonly [Labels, number])[] {
  return at === null ? [] : [[labels, Math.max(0, ctx.runtime.clock.now() - at)]]
}

/** The state of everything. Requests to this process within ten seconds share one answer. */
export function businessFamilies(ctx: MonitoringContext): Promise<Family[]> {
  return ctx.families.get(() => read(ctx))
}

/** Watches until it is stopped. */
export function startMonitoring(ctx: MonitoringContext): void {
  ctx.loop.start(() => lookAtEverything(ctx), LOOK_MS)
  ctx.passLoop.start(
    () =>
      guarded(ctx, 'the pass over the invariants could not be continued', () =>
        continuePass(ctx, () => ctx.passLoop.isStopped),
      ),
    LOOK_MS,
  )
}

/** Ends what `startMonitoring` began. */
export async function stopMonitoring(ctx: MonitoringContext): Promise<void> {
  await Promise.all([ctx.loop.stop(), ctx.passLoop.stop()])
}
export { findCheck } from './queries.ts'
