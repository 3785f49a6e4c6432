// C4: how long a checkout, a look at a paid order and the following take over a real node (regtest), with few and with
// many deposits in its wallet. Each deposit is a transaction of its own, to an address of its own. Two sizes in one run
// are compared: the cost may not grow with the wallet. Bitcoin Knots, on which the tests run, lists the transactions of an
// address in `getaddressinfo`, for which it walks the whole wallet; Bitcoin Core does not. So the time of that call is left
// out of the comparison, and is in the largest figures.
// Run: node trials/bench/deposits.ts [--deposits=100000] [--few=1000]
import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, migrate, startEmbeddedPostgres } from '@fairball/server/testing/database'
import { startNode, testAccount, type TestNode } from '@fairball/server/testing/fixtures'
import {
  type BitcoinNode,
  createBitcoinCoreProvider,
  parseAccountKey,
  type PaymentProvider,
  REGTEST,
} from '@fairball/server/testing/ports'
import { systemRuntime } from '@fairball/server/testing/runtime'
import { Address } from '@scure/btc-signer'
import pg from 'pg'
import { quantile } from '../product.ts'
import { type Figure, inMs, judged, report, whole } from './load/figures.ts'
import { wholeFlag } from './load/flags.ts'

const GOAL_DEPOSITS = 100_000
const DEPOSITS = wholeFlag('deposits', GOAL_DEPOSITS)
const FEW = wholeFlag('few', 1000)
const LIMIT_MS = 300
/** Growth up to which two sizes count as alike. */
const LIMIT_RATIO = 1.2
const TIMES = 200
const FOLLOWED_EVERY = 10
/** Blocks after the last deposit: a list of what is new does not have them. */
const LATER_BLOCKS = 20
/** A block has so many deposits: each is a little over 400 units of weight. */
const IN_BLOCK = 2000
const COIN_SATS = 100_000n
const FEE_SATS = 1000n
const LONG_MS = 600_000

/** A script that needs no signature, and the address that it stands behind. */
const OPEN_SCRIPT = Buffer.from([0x51])
const OPEN_HASH = createHash('sha256').update(OPEN_SCRIPT).digest()
const OPEN_OUTPUT = Buffer.concat([Buffer.from([0, 32]), OPEN_HASH])

const runtime = systemRuntime({ logLevel: 'fatal' })
const folder = mkdtempSync(join(tmpdir(), 'fairball-bench-'))
chmodSync(folder, 0o711) // as root, the database runs as another user, which needs access
const server = await startEmbeddedPostgres({ dataFolder: folder, runtime })
const filled: Filled[] = []
try {
  for (const deposits of [FEW, DEPOSITS]) filled.push(await fill(deposits))
  const [few, many] = await timesOf(filled)
  if (few === undefined || many === undefined) throw new Error('nothing was measured')
  report([
    figureOf('a checkout', few.checkouts, many.checkouts),
    figureOf('a look at a paid order', few.looks, many.looks),
    ...plainFigures(few, many),
  ])
} finally {
  for (const { end } of filled) await end()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** A node whose wallet has deposits, and what takes payments over it. */
interface Filled {
  readonly provider: PaymentProvider
  readonly addresses: readonly string[]
  /** ms that `getaddressinfo` has taken so far */
  knotsMs(): number
  end(): Promise<void>
}

/** What one action took, in ms: all of it, and without the call that walks the wallet of Bitcoin Knots alone. */
interface Took {
  readonly allMs: number
  readonly coreMs: number
}

/** What one size took, in ms. */
interface Measured {
  readonly checkouts: Took[]
  readonly looks: Took[]
  /** the first one is that of a worker that has just started */
  readonly follows: number[]
}

function figureOf(what: string, few: readonly Took[], many: readonly Took[]): Figure {
  const coreMs = (took: readonly Took[]): number => middle(took.map((one) => one.coreMs))
  const allMs = (took: readonly Took[]): string => inMs(middle(took.map((one) => one.allMs)))
  const ratio = coreMs(many) / coreMs(few)
  return {
    id: 'C4',
    what: `${what} over a node with ${whole(DEPOSITS)} deposits, the middle of ${TIMES}`,
    figure: `${inMs(coreMs(many))} (${allMs(many)} with Knots)`,
    baseline: `with ${whole(FEW)}: ${inMs(coreMs(few))} (${allMs(few)})`,
    ratio,
    goal: `≤ ${LIMIT_MS} ms, less than 20% more`,
    isMet: judged(coreMs(many) <= LIMIT_MS && ratio < LIMIT_RATIO, DEPOSITS, GOAL_DEPOSITS),
  }
}

function middle(values: readonly number[]): number {
  return quantile(values, 0.5)
}

function plainFigures(few: Measured, many: Measured): Figure[] {
  const of = (what: string, fewMs: number, manyMs: number): Figure => ({
    id: 'C4',
    what: `${what}, ${whole(DEPOSITS)} deposits`,
    figure: inMs(manyMs),
    baseline: `with ${whole(FEW)}: ${inMs(fewMs)}`,
    ratio: manyMs / fewMs,
    isMet: null,
  })
  const usual = ({ follows }: Measured): number => middle(follows.slice(1))
  return [
    of('following, every 10 s', usual(few), usual(many)),
    of('the first following of a worker, which lists everything', few.follows[0] ?? NaN, many.follows[0] ?? NaN),
  ]
}

/** Fills a wallet with deposits, on a database and a node of its own. */
async function fill(deposits: number): Promise<Filled> {
  const name = `bench_${deposits}`
  const admin = new pg.Client({ ...server.address })
  await admin.connect()
  await admin.query(`create database ${name} template template0`)
  await admin.end()
  const address = { ...server.address, database: name }
  await migrate({ address, runtime })
  const db = createDatabase({ address, runtime })
  const node = await startNode({ openingBlocks: 0 })
  let knotsMs = 0
  const timed: BitcoinNode = {
    ...node.node,
    async call<T>(...call: Parameters<BitcoinNode['call']>): Promise<T> {
      const sinceMs = performance.now()
      const answer = await node.node.call<T>(...call)
      if (call[0] === 'getaddressinfo') knotsMs += performance.now() - sinceMs
      return answer
    },
  }
  const end = async (): Promise<void> => {
    await db.close()
    await node.stop()
  }
  try {
    const xpub = testAccount(new Uint8Array(32).fill(7))
    const provider = createBitcoinCoreProvider({
      db,
      runtime,
      node: timed,
      network: 'regtest',
      xpub,
      wallet: 'watch',
      publicUrl: 'https://fairball.test',
    })
    await provider.assertFit()
    const { receiving, xpub: key } = parseAccountKey(xpub, 'regtest')
    const addresses = await addressesOf(node, receiving, deposits)
    const client = new pg.Client(address)
    await client.connect()
    await giveOut(client, node, key, addresses)
    await client.end()
    await deposit(node, addresses)
    return { provider, addresses, knotsMs: () => knotsMs, end }
  } catch (error) {
    await end()
    throw error
  }
}

/** Takes the times of all sizes in turn, so that what else the computer does meets them alike. */
async function timesOf(sizes: readonly Filled[]): Promise<Measured[]> {
  const measured = sizes.map((size): Filled & Measured & { cursor: string | null } => ({
    ...size,
    cursor: null,
    checkouts: [],
    looks: [],
    follows: [],
  }))
  for (let time = 0; time < TIMES; time += 1)
    for (const size of measured) {
      const { provider, addresses } = size
      if (time % FOLLOWED_EVERY === 0)
        size.follows.push(
          await msOf(async () => {
            size.cursor = (await provider.follow?.(size.cursor))?.cursor ?? null
          }),
        )
      const request = { orderId: randomUUID(), amountSats: 1000n, description: '', expiresAt: 1, returnUrl: '' }
      size.checkouts.push(await tookOf(size, () => provider.createCheckout(request)))
      const ref = addresses[Math.floor((time * addresses.length) / TIMES)] ?? ''
      size.looks.push(
        await tookOf(size, async () => {
          if ((await provider.get(ref)).outputs.length !== 1) throw new Error(`the deposit at ${ref} is not shown`)
        }),
      )
    }
  return measured
}

async function tookOf(size: Filled, action: () => Promise<unknown>): Promise<Took> {
  const beforeMs = size.knotsMs()
  const allMs = await msOf(action)
  return { allMs, coreMs: allMs - (size.knotsMs() - beforeMs) }
}

async function msOf(action: () => Promise<unknown>): Promise<number> {
  const sinceMs = performance.now()
  await action()
  return performance.now() - sinceMs
}

async function addressesOf(node: TestNode, descriptor: string, count: number): Promise<string[]> {
  const info = await node.call<{ checksum: string }>('getdescriptorinfo', { descriptor })
  const all: string[] = []
  for (let from = 0; from < count; from += 10_000) {
    const range = { descriptor: `${descriptor}#${info.checksum}`, range: [from, Math.min(from + 10_000, count) - 1] }
    all.push(...(await node.call<string[]>('deriveaddresses', range, { timeoutMs: LONG_MS })))
  }
  return all
}

/** Gives each address to an order, in the database and in the node. */
async function giveOut(
  client: pg.Client,
  node: TestNode,
  account: string,
  addresses: readonly string[],
): Promise<void> {
  const orders = addresses.map(() => randomUUID())
  await client.query(
    `insert into deposit_addresses (address, created_at, address_index, order_id, account)
      select address, 1, place - 1, order_id, $3 from unnest($1::text[], $2::uuid[]) with ordinality as t (address, order_id, place)`,
    [addresses, orders, account],
  )
  await client.query('insert into deposit_accounts (account, next_index) values ($1, $2)', [account, addresses.length])
  const labels = addresses.map((address, place) => ({ address, label: orders[place] }))
  await node.node.callEach('setlabel', labels, { wallet: 'watch', timeoutMs: LONG_MS })
}

/** Pays each address by a transaction of its own, in blocks. */
async function deposit(node: TestNode, addresses: readonly string[]): Promise<void> {
  const open = Address(REGTEST).encode({ type: 'wsh', hash: OPEN_HASH })
  const blocks = Math.ceil(addresses.length / IN_BLOCK)
  const mined = await node.call<string[]>('generatetoaddress', { nblocks: blocks + 100, address: open })
  for (let block = 0; block < blocks; block += 1) {
    const some = addresses.slice(block * IN_BLOCK, (block + 1) * IN_BLOCK)
    const { tx: rewards } = await node.call<{ tx: string[] }>('getblock', { blockhash: mined[block], verbosity: 1 })
    const fan = transactionOf(
      rewards[0] ?? '',
      0,
      Array.from(some, () => [COIN_SATS, OPEN_OUTPUT] as const),
    )
    await mineThese(node, open, [fan])
    const { txid } = await node.call<{ txid: string }>('decoderawtransaction', { hexstring: fan })
    const deposits = some.map((address, place) =>
      transactionOf(txid, place, [[COIN_SATS - FEE_SATS, scriptOf(address)]]),
    )
    await mineThese(node, open, deposits)
  }
  await node.call('generatetoaddress', { nblocks: LATER_BLOCKS, address: open })
  await node.heard()
}

async function mineThese(node: TestNode, output: string, transactions: readonly string[]): Promise<void> {
  await node.call('generateblock', { output, transactions }, { timeoutMs: LONG_MS })
}

function scriptOf(address: string): Buffer {
  const decoded = Address(REGTEST).decode(address)
  if (decoded.type !== 'wpkh') throw new Error(`${address} has another form than the account's`)
  return Buffer.concat([Buffer.from([0, 20]), decoded.hash])
}

/** The bytes of a transaction that spends an output anyone can spend, as hex. */
function transactionOf(
  txid: string,
  vout: number,
  outputs: readonly (readonly [sats: bigint, script: Buffer])[],
): string {
  const place = Buffer.alloc(4)
  place.writeUInt32LE(vout)
  const count = Buffer.from([0xfd, outputs.length & 0xff, outputs.length >> 8])
  return Buffer.concat([
    Buffer.from('02000000000101', 'hex'),
    Buffer.from(txid, 'hex').toReversed(),
    place,
    Buffer.from('00ffffffff', 'hex'),
    outputs.length < 0xfd ? Buffer.from([outputs.length]) : count,
    ...outputs.map(([sats, script]) => {
      const value = Buffer.alloc(8)
      value.writeBigUInt64LE(sats)
      return Buffer.concat([value, Buffer.from([script.length]), script])
    }),
    Buffer.from([1, OPEN_SCRIPT.length]),
    OPEN_SCRIPT,
    Buffer.alloc(4),
  ]).toString('hex')
}
