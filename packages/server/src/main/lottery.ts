import type { GameWithRules } from '@fairball/domain/games'
import { GAMES } from '@fairball/domain/seeds'
import { DatabaseClock } from '../db/database-clock.ts'
import type { Db, Tx } from '../db/pool.ts'
import type { JobHandler, JobRun } from '../jobs/job.ts'
import { PausableQueue } from '../jobs/pausable-queue.ts'
import type { JobQueue } from '../jobs/queue.ts'
import { Facts } from '../kernel/facts.ts'
import { type BeaconChoice, keptBeacons } from '../modules/draws/beacons.ts'
import { drawsJobs } from '../modules/draws/jobs.ts'
import {
  appendSoon,
  checkSales,
  ClockRule,
  type DrawsContext,
  type Partner,
  type SalesContext,
  salesState,
} from '../modules/draws/service.ts'
import { openInstallation } from '../modules/fairness/installation.ts'
import {
  statementsOfDraw,
  type FairnessContext,
  keptLog,
  keptSecret,
  fairnessJobs,
} from '../modules/fairness/service.ts'
import { type GamesContext, gamesContext } from '../modules/games/service.ts'
import { type DeliveringContext, tellOfAlarm, webhookJobs } from '../modules/integrations/service.ts'
import { ledgerJobs } from '../modules/ledger/jobs.ts'
import { messageJobs } from '../modules/messages/jobs.ts'
import { type MessagesContext, unsentMail } from '../modules/messages/service.ts'
import { type Invariants, lotteryInvariants, withSealedAddresses } from '../modules/monitoring/invariants.ts'
import { type MonitoringContext, monitoringContext } from '../modules/monitoring/service.ts'
import { type OrdersContext, ordersContext, type OrdersOptions } from '../modules/orders/service.ts'
import { RateBook } from '../modules/payments/rates.ts'
import {
  paymentJobs,
  type LightningDesk,
  offerLightning,
  type PaymentsContext,
  paymentsContext,
  paymentTroubles,
  watchOrder,
} from '../modules/payments/service.ts'
import { RETURN_SECONDS } from '../modules/payouts/returns.ts'
import { AddressSeals, payoutJobs, type PayoutsContext, payoutsStatus, stopAll } from '../modules/payouts/service.ts'
import { type ResultsContext, resultsContext } from '../modules/results/service.ts'
import { isPayout, missingSats, type TreasuryContext, heldSats, treasuryStatus } from '../modules/treasury/service.ts'
import type { Beacons } from '../ports/beacon/beacon.ts'
import { type Bitcoin, type BitcoinSettings, chooseBitcoin, type MoneySettings } from '../ports/bitcoin.ts'
import type { chooseLightning, Lightning } from '../ports/lightning/choose.ts'
import type { Payees } from '../ports/lightning/payee.ts'
import { ballsImage } from '../http/share/share-image.ts'
import type { Mailer } from '../ports/mail/mailer.ts'
import type { Rates } from '../ports/rates/rates.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { type InstallationSeal, sealUnder } from '../runtime/seal.ts'
import {
  lightningDesk,
  lightningOf,
  type PayeeChoice,
  payeesOf,
  payoutsOf,
  providerWith,
  treasuryOf,
} from './money-parts.ts'
import { lotterySubscriptions } from './subscriptions.ts'
import { tellOfStop, webhooksOf } from './webhook-parts.ts'

/** What the lottery needs from the application. */
export interface LotteryDeps extends PayeeChoice, Pick<DrawsContext & OrdersOptions, 'linesAPart' | 'portionsAtOnce'> {
  readonly db: Db
  readonly runtime: Runtime
  /** 32 bytes or more: what secrets are encrypted under */
  readonly secretKey: Uint8Array
  /** without a slash at its end */
  readonly publicUrl: string
  /** what mails say of the site, and whom donations are shared between, now */
  readonly site: () => LotterySite
  readonly bitcoin: BitcoinSettings
  /** What is in force of it that may change while it runs. Default: as in `bitcoin`. */
  readonly money?: () => MoneySettings
  /** The parts that take and send bitcoin, in place of those in the settings. */
  readonly chooseBitcoin?: typeof chooseBitcoin
  /** The Lightning node, in place of that in the settings. */
  readonly chooseLightning?: typeof chooseLightning
  readonly rateSource: Rates
  readonly isDemo: boolean
  /** interval between the moments at which refunds leave; default: an hour, and immediately in the demo */
  readonly returnSeconds?: number
  readonly mailer: Mailer
  readonly beacon: BeaconChoice
  /** text of the policy whose witnesses have to see the closes of draws opened from now on (fairness.md, section 3) */
  readonly policy: string
  /** the log that this one follows after a loss of data; default none */
  readonly logAfter?: FairnessContext['after']
  /** the file that keeps the head of the fairness log outside the database; null for none */
  readonly headFile: string | null
  /** Throws LIMIT_REACHED or SELF_EXCLUDED (responsible play). */
  readonly checkMayPlay: (tx: Tx, playerId: bigint, priceMinor: bigint, currency: string) => Promise<void>
  /** Called for every run of a job. */
  readonly onJobRun?: (run: JobRun) => void
  /** Whether jobs of a kind are left to other processes now. Default: none. */
  readonly isHeld?: (kind: string) => boolean
  /** Number of processes whose settings differ from the newest worker's, by variable. Default: not counted. */
  readonly settingsApart?: () => Promise<ReadonlyMap<string, number>>
  /** The games that an empty database begins with. Default: the six in the demo, none otherwise. */
  readonly games?: readonly GameWithRules[]
  /** The watched invariants. Default: those of the lottery. */
  readonly invariants?: Invariants
}

/** What may change about a site while it runs. */
interface LotterySite {
  readonly name: string
  /** the contact for help in mails; null if no one answers mail */
  readonly supportEmail: string | null
  readonly partners: readonly Partner[]
}

/** The lottery of one process: the contexts of its modules, and what they depend on. */
export interface Lottery extends Foundation {
  readonly isDemo: boolean
  readonly bitcoin: Bitcoin
  /** null if no payment is taken over Lightning */
  readonly lightning: Lightning | null
  readonly payees: Payees | null
  readonly messages: MessagesContext
  readonly rates: RateBook
  readonly fairness: FairnessContext
  readonly payouts: PayoutsContext
  readonly orders: OrdersContext
  readonly draws: DrawsContext
  readonly payments: PaymentsContext
  readonly treasury: TreasuryContext
  readonly games: GamesContext
  readonly monitoring: MonitoringContext
  readonly results: ResultsContext
  readonly webhooks: DeliveringContext
}

/** Secrets, time, randomness, jobs, and facts. */
interface Foundation {
  readonly db: Db
  readonly runtime: Runtime
  /** For modules that record times without a check of whether the clock is fast. */
  readonly runtimeOnDatabaseTime: Runtime
  readonly seal: InstallationSeal
  readonly addressSeals: AddressSeals
  readonly databaseClock: DatabaseClock
  readonly beacons: Beacons
  readonly clockRule: ClockRule
  readonly queue: JobQueue
  readonly facts: Facts
}

/**
 * Assembles the lottery: ledger, fairness log, games, orders, draws, payments, payouts, messages. It knows neither HTTP
 * nor accounts, so that tests and the program build the same one.
 */
export async function createLottery(deps: LotteryDeps): Promise<Lottery> {
  const foundation = await foundationOf(deps)
  const { db, runtime, runtimeOnDatabaseTime, queue, facts } = foundation
  const messages = messagesOf(deps, foundation)
  const rates = new RateBook({ db, runtime: runtimeOnDatabaseTime, jobs: queue, source: deps.rateSource })
  const fairness = await fairnessOf(deps, foundation)
  const bitcoin = await bitcoinOf(deps, foundation)
  const lightning = await lightningOf(deps, foundation, {
    testSeed: () => keptSecret(foundation, 'test-wallet.seed', 32),
    chainHeight: async () => (await bitcoin.readTip?.())?.height ?? null,
  })
  const desk = lightning === null ? null : lightningDesk(deps.bitcoin, foundation, lightning)
  const payees = payeesOf(deps, foundation, lightning)
  const payouts = payoutsOf(payoutTerms(deps), foundation, { wallet: bitcoin.wallet, lightning, payees })
  const sales: SalesContext = {
    runtime,
    clock: foundation.clockRule,
    assertFreshRate: (tx, currency) => rates.requireFreshRate(tx, currency, runtime.clock.now()),
    missingSats,
  }
  const orders = ordersContext({
    db,
    portionsAtOnce: deps.portionsAtOnce,
    runtime,
    facts,
    fairness,
    freshRate: sales.assertFreshRate,
    checkMayPlay: deps.checkMayPlay,
    checkSales: (tx, gameKey, use) => checkSales(sales, tx, gameKey, use),
    isClockWrong: (tx) => sales.clock.isWrong(tx),
    appendSoon: (tx, draws) => appendSoon(queue, tx, draws, runtime.clock.now()),
    async watchOrder(tx, order) {
      await Promise.all([watchOrder(tx, queue, order), desk === null ? null : offerLightning(desk, tx, order)])
    },
  })
  const draws: DrawsContext = {
    ...sales,
    db,
    jobs: queue,
    facts,
    fairness,
    rates,
    beacons: foundation.beacons,
    firstGames: deps.games ?? (deps.isDemo ? GAMES : []),
    orders,
    partners: () => deps.site().partners,
    linesAPart: deps.linesAPart,
  }
  const payments = paymentsOf(deps, foundation, { bitcoin, orders, payouts, desk })
  const treasury = treasuryOf(foundation, { bitcoin, lightning, payments })
  facts.subscribe(lotterySubscriptions({ messages, payouts, payments, jobs: queue, runtime }))
  const games = gamesContext({ db, runtime, salesState: (from) => salesState(draws, from) })
  const monitoring = monitoringOf(deps, foundation, { bitcoin, lightning, draws, messages, payouts, treasury })
  const results = resultsContext({
    db,
    runtime,
    games,
    payouts,
    statementsOf: (openHash) => statementsOfDraw(db, openHash),
  })
  return {
    ...foundation,
    isDemo: deps.isDemo,
    bitcoin,
    lightning,
    payees,
    messages,
    rates,
    fairness,
    payouts,
    orders,
    draws,
    payments,
    treasury,
    games,
    monitoring,
    results,
    webhooks: webhooksOf(deps.isDemo, foundation, messages),
  }
}

async function foundationOf(deps: LotteryDeps): Promise<Foundation> {
  const { db, runtime } = deps
  const seal = await openInstallation({ db, runtime, secretKey: deps.secretKey })
  const databaseClock = new DatabaseClock(runtime)
  const runtimeOnDatabaseTime: Runtime = { ...runtime, clock: databaseClock.right }
  // The local beacon must not sign a round that is not due.
  const beacons = await keptBeacons({ db, runtime: runtimeOnDatabaseTime, seal }, deps.beacon)
  const clockRule = new ClockRule({ db, runtime, databaseClock, beacons })
  await clockRule.isWrong(db) // before anything begins that a fast clock would date
  const queue = new PausableQueue({
    db,
    runtime,
    databaseClock,
    compare: () => clockRule.isWrong(db),
    onRun: deps.onJobRun,
    isHeld: deps.isHeld,
  })
  return {
    db,
    runtime,
    runtimeOnDatabaseTime,
    seal,
    addressSeals: new AddressSeals(seal),
    databaseClock,
    beacons,
    clockRule,
    queue,
    facts: new Facts(),
  }
}

function messagesOf(deps: LotteryDeps, { db, runtime, queue, facts, seal }: Foundation): MessagesContext {
  return {
    db,
    runtime,
    jobs: queue,
    facts,
    mailer: deps.mailer,
    paintBalls: ballsImage,
    site: () => ({ ...deps.site(), publicUrl: deps.publicUrl }),
    seal: sealUnder(seal.keyFor('mails'), runtime.random),
    approvalSats: () => moneyOf(deps).payoutApprovalSats,
    lightningMaxSats: () => (deps.bitcoin.lightning === 'none' ? null : deps.bitcoin.lightningPayoutMaxSats),
  }
}

async function fairnessOf(deps: LotteryDeps, foundation: Foundation): Promise<FairnessContext> {
  const { db, runtime, databaseClock, seal, beacons, queue } = foundation
  return {
    db,
    runtime,
    databaseClock,
    jobs: queue,
    ...(await keptLog(foundation, deps.publicUrl)),
    seal,
    chain: beacons.current.chain,
    policy: deps.policy,
    after: deps.logAfter ?? null,
    headFile: deps.headFile,
  }
}

function bitcoinOf(deps: LotteryDeps, foundation: Foundation): Promise<Bitcoin> {
  const { db, runtime } = foundation
  return (deps.chooseBitcoin ?? chooseBitcoin)({
    db,
    runtime,
    publicUrl: deps.publicUrl,
    settings: deps.bitcoin,
    requiredConfirmations: () => moneyOf(deps).bitcoinConfirmations,
    testSeed: () => keptSecret(foundation, 'test-wallet.seed', 32),
    isPayout: (txid) => isPayout(db, txid),
  })
}

function payoutTerms(deps: LotteryDeps): Parameters<typeof payoutsOf>[0] {
  return {
    bitcoin: deps.bitcoin,
    limits: () => ({ approvalSats: moneyOf(deps).payoutApprovalSats, floatSats: moneyOf(deps).payoutFloatSats }),
    returnSeconds: deps.returnSeconds ?? (deps.isDemo ? 0 : RETURN_SECONDS),
    partners: () => deps.site().partners,
  }
}

function paymentsOf(
  deps: LotteryDeps,
  foundation: Foundation,
  modules: Pick<Lottery, 'bitcoin' | 'orders' | 'payouts'> & { readonly desk: LightningDesk | null },
): PaymentsContext {
  const { bitcoin, orders, payouts, desk } = modules
  return paymentsContext({
    db: foundation.db,
    runtime: foundation.runtimeOnDatabaseTime, // by a fast clock orders would expire, and payments be late
    jobs: foundation.queue,
    provider: providerWith(bitcoin.provider, desk),
    lightning: desk,
    orders,
    onOwnCoins: (txids) => payouts.reconciling.reportForeign(txids),
    publicUrl: deps.publicUrl,
    network: deps.bitcoin.bitcoinNetwork,
    explorerUrl: deps.bitcoin.explorerUrl,
    requiredConfirmations: () => moneyOf(deps).bitcoinConfirmations,
    canPayFromTestWallet: bitcoin.testChain !== null,
  })
}

function monitoringOf(
  deps: LotteryDeps,
  foundation: Foundation,
  modules: Pick<Lottery, 'bitcoin' | 'lightning' | 'draws' | 'messages' | 'payouts' | 'treasury'>,
): MonitoringContext {
  const { db, addressSeals, beacons, clockRule } = foundation
  const { bitcoin, draws, messages, payouts, treasury } = modules
  return monitoringContext({
    db,
    runtime: foundation.runtimeOnDatabaseTime, // figures from the future would keep the others from counting
    invariants: deps.invariants ?? withSealedAddresses(lotteryInvariants, addressSeals),
    stopPayouts: async (tx, reason) => {
      await stopAll(tx, reason)
      await tellOfStop(foundation, tx, reason)
    },
    tellOfAlarm: (tx, alarm) => tellOfAlarm({ jobs: foundation.queue, runtime: foundation.runtime }, tx, alarm),
    readTip: bitcoin.readTip ?? null,
    lightning: modules.lightning?.watch ?? null,
    checkMail: deps.mailer.check ?? null,
    beaconChain: deps.beacon.current === 'drand' ? beacons.current.chain.hash : null,
    hasLiveRates: !deps.rateSource.isFixed,
    others: {
      sales: () => salesState(draws, db),
      unsentMail: () => unsentMail(messages),
      behindSeconds: (from) => clockRule.behindSeconds(from),
      aheadSeconds: () => clockRule.aheadSeconds(),
      troubles: (from) => paymentTroubles(from),
      payouts: () => payoutsStatus(payouts),
      treasury: () => treasuryStatus(treasury),
      settingsApart: deps.settingsApart ?? (async () => new Map()),
    },
  })
}

function moneyOf({ money, bitcoin }: LotteryDeps): MoneySettings {
  return money?.() ?? bitcoin
}

/** Every kind of background job of the lottery. */
export function lotteryJobs(lottery: Lottery): JobHandler[] {
  const { fairness, draws, payments, payouts, rates, messages, treasury, webhooks } = lottery
  return [
    ...fairnessJobs(fairness, { network: payouts.network, heldSats: () => heldSats(treasury) }),
    ...drawsJobs(draws),
    ...ledgerJobs(),
    ...paymentJobs(payments),
    ...payoutJobs(payouts),
    ...rates.jobs(),
    ...messageJobs(messages),
    ...webhookJobs(webhooks),
  ]
}
