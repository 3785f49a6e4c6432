import { createHash } from 'node:crypto'
import { GAMES } from '@fairball/domain/seeds'
import type { Logged } from '@fairball/domain/protocol/known-log'
import { type LogStatement, readLogStatement } from '@fairball/domain/protocol/statements'
import type { Db } from '../src/db/pool.ts'
import { beginLottery } from '../src/main/begin-lottery.ts'
import { createLottery, type Lottery, type LotteryDeps, lotteryJobs } from '../src/main/lottery.ts'
import { createDemoClock } from '../src/modules/demo/clock.ts'
import type { Partner } from '../src/modules/draws/service.ts'
import { balancesByKind, ledgerViolations } from '../src/modules/ledger/service.ts'
import { createOrder } from '../src/modules/orders/service.ts'
import { moneyOf, openInvoice, refreshPayments } from '../src/modules/payments/service.ts'
import { localOutbox } from '../src/ports/mail/local-outbox.ts'
import { fixedRates } from '../src/ports/rates/fixed-rates.ts'
import type { TestChain } from '../src/ports/wallet/test-chain.ts'
import type { RandomSource } from '../src/runtime/runtime.ts'
import { testRuntime, type TestRuntime } from '../src/runtime/test-runtime.ts'
import { withLockOrder } from './lock-order.ts'
import { isOfWitness, policyOf, type TestWitness, witnessFetch } from './witness.ts'
import { begunDatabase } from './begun-database.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { rigDraw } from './rigged-draw.ts'
import { LogWatch } from './fairness-log.ts'

type Games = NonNullable<LotteryDeps['games']>

/** What a test may choose of its lottery. */
export interface TestLotteryOptions {
  startAt?: number
  partners?: Partner[]
  /** Default: Bitcoin Hero, drawn each day. */
  games?: Games
  /** Witnesses that must all cosign a close. Default: none. */
  witnesses?: readonly TestWitness[]
  headFile?: string
  /** Default: the local beacon. */
  beacon?: LotteryDeps['beacon']
  /** The network. Default: none. */
  fetch?: typeof globalThis.fetch
  /** Default: bytes that follow from a seed. */
  random?: RandomSource
  /** A draw of more lines is settled in parts. Default: as in the product. */
  linesAPart?: number | undefined
  /** An empty one on the newest schema. Default: one of those that the tests share a server for. */
  database?: Pick<TestDatabase, 'db' | 'connect'>
  /** Stands between the program and its database. */
  wrapDb?: (db: Db) => Db
}

/** The program's lottery on a database of its own, with a clock that only the test moves. */
export interface TestLottery {
  readonly lottery: Lottery & { readonly chain: TestChain }
  /** Restarts the program on the same database, as after the death of its process or a change of its configuration. */
  restart(changed?: Partial<LotteryDeps>): Promise<void>
  /** Another process that already runs continues the work. */
  takeOver(changed?: Partial<LotteryDeps>): Promise<void>
  /** Another process beside this one, on the same database. */
  beside(changed: Partial<LotteryDeps>): Promise<TestLottery['lottery']>
  readonly db: Db
  readonly runtime: TestRuntime
  /** Moves the clock to `at` through every moment at which work is due. */
  moveTo(at: number): Promise<void>
  /** A player with a verified address, and a bitcoin address unless `address` is null. */
  addPlayer(options?: { address?: string | null; isVerified?: boolean }): Promise<bigint>
  /** Makes an order and pays it from the test wallet. @returns its id */
  buy(order: { playerId: bigint; gameKey: string; lines: number[][]; days: number[]; weeks?: number }): Promise<string>
  /** All statements, each checked against the ones before it and its checkpoint. */
  log(): Promise<Logged[]>
  /** The statements about a draw, without its batches, in order. */
  statementsOf(gameKey: string, number: number): Promise<LogStatement[]>
  /** Reads rows that no statement of the program shows. */
  rows<R extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<R[]>
  /** What breaks the ledger, its wallet, the free tickets or the log; empty if all is in order. */
  violations(): Promise<string[]>
  /**
   * Gives these numbers to the draw that is drawn and not settled: `violations` no longer checks any against its
   * beacon.
   */
  rig(gameKey: string, numbers: readonly number[]): Promise<void>
}

/** The options that another lottery begins with. The others matter to it only later. */
const UNUSUAL = ['startAt', 'witnesses', 'headFile', 'beacon', 'random', 'database'] as const

/** Regtest addresses of made-up keys. */
export const ADDRESSES = [
  'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
  'bcrt1q0ht9tyks4vh7p5p904t340cr9nvahy7um9zdem',
]

/** Bitcoin Hero alone. */
export const ONE_GAME = GAMES.filter(({ key }) => key === 'bitcoin-hero')

/** The demo's wallet, as it is without configuration. */
export const TEST_BITCOIN: LotteryDeps['bitcoin'] = {
  bitcoinNetwork: 'regtest',
  payments: 'test',
  lightning: 'none',
  clnRpcFile: null,
  lnd: null,
  lightningFirstMaxSats: 200_000n,
  lightningInMaxSats: 4_000_000n,
  lightningPayoutMaxSats: 1_000_000n,
  lightningFeePpm: 5_000n,
  lightningFeeMinSats: 10n,
  lightningFloatSats: null,
  bitcoinNode: null,
  bitcoinXpub: null,
  bitcoinWatchWallet: 'fairball-watch',
  bitcoinHotWallet: 'fairball-hot',
  bitcoinConfirmations: 1,
  btcpay: null,
  opennode: null,
  explorerUrl: null,
  payoutApprovalSats: null,
  payoutFloatSats: null,
}

/** Wednesday 1 January 2025, 12:00 UTC. */
export const START_AT = 1_735_732_800

/** A site with these partners. */
export function siteWith(partners: readonly Partner[]): LotteryDeps['site'] {
  return () => ({ name: 'Fairball', supportEmail: null, partners })
}

/** Begins a lottery. Inside a test its database ends with the test. */
export async function testLottery(options: TestLotteryOptions = {}): Promise<TestLottery> {
  const { random = null, witnesses = [] } = options
  const logKeys: Uint8Array[] = []
  const toWitnesses = witnessFetch(witnesses, () => ({ origin: lottery.fairness.origin, publicKeys: logKeys }))
  const fetch: typeof globalThis.fetch | undefined =
    witnesses.length === 0
      ? options.fetch
      : (input, init) => (isOfWitness(witnesses, input) ? toWitnesses : (options.fetch ?? toWitnesses))(input, init)
  const isUsual = UNUSUAL.every((name) => options[name] === undefined)
  const games = options.games ?? ONE_GAME
  const begun = isUsual
    ? await begunDatabase(`lottery_${nameOf(games)}`, START_AT, (world) => beginUsual(world, games))
    : null
  const runtime = {
    ...(begun?.runtime ?? testRuntime({ startAt: options.startAt ?? START_AT })),
    ...(fetch === undefined ? {} : { fetch }),
    ...(random === null ? {} : { random }),
  }
  for (const witness of witnesses) witness.now = runtime.clock.now
  const database = begun?.database ?? options.database ?? (await testDatabase({ runtime }))
  const ordered = withLockOrder(database.db)
  const db = options.wrapDb?.(ordered) ?? ordered
  const client = await database.connect()
  const deps = depsOf({ ...options, games }, db, runtime)
  const build = async (changed: Partial<LotteryDeps> = {}): Promise<TestLottery['lottery']> => {
    const built = await createLottery({ ...deps, ...changed })
    built.queue.register(lotteryJobs(built))
    const { testChain } = built.bitcoin
    if (testChain === null) throw new Error('this lottery has no test wallet')
    return { ...built, chain: testChain }
  }
  const begin = async (changed: Partial<LotteryDeps> = {}): Promise<TestLottery['lottery']> => {
    const begun = await build(changed)
    await beginLottery(begun)
    return begun
  }
  let lottery = await begin()
  begun?.continueRandom()
  logKeys.push((await lottery.fairness.keys.inForce(db)).publicKey)
  const queue = { runDue: () => lottery.queue.runDue(), nextStopAt: () => lottery.queue.nextStopAt() }
  const clock = await createDemoClock({ db: database.db, runtime, queue })
  let players = 0
  let sealing: Promise<unknown> = Promise.resolve()
  let isRigged = false
  const logWatch = new LogWatch(client, lottery.fairness.origin)

  const rows = async <R extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await client.query<R>(text, values)).rows

  return {
    get lottery() {
      return lottery
    },
    async restart(changed) {
      lottery = await begin(changed)
    },
    async takeOver(changed) {
      lottery = await build(changed)
    },
    beside: build,
    db,
    runtime,
    moveTo: (at) => clock.moveTo(at),
    async addPlayer({ address = ADDRESSES[0] ?? '', isVerified = true } = {}) {
      players += 1
      const now = runtime.clock.now()
      const [player] = await rows<{ id: string }>(
        `insert into players (username, email, created_at, email_verified_at) values ($1, $2, $3, $4) returning id`,
        [`player-${players}`, `player-${players}@example.org`, now, isVerified ? now : null],
      )
      const id = BigInt(player?.id ?? 0)
      if (address !== null) {
        const values = [id, address, now]
        await rows(
          `insert into player_addresses (player_id, address, usable_from, created_at) values ($1, $2, $3, $3)`,
          values,
        )
        // one player after the other: each seals what has no seal, of every player
        const { addressSeals } = lottery
        sealing = sealing.then(() => db.transaction((tx) => addressSeals.sealAll(tx)))
        await sealing
      }
      return id
    },
    async buy({ playerId, gameKey, lines, days, weeks = 1 }) {
      const tickets = lines.map((numbers) => ({ numbers, isLuckyDip: false }))
      const order = { playerId, gameKey, days, weeks, tickets, idempotencyKey: null }
      const { orderId } = await createOrder(lottery.orders, order)
      await openInvoice(lottery.payments, orderId)
      const { address, missingSats } = await moneyOf(lottery.payments, orderId)
      if (address !== null) await lottery.chain.payIn({ address, sats: missingSats, minedConfirmations: 1 })
      await refreshPayments(lottery.payments, orderId)
      await lottery.queue.runDue()
      return orderId
    },
    log: () => logWatch.log(),
    async statementsOf(gameKey, number) {
      const texts = await rows<{ text: string }>(
        `select l.text from log_leaves l join draws d on d.open_hash = l.open_hash
          where d.game_key = $1 and d.number = $2 and l.type <> 'sold' order by l.index`,
        [gameKey, number],
      )
      return texts.map(({ text }) => readLogStatement(text))
    },
    rows,
    async violations() {
      const found = await ledgerViolations(db)
      const walletSats = (await balancesByKind(db)).get('wallet')
      const heldSats = await lottery.chain.balanceSats()
      if (walletSats !== heldSats) found.push(`the ledger's wallet has ${walletSats} sats, the wallet ${heldSats}`)
      const breaches = await logWatch.breaches()
      return [...found, ...breaches.filter((breach) => !(isRigged && breach.startsWith('result.numbers:')))]
    },
    async rig(gameKey, numbers) {
      isRigged = true
      await rigDraw(db, gameKey, numbers)
    },
  }
}

/** What the program's lottery is made of. */
function depsOf(options: TestLotteryOptions & { games: Games }, db: Db, runtime: TestRuntime): LotteryDeps {
  const { witnesses = [] } = options
  return {
    db,
    runtime,
    secretKey: new Uint8Array(32).fill(7),
    publicUrl: 'http://localhost:3000',
    bitcoin: TEST_BITCOIN,
    rateSource: fixedRates,
    isDemo: true,
    mailer: localOutbox(),
    site: siteWith(options.partners ?? []),
    games: options.games,
    beacon: options.beacon ?? { current: 'local', relays: [] },
    policy: witnesses.length === 0 ? 'quorum none\n' : policyOf(witnesses, witnesses.length),
    headFile: options.headFile ?? null,
    checkMayPlay: async () => undefined,
    linesAPart: options.linesAPart,
  }
}

/** A short name for games and their rules. */
function nameOf(games: Games): string {
  return createHash('sha256').update(JSON.stringify(games)).digest('hex').slice(0, 8)
}

/** The first beginning of a lottery of these games. */
async function beginUsual({ db, runtime }: { db: Db; runtime: TestRuntime }, games: Games): Promise<void> {
  const lottery = await createLottery(depsOf({ games }, db, runtime))
  lottery.queue.register(lotteryJobs(lottery))
  await beginLottery(lottery)
}
