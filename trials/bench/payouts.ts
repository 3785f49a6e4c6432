// Measures how long 10,000 payouts take: from the moment they are owed to distinct players until every payout is
// broadcast and booked. Uses a real node (regtest), a real database, the product's job queue and its messages to the
// players. The first run has the float in as many coins as there are batches. The second has it in a single coin, with
// a block every few seconds: the change of one batch can only be spent a block later. The baseline is the same outputs
// sent by the node alone, with its `sendmany`, 500 at a time.
// Run: node trials/bench/payouts.ts [payouts]
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, type Db, migrate, startEmbeddedPostgres } from '@fairball/server/testing/database'
import { btcOf, startNode, type TestNode } from '@fairball/server/testing/fixtures'
import {
  AddressSeals,
  balanceOf,
  bankroll,
  beginReconciling,
  beginSeals,
  JobQueue,
  Facts,
  inFlight,
  ledgerViolations,
  lotterySubscriptions,
  type MessagesContext,
  MAX_OUTPUTS,
  payoutJobs,
  payoutsContext,
  postTransfer,
  schedulePayouts,
  suspense,
  wallet as walletAccount,
} from '@fairball/server/testing/lottery'
import { createCoreWallet, localOutbox, REGTEST, satsOfBtc } from '@fairball/server/testing/ports'
import { deriveKey, sealUnder, systemRuntime } from '@fairball/server/testing/runtime'
import { Address, Transaction } from '@scure/btc-signer'
import pg from 'pg'
import { type Figure, judged, report, whole } from './load/figures.ts'
import { countOf } from './load/flags.ts'

const GOAL_PAYOUTS = 10_000
const PAYOUTS = countOf('payouts', GOAL_PAYOUTS)
const PRIZE_SATS = 10_000n
/** Twice the total paid, so that no payout waits for lack of funds. */
const FLOAT_SATS = BigInt(PAYOUTS) * PRIZE_SATS * 2n
const BATCHES = Math.ceil(PAYOUTS / MAX_OUTPUTS)
/** Limit for all payouts to leave: ten minutes (trust.md L6). */
const LIMIT_SECONDS = 600
const LOOK_MS = 100
/** Interval between blocks, in runs that have them. */
const BLOCK_SECONDS = 5

const runtime = systemRuntime({ logLevel: 'fatal' })
const sleep = (ms: number): Promise<void> => runtime.monotonic.sleep(ms)
const figures: Figure[] = []

const folder = mkdtempSync(join(tmpdir(), 'fairball-bench-'))
chmodSync(folder, 0o711) // as root, the database runs as another user, which needs access
const server = await startEmbeddedPostgres({ dataFolder: folder, runtime })
try {
  await measure({ title: `float in ${BATCHES + 5} coins, no block`, coins: BATCHES + 5, hasBlocks: false })
  await measure({ title: `float in 1 coin, a block every ${BLOCK_SECONDS} s`, coins: 1, hasBlocks: true })
  report(figures)
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Measures one run on its own database and node. */
async function measure(with_: { title: string; coins: number; hasBlocks: boolean }): Promise<void> {
  const name = `bench_${with_.coins}`
  const admin = new pg.Client({ ...server.address })
  await admin.connect()
  await admin.query(`create database ${name} template template0`)
  await admin.end()
  const address = { ...server.address, database: name }
  await migrate({ address, runtime })
  const db = createDatabase({ address, runtime })
  const client = new pg.Client(address)
  await client.connect()
  const node = await startNode()
  try {
    const addresses = Array.from({ length: PAYOUTS }, () =>
      Address(REGTEST).encode({ type: 'wpkh', hash: randomBytes(20) }),
    )
    const coinSats = FLOAT_SATS / BigInt(with_.coins)
    for (const wallet of ['hot', 'plain']) await makeWallet(node, wallet, { coins: with_.coins, coinSats })
    await bookFunds(db, coinSats * BigInt(with_.coins))
    const seconds = await payOut({ db, client, node, addresses, hasBlocks: with_.hasBlocks })
    await node.mine(1)
    const problems = await problemsOf({ db, client, node, addresses })
    const plainSeconds = await sendPlainly(node, addresses)
    const { rows: found } = await client.query<{ batches: number }>(
      'select count(*)::int as batches from payout_batches',
    )
    const isGood = seconds <= LIMIT_SECONDS && problems.length === 0
    for (const problem of problems) process.stdout.write(`${problem}\n`)
    figures.push({
      id: 'L6',
      what: `${whole(PAYOUTS)} payouts over a real node, ${with_.title}`,
      figure: `${seconds.toFixed(1)} s, ${found[0]?.batches} batches`,
      baseline: `sendmany ${plainSeconds.toFixed(1)} s`,
      ratio: seconds / plainSeconds,
      goal: `≤ ${LIMIT_SECONDS} s for 10,000, each exactly once`,
      isMet: judged(isGood, PAYOUTS, GOAL_PAYOUTS),
    })
  } finally {
    await client.end()
    await db.close()
    await node.stop()
  }
}

async function makeWallet(node: TestNode, name: string, with_: { coins: number; coinSats: bigint }): Promise<void> {
  await node.call('createwallet', { wallet_name: name, load_on_startup: true })
  for (let coin = 0; coin < with_.coins; coin += 1)
    await node.pay(await node.call<string>('getnewaddress', {}, { wallet: name }), with_.coinSats)
  await node.mine(6) // incoming coins become spendable after six blocks
}

/** Books the hot wallet's balance as the operator's money. */
async function bookFunds(db: Db, sats: bigint): Promise<void> {
  const moves = [
    { from: walletAccount, to: suspense, sats },
    { from: suspense, to: bankroll, sats },
  ]
  const at = runtime.clock.now()
  await db.transaction((tx) => postTransfer(tx, { event: 'bench.funds', subject: '', at, moves }))
}

async function spendableSats(node: TestNode, name: string): Promise<bigint> {
  const { mine } = await node.call<{ mine: { trusted: number } }>('getbalances', {}, { wallet: name })
  return satsOfBtc(mine.trusted)
}

/** Everything is owed at once, as after a draw. @returns the seconds until the last payout was booked as sent */
async function payOut(with_: {
  db: Db
  client: pg.Client
  node: TestNode
  addresses: readonly string[]
  hasBlocks: boolean
}): Promise<number> {
  const { db, client, node, addresses, hasBlocks } = with_
  const queue = new JobQueue({ db, runtime })
  const publicUrl = 'http://localhost'
  const site = { name: 'Fairball', publicUrl, supportEmail: 'support@example.org' }
  const facts = new Facts()
  const messages: MessagesContext = {
    db,
    runtime,
    jobs: queue,
    mailer: localOutbox(),
    site: () => site,
    seal: sealUnder(randomBytes(32), runtime.random),
    facts,
    approvalSats: () => null,
    lightningMaxSats: () => null,
    paintBalls: async () => new Uint8Array(),
  }
  const addressSeals = new AddressSeals({ keyFor: (use) => deriveKey(randomBytes(32), use) })
  const payouts = payoutsContext({
    db,
    runtime,
    jobs: queue,
    wallet: createCoreWallet({ node: node.node, wallet: 'hot', network: 'regtest' }),
    network: 'regtest',
    addressSeals,
    facts,
    partnerAddresses: () => new Map(),
  })
  facts.subscribe(lotterySubscriptions({ messages, payouts, payments: { lightning: null }, jobs: queue, runtime }))
  queue.register(payoutJobs(payouts))
  await owe(client, addresses)
  await beginSeals(payouts)
  await beginReconciling(payouts)

  const startedAt = performance.now()
  await db.transaction((tx) => schedulePayouts(payouts, tx))
  queue.start()
  let blockAt = performance.now() + BLOCK_SECONDS * 1000
  let sentAt = 0
  while (sentAt === 0 && performance.now() - startedAt < LIMIT_SECONDS * 2000) {
    await sleep(LOOK_MS)
    if (hasBlocks && performance.now() >= blockAt) {
      await node.mine(1)
      blockAt = performance.now() + BLOCK_SECONDS * 1000
    }
    const { rows: found } = await client.query<{ sent: number }>(
      'select count(*)::int as sent from payouts where sent_at is not null',
    )
    if (found[0]?.sent === addresses.length) sentAt = performance.now()
  }
  await queue.stop()
  if (sentAt === 0) throw new Error(`not all sent within ${LIMIT_SECONDS * 2} s`)
  return (sentAt - startedAt) / 1000
}

/** Players with verified addresses, each owed a prize out of the operator's money. */
async function owe(client: pg.Client, addresses: readonly string[]): Promise<void> {
  await client.query('begin')
  await client.query(
    `insert into players (created_at, email_verified_at, username, email)
     select 1, 1, 'player-' || n, 'player-' || n || '@example.org' from generate_series(1, $1::int) as n`,
    [addresses.length],
  )
  await client.query(
    `insert into player_addresses (player_id, created_at, usable_from, address)
     select p.id, 1, 1, a.address from unnest($1::text[]) with ordinality as a (address, n)
     join players p on p.username = 'player-' || a.n`,
    [addresses],
  )
  await client.query(
    `insert into payables (created_at, sats, player_id, kind, source)
     select 1, $1, id, 'prize', 'bench:' || id from players order by id`,
    [PRIZE_SATS],
  )
  await client.query(
    `insert into ledger_accounts (kind, subject) select 'winnings', id::text from players on conflict do nothing`,
  )
  await client.query(
    `with transfer as (insert into transfers (event, key, at) values ('bench', 'bench', 1) returning id)
     insert into postings (transfer_id, account_id, amount_sats)
     select transfer.id, a.id, case a.kind when 'bankroll' then -$1::bigint * $2::bigint else $1::bigint end
     from transfer, ledger_accounts a where a.kind in ('bankroll', 'winnings')`,
    [PRIZE_SATS, addresses.length],
  )
  await client.query('commit')
  await client.query('analyze')
}

/** Payouts that did not happen exactly once, and differences between wallet, ledger and chain. */
async function problemsOf(with_: {
  db: Db
  client: pg.Client
  node: TestNode
  addresses: readonly string[]
}): Promise<string[]> {
  const { db, client, node, addresses } = with_
  const problems = await ledgerViolations(db)
  const booked = await balanceOf(db, walletAccount)
  const held = await spendableSats(node, 'hot')
  if (booked !== held) problems.push(`the ledger's wallet holds ${booked} sats, the node's ${held}`)
  const flying = await balanceOf(db, inFlight)
  if (flying !== 0n) problems.push(`${flying} sats are in flight`)
  const paid = new Map<string, number>()
  const { rows: txs } = await client.query<{ txid: string; raw: string }>('select txid, raw from payout_txs')
  for (const { txid, raw } of txs) {
    const { confirmations = 0 } = await node.call<{ confirmations?: number }>('getrawtransaction', {
      txid,
      verbosity: 1,
    })
    if (confirmations < 1) problems.push(`${txid} is not in a block`)
    const tx = Transaction.fromRaw(Buffer.from(raw, 'hex'), { allowUnknownInputs: true, disableScriptCheck: true })
    for (let place = 0; place < tx.outputsLength; place += 1) {
      const address = tx.getOutputAddress(place, REGTEST) ?? ''
      if (tx.getOutput(place).amount === PRIZE_SATS) paid.set(address, (paid.get(address) ?? 0) + 1)
    }
  }
  const others = addresses.filter((address) => paid.get(address) !== 1)
  if (others.length > 0) problems.push(`${others.length} addresses were not paid exactly once`)
  return problems
}

/** Sends the same outputs with the node alone. @returns seconds */
async function sendPlainly(node: TestNode, addresses: readonly string[]): Promise<number> {
  const startedAt = performance.now()
  for (let from = 0; from < addresses.length; from += MAX_OUTPUTS) {
    const amounts = Object.fromEntries(addresses.slice(from, from + MAX_OUTPUTS).map((one) => [one, btcOf(PRIZE_SATS)]))
    await node.call('sendmany', { amounts, fee_rate: 5 }, { wallet: 'plain', timeoutMs: 60_000 })
    // Otherwise its chain of unconfirmed change would reach the mempool's limit.
    if (from % (4 * MAX_OUTPUTS) === 3 * MAX_OUTPUTS) await node.mine(1)
  }
  return (performance.now() - startedAt) / 1000
}
