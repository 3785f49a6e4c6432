import type { Witnesses } from '@fairball/domain/fairness/statements'
import { type BitcoinSettings, chooseBitcoin } from './bitcoin.ts'
import { createDatabaseClock } from './db/database-clock.ts'
import type { Db, Tx } from './db/pool.ts'
import type { JobHandler } from './jobs/job.ts'
import { createJobQueue, type JobRun } from './jobs/queue.ts'
import { restingQueue } from './jobs/resting-queue.ts'
import { fundDemoBankroll } from './modules/demo/bankroll.ts'
import { drawsJobs } from './modules/draws/jobs.ts'
import { type BeaconChoice, keptBeacons } from './modules/draws/beacons.ts'
import { createClockRule } from './modules/draws/clock-rule.ts'
import { createDraws, type Partner } from './modules/draws/service.ts'
import { keptOperator, keptSecret } from './modules/fairness/keys.ts'
import { createFairness } from './modules/fairness/service.ts'
import { createGames } from './modules/games/service.ts'
import { ledgerJobs } from './modules/ledger/jobs.ts'
import { createLedger } from './modules/ledger/service.ts'
import { messageJobs } from './modules/messages/jobs.ts'
import { createNews } from './modules/messages/news.ts'
import { createMessages } from './modules/messages/service.ts'
import { type Invariants, lotteryInvariants } from './modules/monitoring/invariants.ts'
import { createMonitoring } from './modules/monitoring/service.ts'
import { createOrders } from './modules/orders/service.ts'
import { createRateBook } from './modules/payments/rates.ts'
import { createPayments, watchOrder } from './modules/payments/service.ts'
import { createPayouts, stopAll } from './modules/payouts/service.ts'
import { createTreasury } from './modules/treasury/service.ts'
import { createResults } from './modules/results/service.ts'
import type { Mailer } from './ports/mail/mailer.ts'
import type { Rates } from './ports/rates/rates.ts'
import type { Runtime } from './runtime/runtime.ts'
import { createSeal } from './runtime/seal.ts'

/** What the lottery needs of the house around it. */
export interface LotteryDeps {
  readonly db: Db
  readonly runtime: Runtime
  /** 32 bytes or more: what secrets are sealed under */
  readonly secretKey: Uint8Array
  /** without a slash at its end */
  readonly publicUrl: string
  /** whom mails name for help; null where nobody answers mail */
  readonly supportEmail: string | null
  readonly bitcoin: BitcoinSettings
  /** Who takes bitcoin and who sends it, in place of what the settings name. */
  readonly chooseBitcoin?: typeof chooseBitcoin
  readonly rateSource: Rates
  readonly isDemo: boolean
  readonly mailer: Mailer
  readonly partners: readonly Partner[]
  readonly beacon: BeaconChoice
  /** who has to see the closes of draws opened from now on (fairness.md section 5) */
  readonly witnesses: Witnesses
  /** where the head of the fairness log is kept beside the database; null nowhere */
  readonly headFile: string | null
  /** Throws LIMIT_REACHED or SELF_EXCLUDED (responsible play). */
  readonly checkMayPlay: (tx: Tx, playerId: bigint, priceMinor: bigint) => Promise<void>
  /** Called in the transaction in which payouts left, or in which nothing was found to be paid. */
  readonly onPaid: (tx: Tx) => Promise<void>
  /** Hears of every run of a job. */
  readonly onJobRun?: (run: JobRun) => void
  /** What is watched. Default: the invariants of the lottery. */
  readonly invariants?: Invariants
}

export type Lottery = Awaited<ReturnType<typeof createLottery>>

/**
 * Puts the lottery together: ledger, fairness log, games, orders, draws, payments, payouts, messages. It knows neither
 * HTTP nor accounts, so that tests and the program build the same one.
 */
export async function createLottery(deps: LotteryDeps) {
  const { db, runtime, publicUrl } = deps
  const { bitcoinNetwork: network, explorerUrl } = deps.bitcoin
  const seal = createSeal(deps.secretKey.subarray(0, 32), runtime.random)
  const databaseClock = createDatabaseClock(runtime)
  /** For those who write down when they saw something, without a door at which it is asked whether the clock is fast. */
  const timely: Runtime = { ...runtime, clock: databaseClock.right }
  const queue = restingQueue(
    createJobQueue({
      db,
      runtime: { ...runtime, clock: databaseClock.ofWork },
      ...(deps.onJobRun === undefined ? {} : { onRun: deps.onJobRun }),
    }),
    databaseClock,
    () => clockRule.isWrong(db),
  )
  const ledger = createLedger()
  const messages = createMessages({
    db,
    runtime,
    jobs: queue,
    mailer: deps.mailer,
    site: { publicUrl, supportEmail: deps.supportEmail },
  })
  const news = createNews({ messages, publicUrl })
  const rates = createRateBook({ db, runtime: timely, jobs: queue, source: deps.rateSource })

  const kept = { db, runtime, seal }
  // The local beacon must not sign a round that is not due.
  const beacons = await keptBeacons({ ...kept, runtime: timely }, deps.beacon)
  const clockRule = createClockRule({ db, runtime, databaseClock, beacons })
  await clockRule.isWrong(db) // before anything is begun that a fast clock would date
  const operator = await keptOperator(kept, publicUrl)
  const fairness = createFairness({
    db,
    runtime,
    databaseClock,
    seal,
    operator,
    chain: beacons.current.chain,
    witnesses: deps.witnesses,
    headFile: deps.headFile,
  })

  const testSeed = () => keptSecret(kept, 'test-wallet.seed', 32)
  const bitcoin = await (deps.chooseBitcoin ?? chooseBitcoin)({
    db,
    runtime,
    publicUrl,
    settings: deps.bitcoin,
    testSeed,
    movesWithinHouse: (txid) => treasury.movesWithinHouse(txid),
  })
  const { testChain } = bitcoin
  const isReal = testChain === null
  const partnerAddresses = new Map(
    deps.partners.flatMap(({ id, address }) => (address === null ? [] : [[id, address] as const])),
  )
  const payouts = createPayouts({
    db,
    runtime: timely,
    jobs: queue,
    ledger,
    wallet: bitcoin.wallet,
    network,
    limits: { approvalSats: deps.bitcoin.payoutApprovalSats, floatSats: deps.bitcoin.payoutFloatSats },
    partnerAddresses: () => partnerAddresses,
    tell: news.ofPayout,
    onPaid: deps.onPaid,
  })
  const orders = createOrders({
    db,
    runtime,
    ledger,
    freshRate: (tx) => rates.requireFreshRate(tx, 'GBP', runtime.clock.now()),
    checkMayPlay: deps.checkMayPlay,
    checkSales: (tx, askingRate) => draws.checkSales(tx, askingRate),
    isClockWrong: (tx) => clockRule.isWrong(tx),
    watchOrder: (tx, order) => watchOrder(tx, queue, order),
    onOwed: (tx) => payouts.schedule(tx),
    tell: news.ofOrder,
  })
  const draws = createDraws({
    db,
    runtime,
    ledger,
    jobs: queue,
    fairness,
    beacons,
    clock: clockRule,
    orders,
    partners: deps.partners,
    missingSats: (tx) => treasury.missingSats(tx),
    onOwed: (tx) => payouts.schedule(tx),
    tellWinner: news.ofWinner,
  })
  const payments = createPayments({
    db,
    runtime: timely, // by a fast clock orders would expire, and payments be late
    jobs: queue,
    ledger,
    provider: bitcoin.provider,
    applyPayments: orders.applyPayments,
    giveUp: orders.giveUp,
    takeBack: orders.takeBack,
    publicUrl,
    network,
    explorerUrl,
    requiredConfirmations: deps.bitcoin.bitcoinConfirmations,
    canPayFromTestWallet: !isReal,
  })
  const { sources, movements } = bitcoin
  const treasury = createTreasury({
    db,
    runtime: timely,
    ledger,
    sources,
    movements,
    bookUnknown: payments.bookUnknown,
  })
  const games = createGames({ db, runtime, ledger })
  const monitoring = createMonitoring({
    db,
    runtime: timely, // figures from a time to come would keep the others from counting
    ledger,
    invariants: deps.invariants ?? lotteryInvariants,
    stopPayouts: stopAll,
    readTip: bitcoin.readTip ?? null,
    hasLiveRates: !deps.rateSource.isFixed,
    others: {
      unsentMail: () => messages.unsentMail(),
      behindSeconds: (from) => clockRule.behindSeconds(from),
      aheadSeconds: () => clockRule.aheadSeconds(),
      troubles: (from) => payments.troubles(from),
      payouts: () => payouts.status(),
      treasury: () => treasury.status(),
    },
  })
  const results = createResults({ db, runtime, games, ledger, fairnessRecord: fairness.recordOf })

  return {
    queue,
    ledger,
    messages,
    rates,
    fairness,
    beacons,
    clockRule,
    testChain,
    payouts,
    orders,
    draws,
    payments,
    treasury,
    games,
    results,
    monitoring,

    /** Every kind of background work of the lottery. */
    jobs(): JobHandler[] {
      return [
        ...drawsJobs(draws),
        ...ledgerJobs(ledger),
        ...payments.jobs(),
        ...payouts.jobs(),
        ...rates.jobs(),
        ...messageJobs(messages),
      ]
    },

    /**
     * What has to be there before the first request: fit wallets, rates, the log, the bankroll, the games and their draws.
     *
     * @throws ProviderUnfit, WalletUnfit, NodeUnreachable: see `Bitcoin`
     */
    async begin(): Promise<void> {
      await bitcoin.assertFit()
      await rates.start()
      await fairness.begin()
      if (!isReal) await db.transaction((tx) => fundDemoBankroll(tx, ledger, runtime.clock.now()))
      await draws.seedGames({ isDemo: deps.isDemo })
      await payments.start()
      await payouts.beginPartners()
      // The test wallet's chain does what it is told, so there is nothing to reconcile.
      if (isReal) await payouts.begin()
    },
  }
}
