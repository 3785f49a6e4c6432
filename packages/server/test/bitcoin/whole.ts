import { randomBytes } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { p2wpkh } from '@scure/btc-signer'
import type { Config } from '../../src/config/config.ts'
import type { Db } from '../../src/db/pool.ts'
import { JobQueue } from '../../src/jobs/queue.ts'
import { createApplication } from '../../src/main/app.ts'
import { createLottery, lotteryJobs } from '../../src/main/lottery.ts'
import { wallet } from '../../src/modules/ledger/accounts.ts'
import { balanceOf, ledgerViolations } from '../../src/modules/ledger/service.ts'
import { depositBankroll, viewTreasury } from '../../src/modules/operator/treasury-actions.ts'
import { followProvider, moneyOf } from '../../src/modules/payments/service.ts'
import { lookAtWallets } from '../../src/modules/treasury/service.ts'
import { satsOfBtc } from '../../src/ports/bitcoin-node/rpc.ts'
import { localOutbox } from '../../src/ports/mail/local-outbox.ts'
import { fixedRates } from '../../src/ports/rates/fixed-rates.ts'
import type { Runtime } from '../../src/runtime/runtime.ts'
import { monotonicTime, systemClock, systemRandom } from '../../src/runtime/system-runtime.ts'
import { testRuntime } from '../../src/runtime/test-runtime.ts'
import { type Answer, CONFIG, PASSWORD } from '../application.ts'
import { testDatabase, type TestDatabase } from '../database.ts'
import { testAccount } from './account.ts'
import { btcOf, MINER, type TestNode } from './node.ts'

/** The game of these tests: 5 of 36, so that some of a thousand lines win. */
export const HERO = 'bitcoin-hero'
export const WATCH = CONFIG.bitcoinWatchWallet
export const HOT = CONFIG.bitcoinHotWallet
/** What the operator pays into the hot wallet at the beginning: as many sats as the demo's wallet opens with. */
export const FLOAT_SATS = 5_000_000_000n
/** In coins of one size each, so that many batches can leave between two blocks. */
const FLOAT_COINS = 20n
const REGTEST = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }
const WEEK = 7 * 86_400
/** Thursday 1 January 1970 was the first day; noon of the Wednesday after it. */
const FIRST_WEDNESDAY_NOON = 6 * 86_400 + 43_200

/** The settings of a demo that takes real bitcoin. */
function configOf(node: TestNode, changed: Partial<Config> = {}): Config {
  return {
    ...CONFIG,
    payments: 'bitcoin-core',
    bitcoinNode: { url: node.url, login: { cookieFile: node.cookieFile } },
    bitcoinXpub: testAccount(randomBytes(32)),
    ...changed,
  }
}

/** Seconds from now to the next Wednesday noon: draws have the same times whenever the tests run. */
export function toWednesdayNoon(): number {
  const now = systemClock().now()
  return FIRST_WEDNESDAY_NOON + Math.ceil((now - FIRST_WEDNESDAY_NOON) / WEEK) * WEEK - now
}

/** An address of a player's own wallet. */
export function playerAddress(seed: Uint8Array, index: number): string {
  const key = HDKey.fromMasterSeed(seed).derive(`m/84'/1'/0'/0/${index}`).publicKey
  const address = key === null ? undefined : p2wpkh(key, REGTEST).address
  if (address === undefined) throw new Error(`no address at ${index}`)
  return address
}

/** Makes the hot wallet and pays the float into it; six blocks deep. */
export async function fundHotWallet(node: TestNode): Promise<void> {
  await node.call('createwallet', { wallet_name: HOT, load_on_startup: true })
  const amounts: Record<string, string> = {}
  for (let coin = 0n; coin < FLOAT_COINS; coin += 1n)
    amounts[await node.call<string>('getnewaddress', {}, { wallet: HOT })] = btcOf(FLOAT_SATS / FLOAT_COINS)
  await node.call('sendmany', { dummy: '', amounts, fee_rate: 2 }, { wallet: MINER })
  await node.mine(6)
  await node.flush()
}

/**
 * Makes the float the bankroll, like the operator, once the treasury has found it in the hot wallet. @returns false
 * before
 */
export async function depositFloat(db: Db, runtime: Runtime): Promise<boolean> {
  const desk = { db, runtime, jobs: new JobQueue({ db, runtime }), actor: 'operator' }
  const { deposits, suspenseSats } = await viewTreasury(desk)
  if (suspenseSats < FLOAT_SATS) return false
  for (const { outpoint } of deposits) await depositBankroll(desk, outpoint)
  return true
}

/** Everything confirmed in the node's wallets, and our own change even if it is not. */
export async function heldSats(node: TestNode): Promise<bigint> {
  let sats = 0n
  for (const name of [WATCH, HOT]) {
    const { mine } = await node.call<{ mine: { trusted: number } }>('getbalances', {}, { wallet: name })
    sats += satsOfBtc(mine.trusted)
  }
  return sats
}

/** What breaks the ledger, or makes it differ from the node's two wallets. */
export async function problemsOf(db: Db, node: TestNode): Promise<string[]> {
  const [booked, held] = [await balanceOf(db, wallet), await heldSats(node)]
  const apart = booked === held ? [] : [`the ledger's wallet has ${booked} sats, the node's wallets ${held}`]
  return [...(await ledgerViolations(db)), ...apart]
}

/** The unspent amounts at addresses, by address. */
export async function unspentAt(node: TestNode, addresses: readonly string[]): Promise<Map<string, bigint[]>> {
  const found = new Map<string, bigint[]>(addresses.map((address) => [address, []]))
  const scanobjects = addresses.map((address) => `addr(${address})`)
  const { unspents } = await node.call<{ unspents: { desc: string; amount: number }[] }>(
    'scantxoutset',
    { action: 'start', scanobjects },
    { timeoutMs: 60_000 },
  )
  for (const { desc, amount } of unspents) {
    const address = /^addr\(([^)]+)\)/.exec(desc)?.[1] ?? ''
    found.get(address)?.push(satsOfBtc(amount))
  }
  return found
}

/** Amounts in ascending order, to be compared in any order. */
export function sorted(amounts: readonly bigint[]): bigint[] {
  return amounts.toSorted((one, other) => Number(one - other))
}

export type Whole = Awaited<ReturnType<typeof wholeProgram>>

/**
 * The whole program over a real node, on a database of its own, in the test's process: its API, and a worker that runs
 * when the test wants. The clock runs, beginning on a Wednesday at noon.
 */
export async function wholeProgram(options: { node: TestNode; config?: Partial<Config> }) {
  const { node } = options
  const clock = systemClock()
  clock.setOffsetSeconds(toWednesdayNoon())
  const { log, logged, outbound } = testRuntime()
  const asked = new Map<string, number>()
  const runtime: Runtime = {
    clock,
    monotonic: monotonicTime,
    readDatabaseClock: (toldMs) => toldMs,
    random: systemRandom,
    async fetch(input, init) {
      // Only the node is asked, and its client sends texts.
      const { method } = JSON.parse(init?.body as string) as { method: string }
      asked.set(method, (asked.get(method) ?? 0) + 1)
      return await fetch(input, init)
    },
    outbound,
    log,
  }
  const config = configOf(node, options.config)
  const database = await testDatabase({ runtime })
  const { db } = database
  const seed = randomBytes(32)
  let players = 0
  let connection: ReturnType<TestDatabase['connect']> | null = null
  let running: Awaited<ReturnType<typeof begin>>
  try {
    running = await begin()
    await lookAtWallets(running.lottery.treasury)
    if (!(await depositFloat(db, runtime))) throw new Error('the float is not in the hot wallet')
  } catch (error) {
    await database.drop()
    throw error
  }

  async function begin() {
    const application = await createApplication({ config, runtime, db, checksAnswers: true, withPages: false })
    const lottery = await createLottery({
      db,
      runtime,
      secretKey: config.secretKey,
      publicUrl: config.publicUrl,
      bitcoin: config,
      rateSource: fixedRates,
      isDemo: true,
      mailer: localOutbox(),
      site: () => ({ name: 'Fairball', supportEmail: null, partners: [] }),
      beacon: { current: 'local', relays: [] },
      policy: config.policy,
      headFile: null,
      checkMayPlay: async () => undefined,
    })
    lottery.queue.register(lotteryJobs(lottery))
    return { application, lottery }
  }

  async function call(
    method: string,
    path: string,
    { bearer, body, headers = {} }: { bearer?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const answer = await running.application.http.inject({
      // These are all real methods; Fastify's type lists them one by one.
      method: method as 'GET',
      url: /^\/(healthz|readyz|metrics)/.test(path) ? path : `/api/v1${path}`,
      headers: { ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const isJson = String(answer.headers['content-type'] ?? '').startsWith('application/json')
    return { status: answer.statusCode, headers: answer.headers, body: isJson ? answer.json() : answer.payload }
  }

  return {
    node,
    db,
    config,
    clock,
    /** the lines of its log */
    logged,
    /** number of calls to the node, by method */
    asked,
    get lottery() {
      return running.lottery
    },
    call,

    /** A player with a verified email address and a new bitcoin address. */
    async signUp(): Promise<WholePlayer> {
      players += 1
      const email = `player${players}@example.org`
      const address = playerAddress(seed, players)
      const body = { email, email_confirm: email, password: PASSWORD }
      const bearer = String((await call('POST', '/auth/register', { body })).body.access_token)
      const mails = await call('GET', `/dev/mail?to=${encodeURIComponent(email)}`)
      const link = String(mails.body[0].links[0])
      await call('PUT', '/auth/verify-email', { body: { key: link.slice(link.lastIndexOf('/') + 1) } })
      const saved = { bearer, body: { btc_address: address, password: PASSWORD } }
      await call('PUT', '/settings/crypto-account-details', saved)
      const { id } = await this.row<{ id: string }>('select id from players where email = $1', [email])
      return { id: BigInt(id), email, address, bearer }
    },

    /** A fresh bearer token: an access token lives ten minutes of the clock. */
    async logIn({ email }: WholePlayer): Promise<string> {
      const body = { email_or_username: email, password: PASSWORD }
      return String((await call('POST', '/auth/login', { body })).body.access_token)
    },

    /** Makes an order. @returns where it is to be paid */
    async order(bearer: string, request: { lines: number[][]; days: number[]; weeks?: number }): Promise<WholeOrder> {
      const tickets = request.lines.map((numbers) => ({ isLuckyDip: false, numbers }))
      const body = { type: 'lotto', key: HERO, days: request.days, weeks: request.weeks ?? 1, tickets }
      const made = await call('POST', '/payment', { bearer, body })
      if (made.status !== 201) throw new Error(`no order: ${made.status} ${JSON.stringify(made.body)}`)
      const id = String(made.body.transaction_id)
      const { address, dueSats } = await moneyOf(running.lottery.payments, id)
      if (address === null) throw new Error('the order has no address')
      return { id, address, due: dueSats, lines: request.lines }
    },

    /** Runs what the follower of a running program does every ten seconds, and all work that is due. */
    async look(): Promise<void> {
      await followProvider(running.lottery.payments)
      await running.lottery.queue.runDue()
    },

    async statusOf({ id }: Pick<WholeOrder, 'id'>): Promise<string> {
      return (await moneyOf(running.lottery.payments, id)).status
    },

    /** Moves the clock by the demo's control. */
    async moveTo(to: number): Promise<void> {
      if (to <= clock.now()) return
      const { status, body } = await call('POST', '/dev/clock', { body: { to } })
      if (status !== 200) throw new Error(`the clock did not move: ${JSON.stringify(body)}`)
    },

    /** Everything that left is mined and final. */
    async finishPayouts(): Promise<void> {
      for (let round = 0; round < 10; round += 1) {
        await running.lottery.queue.runDue()
        const { open } = await this.row<{ open: number }>(
          `select count(*)::int as open from payout_batches where state not in ('FINAL', 'CANCELLED')`,
        )
        if (open === 0) return
        await node.mine(6)
        await this.moveTo(clock.now() + 600)
      }
      throw new Error(`payouts do not end: ${JSON.stringify(await this.rows('select * from payout_batches'))}`)
    },

    /** The process ends in order and another begins on the same database. */
    async restart(): Promise<void> {
      await running.application.close()
      running = await begin()
    },

    async rows<R extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<R[]> {
      const client = await (connection ??= database.connect())
      return (await client.query<R>(text, values)).rows
    },
    async row<R extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<R> {
      const [first] = await this.rows<R>(text, values)
      if (first === undefined) throw new Error(`nothing found: ${text}`)
      return first
    },

    problems: () => problemsOf(db, node),

    async end(): Promise<void> {
      await running.application.close()
      await database.drop()
    },
  }
}

export interface WholePlayer {
  readonly id: bigint
  readonly email: string
  readonly address: string
  /** of the moment it was made */
  readonly bearer: string
}

export interface WholeOrder {
  readonly id: string
  readonly address: string
  /** sats */
  readonly due: bigint
  readonly lines: number[][]
}
