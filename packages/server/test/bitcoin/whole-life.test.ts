import { maskNumbers } from '@fairball/domain/lines'
import { luckyDip } from '@fairball/domain/lucky-dip'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { losses, received, suspense } from '../../src/modules/ledger/accounts.ts'
import { balanceOf } from '../../src/modules/ledger/service.ts'
import { MISSING_SECONDS } from '../../src/modules/payments/order-payments.ts'
import { satsOfBtc } from '../../src/ports/bitcoin-node/rpc.ts'
import { parseAccountKey } from '../../src/ports/payment-provider/account-key.ts'
import { seededRandom } from '../seeded-random.ts'
import { connect, partition, startNode, type TestNode, USUAL_KEYPOOL } from './node.ts'
import { coinOf, FEE, minerAddress, send, signed } from './payer.ts'
import {
  FLOAT_SATS,
  fundHotWallet,
  heldSats,
  HERO,
  sorted,
  unspentAt,
  type Whole,
  type WholeOrder,
  type WholePlayer,
  wholeProgram,
} from './whole.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const [WEDNESDAY, THURSDAY, FRIDAY] = [3, 4, 5] as const
/** Among this many lines some have three matching numbers, except once in 300,000 runs. */
const MANY_LINES = 500
const GBP_SATS = 1_000n
const PRIZES = new Map([
  [3, 5n * GBP_SATS],
  [4, 300n * GBP_SATS],
])

const random = seededRandom('whole-life')
const linesOf = (count: number): number[][] =>
  Array.from({ length: count }, () => luckyDip({ pick: 5, pool: 36 }, (bytes) => random.bytes(bytes)))

let node: TestNode
let other: TestNode
let whole: Whole
/** Noon of a Wednesday; the first draw of bitcoin-hero is at a quarter past, the next ones at six in the evening. */
let noon: number

beforeAll(async () => {
  ;[node, other] = await Promise.all([startNode({ args: USUAL_KEYPOOL }), startNode({ openingBlocks: 0 })])
  await fundHotWallet(node)
  await connect(node, other)
  whole = await wholeProgram({ node })
  noon = whole.clock.now() - (whole.clock.now() % MINUTE)
})
afterAll(async () => {
  await whole?.end()
  await Promise.all([node?.stop(), other?.stop()])
})

/** What each player is to get on the chain in the end, beside prizes: refunds and excess. */
const returned = new Map<string, bigint>()
const players: WholePlayer[] = []
const bought: { player: WholePlayer; order: WholeOrder }[] = []
/** Every satoshi that players paid and that stayed in the chain. */
let paidSats = 0n

async function buys(request: { lines?: number; days?: number[]; weeks?: number } = {}) {
  const player = await whole.signUp()
  players.push(player)
  const { lines = 1, days = [WEDNESDAY], weeks = 1 } = request
  const order = await whole.order(player.bearer, { lines: linesOf(lines), days, weeks })
  bought.push({ player, order })
  const owes = (sats: bigint): void => void returned.set(player.address, (returned.get(player.address) ?? 0n) + sats)
  const pays = async (sats: bigint): Promise<string> => {
    paidSats += sats
    return await node.pay(order.address, sats)
  }
  return { player, order, owes, pays, status: () => whole.statusOf(order) }
}

const balance = (account: typeof losses) => balanceOf(whole.db, account)

async function drawNumbersAt(startAt: number): Promise<{ number: number; numbers: number[] }> {
  const { body } = await whole.call('GET', `/games/${HERO}/draws`)
  const found = body.results.find((draw: { datetime: number }) => draw.datetime === startAt)
  if (found === undefined) throw new Error(`no draw at ${startAt}: ${JSON.stringify(body)}`)
  return found
}

describe('one chain, the whole life', () => {
  it('the lottery takes every kind of payment before the first draw', { timeout: 120_000 }, async () => {
    const exact = await buys({ lines: MANY_LINES })
    const toppedUp = await buys({ lines: MANY_LINES })
    const over = await buys()
    const twice = await buys()
    const replaced = await buys()
    const takenAway = await buys()
    const reorganised = await buys()
    const takenBack = await buys()
    const short = await buys()
    const lateByClose = await buys()
    const beyond = await buysBeyondTheRange()

    await exact.pays(exact.order.due)
    await toppedUp.pays(toppedUp.order.due - 1_000n)
    await over.pays(over.order.due + 77_777n)
    over.owes(77_777n)
    await twice.pays(twice.order.due)
    await short.pays(short.order.due - 300n)
    short.owes(short.order.due - 300n)
    await beyond.pays(beyond.order.due)
    const coin = await coinOf(node, replaced.order.due + 3n * FEE, other)
    const gone = await coinOf(node, takenAway.order.due + 3n * FEE, other)
    await whole.look()
    expect(await exact.status()).toBe('PAID')
    expect(await toppedUp.status()).toBe('UNDERPAID')
    expect(await over.status()).toBe('PAID')
    expect(await twice.status()).toBe('PAID')
    expect(await beyond.status()).toBe('PAID')
    expect(await short.status()).toBe('UNDERPAID')

    await send(node, await signed(node, coin, replaced.order.address, replaced.order.due + 2n * FEE))
    await send(node, await signed(node, gone, takenAway.order.address, takenAway.order.due + 2n * FEE))
    await toppedUp.pays(1_000n)
    await twice.pays(twice.order.due)
    twice.owes(twice.order.due)
    await whole.look()
    for (const one of [replaced, takenAway, toppedUp]) expect(await one.status()).toBe('PROCESSING')
    await send(node, await signed(node, coin, replaced.order.address, replaced.order.due))
    paidSats += replaced.order.due
    await send(node, await signed(node, gone, await minerAddress(node), takenAway.order.due))
    await whole.look()
    await node.mine(1)
    await whole.look()
    for (const one of [replaced, toppedUp, twice]) expect(await one.status()).toBe('PAID')
    expect(await takenAway.status()).not.toBe('PAID')
    expect(await whole.problems()).toEqual([])

    // Everything continues when our process and the node end.
    await node.flush()
    await node.restart()
    await whole.restart()

    await loseInPartition(reorganised, { isCounted: false })
    await loseInPartition(takenBack, { isCounted: true })
    await whole.moveTo(whole.clock.now() + MISSING_SECONDS)
    await whole.look()
    expect(await takenBack.status()).not.toBe('PAID')
    expect(await whole.problems()).toEqual([])
    // The order is still for sale: the same player pays it once more.
    await takenBack.pays(takenBack.order.due)
    await node.mine(1)
    await whole.look()
    expect(await takenBack.status()).toBe('PAID')

    await whole.moveTo(noon + 9 * MINUTE)
    await lateByClose.pays(lateByClose.order.due)
    await whole.look()
    expect(await lateByClose.status()).toBe('PROCESSING')
    await whole.moveTo(noon + 10 * MINUTE + 30)
    await node.mine(1)
    await whole.look()
    expect(await lateByClose.status()).toBe('PAID')
    const bearer = await whole.logIn(lateByClose.player)
    const { body } = await whole.call('GET', `/payment?transaction_id=${lateByClose.order.id}`, { bearer })
    expect(body).toMatchObject({
      status: 'PAID',
      game_key: 'bitcoin-hero',
      order: { draws: [{ number: 2, start_at: noon + 6 * HOUR }] },
      moved: [{ from: 1, to: 2, date: noon + 6 * HOUR }],
    })
    expect(await whole.problems()).toEqual([])

    // Their invoices expire, and one had too little.
    await whole.moveTo(noon + 17 * MINUTE)
    for (const one of [takenAway, reorganised]) expect(await one.status()).toBe('EXPIRED')
    expect(await short.status()).toBe('REFUNDED')
    expect(await whole.problems()).toEqual([])
  })

  it('the lottery draws, settles and pays the winners on the chain', { timeout: 120_000 }, async () => {
    await whole.moveTo(noon + 18 * MINUTE)
    const first = await whole.row<{ start_at: string }>(
      `select start_at from draws where number = 1 and game_key = $1`,
      [HERO],
    )
    const { numbers } = await drawNumbersAt(Number(first.start_at))
    expect(numbers).toHaveLength(5)
    await whole.finishPayouts()
    expect(await whole.problems()).toEqual([])
  })

  it(
    'the lottery takes late payments before a close, and moves and refunds those after it',
    { timeout: 120_000 },
    async () => {
      const inTime = await buys({ days: [THURSDAY] })
      const tooLate = await buys({ days: [WEDNESDAY] })
      const aDayLater = await buys({ days: [FRIDAY] })
      const cheap = await buys({ days: [THURSDAY] })
      await whole.moveTo(noon + HOUR)
      for (const one of [inTime, tooLate, aDayLater, cheap]) expect(await one.status()).toBe('EXPIRED')
      await inTime.pays(inTime.order.due)
      await node.mine(1)
      await whole.look()
      expect(await inTime.status()).toBe('PAID')

      // The rate has risen by a tenth: the quote is no longer 98% of the price.
      await setRate(GBP_SATS + GBP_SATS / 10n)
      await cheap.pays(cheap.order.due)
      cheap.owes(cheap.order.due)
      await node.mine(1)
      await whole.look()
      expect(await cheap.status()).toBe('REFUNDED')
      await whole.moveTo(whole.clock.now() + 1)
      await setRate(GBP_SATS)

      await whole.finishPayouts()
      await whole.moveTo(noon + 6 * HOUR - 5 * MINUTE)
      await tooLate.pays(tooLate.order.due)
      tooLate.owes(tooLate.order.due)
      await node.mine(1)
      await whole.look()
      expect(await tooLate.status()).toBe('REFUNDED')

      await whole.moveTo(noon + 6 * HOUR + 5 * MINUTE)
      await whole.finishPayouts()
      await whole.moveTo(noon + 26 * HOUR)
      await aDayLater.pays(aDayLater.order.due)
      aDayLater.owes(aDayLater.order.due)
      await node.mine(1)
      await whole.look()
      expect(await aDayLater.status()).toBe('REFUNDED')
      await whole.moveTo(noon + 30 * HOUR + 5 * MINUTE)
      await whole.finishPayouts()
    },
  )

  it('the lottery keeps what belongs to no order apart', async () => {
    const before = await balance(suspense)
    const stranger = parseAccountKey(whole.config.bitcoinXpub ?? '', 'regtest').addressAt(900)
    await node.pay(stranger, 54_321n)
    paidSats += 54_321n
    await node.mine(1)
    await whole.look()
    await whole.look()
    expect(await balance(suspense)).toBe(before + 54_321n)
  })

  it('the lottery ends with ledger, wallets and chain equal to the satoshi, and every prize paid once', async () => {
    expect(await whole.problems()).toEqual([])
    expect(await balance(received)).toBe(0n)
    expect(await balance(losses)).toBe(0n)
    const wins = await winsByAddress()
    expect([...wins.values()].reduce((sum, sats) => sum + sats, 0n)).toBeGreaterThan(0n)
    const unspent = await unspentAt(
      node,
      players.map((player) => player.address),
    )
    let arrivedSats = 0n
    for (const { id, address } of players) {
      const payouts = await whole.rows<{ sats: string; fee_share_sats: string }>(
        `select sats, fee_share_sats from payouts where player_id = $1 and cancelled_at is null`,
        [id],
      )
      const leaving = payouts.map((payout) => BigInt(payout.sats) - BigInt(payout.fee_share_sats))
      const arrived = unspent.get(address) ?? []
      expect(sorted(arrived), address).toEqual(sorted(leaving))
      const owed = (wins.get(address) ?? 0n) + (returned.get(address) ?? 0n)
      const waiting = await whole.row<{ sats: string }>(
        `select coalesce(sum(sats), 0)::text as sats from payables where player_id = $1 and payout_id is null`,
        [id],
      )
      expect(
        payouts.reduce((sum, payout) => sum + BigInt(payout.sats), BigInt(waiting.sats)),
        address,
      ).toBe(owed)
      arrivedSats += arrived.reduce((sum, sats) => sum + sats, 0n)
    }
    expect(await heldSats(node)).toBe(FLOAT_SATS + paidSats - arrivedSats - (await feesOnChain()))
  })
})

/** Sats per pound from now on: the demo's own rate never changes. */
async function setRate(sats: bigint): Promise<void> {
  await whole.rows(
    `insert into rates (currency, at, sats_per_unit) values ('GBP', $1, $2)
      on conflict (currency, at) do update set sats_per_unit = excluded.sats_per_unit`,
    [whole.clock.now(), sats],
  )
}

/** An order whose address is far behind those the node watches now. */
async function buysBeyondTheRange() {
  await whole.rows(`update deposit_accounts set next_index = 5000`)
  const made = await buys()
  const { address_index: index } = await whole.row<{ address_index: string }>(
    `select address_index from deposit_addresses where address = $1`,
    [made.order.address],
  )
  expect(index).toBe('5000')
  return made
}

type Bought = Awaited<ReturnType<typeof buys>>

/** Pays an order on one side of a partition, and lets the other side, where the coin goes elsewhere, win. */
async function loseInPartition({ order, status }: Bought, { isCounted }: { isCounted: boolean }): Promise<void> {
  const coin = await coinOf(node, order.due + FEE, other)
  const ours = await signed(node, coin, order.address, order.due)
  const theirs = await signed(node, coin, await minerAddress(node), order.due)
  await partition(node, other)
  await send(node, ours)
  await whole.look()
  expect(await status()).toBe('PROCESSING')
  await node.mine(1)
  if (isCounted) {
    await whole.look()
    expect(await status()).toBe('PAID')
  }
  await send(other, theirs)
  await other.mine(3, await minerAddress(node))
  await connect(node, other)
  await whole.look()
  expect(await status()).toBe(isCounted ? 'PAID' : 'PENDING')
}

/** What each player won, by the numbers that were drawn and the lines that were bought. */
async function winsByAddress(): Promise<Map<string, bigint>> {
  const plays = await whole.rows<{ order_id: string; drawn_mask: string | null; draw_id: string }>(
    `select p.order_id, d.drawn_mask, d.id as draw_id from plays p join draws d on d.id = p.draw_id`,
  )
  const wins = new Map<string, bigint>()
  for (const { order_id: id, drawn_mask: mask, draw_id: drawId } of plays) {
    const of = bought.find(({ order }) => order.id === id)
    if (of === undefined) throw new Error('a play of nobody')
    const drawn = new Set(maskNumbers(BigInt(mask ?? 0)))
    for (const line of of.order.lines) {
      const matches = line.filter((number) => drawn.has(number)).length
      const sats = matches === 5 ? await jackpotOf(drawId) : (PRIZES.get(matches) ?? 0n)
      wins.set(of.player.address, (wins.get(of.player.address) ?? 0n) + sats)
    }
  }
  return wins
}

/** Once in about 400 runs a line has all five. */
async function jackpotOf(drawId: string): Promise<bigint> {
  const [share] = await whole.rows<{ sats: string }>(
    `select max(sats)::text as sats from payables where draw_id = $1 and kind = 'prize'`,
    [drawId],
  )
  return BigInt(share?.sats ?? 0)
}

async function feesOnChain(): Promise<bigint> {
  const rows = await whole.rows<{ txid: string }>(
    `select x.txid from payout_batches b join payout_txs x on x.batch_id = b.id and x.version = b.version`,
  )
  let sats = 0n
  for (const { txid } of rows) {
    const params = { txid, verbosity: 2 }
    const tx = await node.call<{ fee: number; confirmations: number }>('getrawtransaction', params)
    expect(tx.confirmations).toBeGreaterThanOrEqual(6)
    sats += satsOfBtc(tx.fee)
  }
  return sats
}
