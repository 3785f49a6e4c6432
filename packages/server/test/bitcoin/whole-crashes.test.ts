import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { maskNumbers } from '@fairball/domain/lines'
import { luckyDip } from '@fairball/domain/lucky-dip'
import type pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { monotonicTime, systemClock } from '../../src/runtime/system-runtime.ts'
import { testRuntime } from '../../src/runtime/test-runtime.ts'
import { type Loose, PASSWORD } from '../application.ts'
import { testDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { seededRandom } from '../seeded-random.ts'
import { casesOf } from '../share.ts'
import { testAccount } from './account.ts'
import { btcOf, MINER, startNode, waitUntil } from './node.ts'
import { type Coin, FEE, minerAddress } from './payer.ts'
import { type Server, startServer } from './server.ts'
import {
  depositFloat,
  FLOAT_SATS,
  fundHotWallet,
  heldSats,
  HERO,
  playerAddress,
  problemsOf,
  sorted,
  toWednesdayNoon,
  unspentAt,
} from './whole.ts'

/** Draws that are sold, drawn and paid, each with three ends of a process. */
const ROUNDS = casesOf({ all: 20, share: 1 })
/** Another seed ends the processes at other moments: `CRASH_SEED=anything`. */
const SEED = process.env['CRASH_SEED'] ?? 'fairball'
const PLAYERS = 3
const LINES = 200
const COIN_SATS = 1_000_000n
const LONGEST_STEP_MS = 800
const MAX_TRIES = 40
const DAY = 86_400
const PRIZES = new Map([
  [3, 5_000n],
  [4, 300_000n],
])

const random = seededRandom(`whole-crashes:${SEED}`)
const below = (count: number): number => new DataView(random.bytes(4).buffer).getUint32(0) % count

interface Player {
  readonly email: string
  readonly address: string
  /** what is to arrive in the end, beside prizes, in sats */
  returnedSats: bigint
}

interface Order {
  readonly player: Player
  readonly lines: number[][]
  /** null until it was answered */
  id: string | null
  /** what was paid for it, in sats */
  paidSats: bigint
  /** how much of that is owed to the player in any case, in sats */
  extraSats: bigint
  /** the payment's bytes, sent as often as it takes; null until it was made */
  raw: string | null
}

it(`${ROUNDS * 3} ends of our process and of the node cost no one a satoshi`, { timeout: 600_000 }, async () => {
  const world = await crashingWorld()
  onTestFinished(() => world.end())
  const players: Player[] = []
  for (let number = 1; number <= PLAYERS; number += 1) players.push(await world.signUp(number))
  const orders: Order[] = []

  for (let round = 0; round < ROUNDS; round += 1) {
    const { startAt, endAt } = await world.nextDraw()
    const sold = players.map((player): Order => newOrder(player))
    orders.push(...sold)
    const coins = await world.coins(sold.length)

    await world.goingOnOverAnEnd(async () => {
      for (const [place, order] of sold.entries()) {
        order.id ??= await world.buy(order, startAt)
        if (order.raw === null) {
          const { address, due } = await world.checkoutOf(order.id)
          order.extraSats = BigInt(place) * 20_000n
          order.paidSats = due + order.extraSats
          order.raw = await world.signPayment(coins[place], address, order.paidSats)
        }
        await world.send(order.raw)
      }
    })
    await world.mine(1)
    const victim = await world.goingOnOverAnEnd(() => world.moveTo(endAt + 1))
    await world.mine(1)
    await world.goingOnOverAnEnd(() => world.moveTo(endAt + 700))
    const statuses = await world.statusesOf(sold)
    // While the node was down, hours of the demo's clock may have passed: then the payment came too late for the
    // draw.
    const possible = victim === 'node' ? ['PAID', 'REFUNDED'] : ['PAID']
    for (const [place, order] of sold.entries()) {
      expect(possible).toContain(statuses[place])
      order.player.returnedSats += statuses[place] === 'PAID' ? order.extraSats : order.paidSats
    }
  }
  await world.finish()

  expect(world.ends).toBeGreaterThanOrEqual(ROUNDS * 3)
  expect(await problemsOf(world.db, world.node)).toEqual([])
  const unspent = await unspentAt(
    world.node,
    players.map((player) => player.address),
  )
  let arrivedSats = 0n
  for (const player of players) {
    const payouts = await world.rows<{ sats: string; leaves: string }>(
      `select o.sats, o.sats - o.fee_share_sats as leaves from payouts o join players p on p.id = o.player_id
        where p.email = $1 and o.cancelled_at is null`,
      [player.email],
    )
    const arrived = unspent.get(player.address) ?? []
    expect(sorted(arrived)).toEqual(sorted(payouts.map(({ leaves }) => BigInt(leaves))))
    const own = orders.filter((order) => order.player === player)
    const owed = player.returnedSats + (await world.winsOf(own))
    expect(payouts.reduce((sum, { sats }) => sum + BigInt(sats), 0n)).toBe(owed)
    arrivedSats += arrived.reduce((sum, sats) => sum + sats, 0n)
  }
  const paidSats = orders.reduce((sum, order) => sum + order.paidSats, 0n)
  expect(await heldSats(world.node)).toBe(FLOAT_SATS + paidSats - arrivedSats - (await world.feesSats()))
})

function newOrder(player: Player): Order {
  return { player, lines: linesOf(LINES), id: null, paidSats: 0n, extraSats: 0n, raw: null }
}

function linesOf(count: number): number[][] {
  return Array.from({ length: count }, () => luckyDip({ pick: 5, pool: 36 }, (bytes) => random.bytes(bytes)))
}

/** The program in its process and a node in its own, and a test that ends one or the other. */
async function crashingWorld() {
  const [node, folder, port, database] = await Promise.all([
    startNode(),
    mkdtemp(join(tmpdir(), 'fairball-crashes-')),
    freePort(),
    testDatabase(),
  ])
  await fundHotWallet(node)
  const { db } = database
  const client: pg.Client = await database.connect()
  const rows = async <R extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await client.query<R>(text, values)).rows
  const offset = toWednesdayNoon()
  await rows(`insert into system_state (key, value) values ('demo.clock-offset', $1)`, [String(offset)])
  const origin = `http://127.0.0.1:${port}`
  const env = {
    PORT: String(port),
    PUBLIC_URL: origin,
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    SECRET_KEY: '5e'.repeat(32),
    LOG_LEVEL: 'error',
    PAYMENTS: 'bitcoin-core',
    BITCOIN_RPC_URL: node.url,
    BITCOIN_RPC_COOKIE: node.cookieFile,
    BITCOIN_XPUB: testAccount(randomBytes(32)),
  }
  let server: Server = startServer(env)
  await server.ready()
  const clock = systemClock()
  clock.setOffsetSeconds(offset)
  await waitUntil('the treasury has found the float', () => depositFloat(db, { ...testRuntime(), clock }))
  const seed = randomBytes(32)
  /** payments that are not known to be in a block for good */
  const payments: string[] = []
  let height = await node.call<number>('getblockcount')
  let ends = 0

  async function call(
    method: string,
    path: string,
    options: { bearer?: string; body?: unknown; key?: string } = {},
  ): Promise<Loose> {
    const { bearer, body, key } = options
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }

  async function logIn({ email }: Pick<Player, 'email'>): Promise<string> {
    const body = { email_or_username: email, password: PASSWORD }
    return String((await call('POST', '/auth/login', { body })).access_token)
  }

  async function endOne(): Promise<'node' | 'server'> {
    ends += 1
    if (below(3) === 0) {
      await node.kill9()
      await monotonicTime.sleep(below(200))
      await catchUp()
      return 'node'
    }
    await server.kill9()
    // Now and then the next process does not live to serve either.
    while (below(4) === 0) {
      const stillborn = startServer(env)
      await monotonicTime.sleep(below(1_500))
      await stillborn.kill9()
    }
    server = startServer(env)
    await server.ready()
    return 'server'
  }

  /**
   * The node returns without what it had not written to the disk: its peers would give it the blocks, here they are
   * made again.
   */
  async function catchUp(): Promise<void> {
    await node.restart()
    await node.heard()
    for (const raw of payments) await send(raw)
    const has = await node.call<number>('getblockcount')
    // More work than before, as after any reorganisation.
    await mine(height - has + 1)
  }

  async function mine(count: number): Promise<void> {
    height = Math.max(height, (await node.call<number>('getblockcount')) + count)
    await node.mine(count)
    if (below(2) === 0) await node.flush()
  }

  /** Sends bytes that may have been sent before. */
  async function send(hexstring: string): Promise<void> {
    if (!payments.includes(hexstring)) payments.push(hexstring)
    await node.call('sendrawtransaction', { hexstring, maxfeerate: 0 }).catch((error: unknown) => {
      if (!String(error).includes('(-27)') && !String(error).includes('(-25)')) throw error // it is in a block
    })
  }

  return {
    node,
    db,
    rows,
    call,
    mine,
    send,
    get ends() {
      return ends
    },

    async end() {
      await server.kill9()
      await node.stop()
      await rm(folder, { recursive: true, force: true })
    },

    /** Does something during which a process ends, and repeats it until it is done. @returns which process ended */
    async goingOnOverAnEnd(step: () => Promise<void>): Promise<'node' | 'server'> {
      const tried = step().catch(() => undefined) // expected: it is repeated
      await monotonicTime.sleep(below(LONGEST_STEP_MS))
      const victim = await endOne()
      await tried
      for (let left = MAX_TRIES; ; left -= 1) {
        const failure: unknown = await step().then(
          () => null,
          (error: unknown) => error,
        )
        if (failure === null) return victim
        if (left <= 1) throw new Error(`it does not go on: ${server.said()}`, { cause: failure })
        await monotonicTime.sleep(100)
      }
    },

    async signUp(number: number): Promise<Player> {
      const email = `player${number}@example.org`
      const body = { email, email_confirm: email, password: PASSWORD }
      const bearer = String((await call('POST', '/auth/register', { body })).access_token)
      let mails: Loose[] = []
      await waitUntil(`the mail to ${email} is sent`, async () => {
        mails = await call('GET', `/dev/mail?to=${encodeURIComponent(email)}`)
        return mails.length > 0
      })
      const link = String(mails[0].links[0])
      await call('PUT', '/auth/verify-email', { body: { key: link.slice(link.lastIndexOf('/') + 1) } })
      const address = playerAddress(seed, number)
      const saved = { btc_address: address, password: PASSWORD }
      await call('PUT', '/settings/crypto-account-details', { bearer, body: saved })
      return { email, address, returnedSats: 0n }
    },

    /** The next draw that closes in an hour or more. */
    async nextDraw(): Promise<{ startAt: number; endAt: number }> {
      const { now } = await call('GET', '/dev/clock')
      const [draw] = await rows<{ start_at: string; end_at: string }>(
        `select start_at, end_at from draws where game_key = $1 and closes_at > $2 order by start_at limit 1`,
        [HERO, now + 3_600],
      )
      return { startAt: Number(draw?.start_at), endAt: Number(draw?.end_at) }
    },

    /** Confirmed coins for payments, which nothing else spends. */
    async coins(count: number): Promise<Coin[]> {
      const amounts: Record<string, string> = {}
      for (let coin = 0; coin < count; coin += 1) amounts[await minerAddress(node)] = btcOf(COIN_SATS)
      const txid = await node.call<string>('sendmany', { dummy: '', amounts, fee_rate: 2 }, { wallet: MINER })
      await mine(1)
      await node.flush()
      const { vout } = await node.call<{ vout: { n: number; scriptPubKey: { address: string } }[] }>(
        'getrawtransaction',
        { txid, verbose: true },
      )
      const coins = vout.filter((one) => one.scriptPubKey.address in amounts).map(({ n }) => ({ txid, vout: n }))
      await node.call('lockunspent', { unlock: false, transactions: coins, persistent: true }, { wallet: MINER })
      return coins
    },

    /** Makes an order, or finds the existing one. @returns its id */
    async buy({ player, lines }: Order, startAt: number): Promise<string> {
      const day = ((Math.floor(startAt / DAY) + 3) % 7) + 1
      const tickets = lines.map((numbers) => ({ isLuckyDip: false, numbers }))
      const body = { type: 'lotto', key: HERO, days: [day], weeks: 1, tickets }
      const bearer = await logIn(player)
      return String((await call('POST', '/payment', { bearer, body, key: `draw-${startAt}` })).transaction_id)
    },

    async checkoutOf(orderId: string): Promise<{ address: string; due: bigint }> {
      const { address } = await call('GET', `/checkout/${orderId}`)
      const [order] = await rows<{ due_sats: string }>('select due_sats from orders where id = $1', [orderId])
      return { address: String(address), due: BigInt(order?.due_sats ?? 0) }
    },

    /** The bytes of a payment: from a coin to an address, the rest back to the payer. */
    async signPayment(coin: Coin | undefined, address: string, sats: bigint): Promise<string> {
      const change = { [await minerAddress(node)]: btcOf(COIN_SATS - sats - FEE) }
      const outputs = [{ [address]: btcOf(sats) }, change]
      const hexstring = await node.call<string>('createrawtransaction', { inputs: [coin], outputs })
      return (await node.call<{ hex: string }>('signrawtransactionwithwallet', { hexstring }, { wallet: MINER })).hex
    },

    async moveTo(to: number): Promise<void> {
      const { now } = await call('GET', '/dev/clock')
      if (to > now) await call('POST', '/dev/clock', { body: { to } })
    },

    async statusesOf(orders: readonly Order[]): Promise<string[]> {
      const found = await rows<{ id: string; status: string }>('select id, status from orders where id = any($1)', [
        orders.map((order) => order.id),
      ])
      return orders.map((order) => found.find((row) => row.id === order.id)?.status ?? 'missing')
    },

    /** Until every payout is six blocks deep. */
    async finish(): Promise<void> {
      for (let left = MAX_TRIES; ; left -= 1) {
        const { now } = await call('GET', '/dev/clock')
        await call('POST', '/dev/clock', { body: { to: (Math.floor(now / 600) + 1) * 600 + 1 } })
        const open = await rows(
          `select id, state, reason from payout_batches where state not in ('FINAL', 'CANCELLED')`,
        )
        const waiting = await rows(`select id from payables where payout_id is null and player_id is not null`)
        if (open.length === 0 && waiting.length === 0) return
        if (left <= 1) throw new Error(`payouts do not end: ${JSON.stringify({ open, waiting })} ${server.said()}`)
        await mine(6)
      }
    },

    /** What orders won, by the numbers that were drawn. */
    async winsOf(orders: readonly Order[]): Promise<bigint> {
      let sats = 0n
      for (const { id, lines } of orders) {
        const plays = await rows<{ drawn_mask: string; jackpot: string | null }>(
          `select d.drawn_mask, (select max(sats) from payables a where a.draw_id = d.id and a.kind = 'prize') as jackpot
            from plays p join draws d on d.id = p.draw_id where p.order_id = $1 and d.status = 'settled'`,
          [id],
        )
        const [play] = plays
        if (play === undefined) continue // it was refunded
        const drawn = new Set(maskNumbers(BigInt(play.drawn_mask)))
        for (const line of lines) {
          const matches = line.filter((number) => drawn.has(number)).length
          sats += matches === 5 ? BigInt(play.jackpot ?? 0) : (PRIZES.get(matches) ?? 0n)
        }
      }
      return sats
    },

    async feesSats(): Promise<bigint> {
      const txs = await rows<{ fee_sats: string }>(
        `select x.fee_sats from payout_batches b join payout_txs x on x.batch_id = b.id and x.version = b.version`,
      )
      return txs.reduce((sum, tx) => sum + BigInt(tx.fee_sats), 0n)
    },
  }
}
