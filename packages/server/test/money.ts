import type { OrderStatus } from '@fairball/domain/order-status'
import { HDKey } from '@scure/bip32'
import { p2wpkh } from '@scure/btc-signer'
import type { Db, Tx } from '../src/db/pool.ts'
import { array, nullable, sql, t } from '../src/db/sql.ts'
import { JobQueue } from '../src/jobs/queue.ts'
import type { OrderNews, PayoutNews, ReturnedNews } from '../src/kernel/facts.ts'
import { fundDemoBankroll, fundDemoLightning } from '../src/modules/demo/bankroll.ts'
import { bankroll, wallet as walletAccount, winnings } from '../src/modules/ledger/accounts.ts'
import { balanceOf, ledgerViolations, postTransfer } from '../src/modules/ledger/service.ts'
import { ordersContext } from '../src/modules/orders/service.ts'
import { RateBook } from '../src/modules/payments/rates.ts'
import {
  moneyOf,
  openInvoice,
  paymentJobs,
  paymentsContext,
  refreshPayments,
  watchOrder,
} from '../src/modules/payments/service.ts'
import { type LightningPayouts, payoutJobs, payoutsContext, schedulePayouts } from '../src/modules/payouts/service.ts'
import type { PaymentProvider } from '../src/ports/payment-provider/payment-provider.ts'
import { createTestPaymentProvider } from '../src/ports/payment-provider/test-wallet.ts'
import { fixedRates } from '../src/ports/rates/fixed-rates.ts'
import { TestChain, REGTEST } from '../src/ports/wallet/test-chain.ts'
import { createTestWallet } from '../src/ports/wallet/test-wallet.ts'
import type { Wallet } from '../src/ports/wallet/wallet.ts'
import type { TestRuntime } from '../src/runtime/test-runtime.ts'
import { factsTold } from './facts.ts'
import { testLog } from './fairness-log.ts'
import { ADDRESS_SEALS } from './sealed-addresses.ts'

/** The keys of the players' own wallets: no test pays out of them. */
const PLAYERS_KEYS = HDKey.fromMasterSeed(new Uint8Array(32).fill(9)).derive("m/84'/1'/0'/0")
/** Their addresses by index: the same ones are asked for in every test. */
const addresses = new Map<number, string>()
const WALLET_SEED = new Uint8Array(32).fill(7)
const PUBLIC_URL = 'http://fairball.test'

const insertGame = sql({
  name: 'fixture.insert-game',
  text: `with chain as (
      insert into beacon_chains (hash, name, public_key, period_seconds, genesis_at, group_hash, beacon_id, scheme)
      values ('fixture', 'fixture', '', 3, 0, '', '', '') on conflict do nothing
    ), rules as (insert into texts (hash, text) values ('fixture', '') on conflict do nothing)
    insert into games (key, position) values ($1, 1) on conflict do nothing`,
  params: [t.text],
})

const insertDraw = sql({
  name: 'fixture.insert-draw',
  text: `with opened as (
      insert into log_leaves (index, at, hash, type, text)
      select coalesce(max(index), 0) + 1, 0, encode(sha256(convert_to($1 || $2::int, 'UTF8')), 'hex'), 'open', '' from log_leaves
      returning hash
    )
    insert into draws (game_key, number, scheduled_at, start_at, closes_at, end_at, round, guaranteed_minor, cover_minor, pick, pool,
      version, price_minor, most_entries, weekday, chain_hash, rules_hash, open_hash, seed_hash, seed_sealed)
    select $1, $2, $3::bigint, $3::bigint, $3::bigint - 300, $3::bigint + 160, 1, 0, 0, 5, 36, 1, 100, 1000, extract(isodow from to_timestamp($3::bigint) at time zone 'UTC')::smallint,
      'fixture', 'fixture', hash, hash, '' from opened
    returning id`,
  params: [t.text, t.int, t.epochSeconds],
  row: { id: t.bigint },
})

const insertPlayer = sql({
  name: 'fixture.insert-player',
  text: `insert into players (created_at, email_verified_at, username, email)
    values ($1, $2, 'player-' || $3, $3 || '@fairball.test') returning id`,
  params: [t.epochSeconds, nullable(t.epochSeconds), t.text],
  row: { id: t.bigint },
})

const insertAddress = sql({
  name: 'fixture.insert-address',
  text: `insert into player_addresses (player_id, created_at, usable_from, address) values ($1, $2, $3, $4)`,
  params: [t.bigint, t.epochSeconds, t.epochSeconds, t.text],
})

const insertDestination = sql({
  name: 'fixture.insert-destination',
  text: `insert into player_destinations (player_id, created_at, usable_from, min_msat, max_msat, kind, value)
    values ($1, $2, $2, $3, $4, 'ADDRESS', $5)
    returning id, player_id, kind, value, min_msat, max_msat, created_at, usable_from`,
  params: [t.bigint, t.epochSeconds, t.bigint, t.bigint, t.text],
  row: {
    id: t.bigint,
    playerId: t.bigint,
    kind: t.oneOf(['ADDRESS', 'OFFER']),
    value: t.text,
    minMsat: t.bigint,
    maxMsat: t.bigint,
    createdAt: t.epochSeconds,
    usableFrom: t.epochSeconds,
  },
})

const insertNotice = sql({
  name: 'fixture.insert-notice',
  text: `insert into mail_outbox (created_at, category, to_address, subject, text, html, links, key, sent_at, destination_id, address_proof)
    values ($1, 'account', $2, '', '', '', '{}', 'destination ' || $3::bigint, $1, $3, $4)`,
  params: [t.epochSeconds, t.text, t.bigint, t.bytea],
})

const insertPayFirst = sql({
  name: 'fixture.insert-pay-first',
  text: `insert into player_pay_first (player_id, created_at, usable_from, pay_first) values ($1, $2, $2, 'LIGHTNING')`,
  params: [t.bigint, t.epochSeconds],
})

const insertOrder = sql({
  name: 'fixture.insert-order',
  text: `with lines as (insert into order_lines (order_id, part, masks) values ($1, 0, '{31}'))
    insert into orders (id, player_id, created_at, expires_at, ticket_price_minor, price_minor, rate_sats, due_sats,
      draw_ids, line_count, entry_count, free_count, weeks, days, game_key, status, username, request_hash, secret)
    values ($1, $2, $3, $4, 100 / greatest(cardinality($6::bigint[]), 1), $5::bigint / 10, 1000, $5, $6, 1, cardinality($6::bigint[]), 0, 1, '{1}', $7, 'PENDING', 'player', '',
      sha256(convert_to($1::uuid::text, 'UTF8')))`,
  params: [t.uuid, t.bigint, t.epochSeconds, t.epochSeconds, t.bigint, array(t.bigint), t.text],
})

const insertPayable = sql({
  name: 'fixture.insert-payable',
  text: `insert into payables (created_at, sats, player_id, kind, source, order_id) values ($1, $2, $3, $4, $5, $6)`,
  params: [t.epochSeconds, t.bigint, t.bigint, t.text, t.text, nullable(t.uuid)],
})

const paidToAddress = sql({
  name: 'fixture.paid-to-address',
  text: `select sats, txid from test_wallet_txs where address = $1 and direction = 'out' order by at, outpoint`,
  params: [t.text],
  row: { sats: t.bigint, txid: t.text },
})

/** The game of the fixture's orders. */
export const FIXTURE_GAME = 'bitcoin-hero'
/** The price of an order of the fixture, whatever its draws: one pound at the demo's rate. */
export const FIXTURE_DUE_SATS = 1000n

export type MoneyFixture = Awaited<ReturnType<typeof moneyFixture>>

/**
 * Orders, payments, payouts and the test wallet on a real database, with a clock that the test moves. Draws are only
 * rows: this fixture does not run their life.
 *
 * @param options.wrapDb,options.wrapWallet let a test break the database or the wallet under the payouts
 * @param options.wrapProvider lets the payment provider report more, or lie
 */
export async function moneyFixture(options: {
  db: Db
  runtime: TestRuntime
  wrapDb?: (db: Db) => Db
  wrapWallet?: (wallet: Wallet) => Wallet
  wrapProvider?: (provider: PaymentProvider) => PaymentProvider
  requiredConfirmations?: number
  isClockWrong?: () => boolean
  /** what pays over Lightning */
  lightning?: (db: Db) => LightningPayouts
}) {
  const { db, runtime, wrapDb = (same: Db) => same, wrapWallet = (same: Wallet) => same } = options
  const { wrapProvider = (same: PaymentProvider) => same } = options
  const queue = new JobQueue({ db: wrapDb(db), runtime })
  const rates = new RateBook({ db, runtime, jobs: queue, source: fixedRates })
  const chain = new TestChain({ db, runtime, seed: WALLET_SEED })
  const wallet = createTestWallet({ chain })
  const provider = wrapProvider(createTestPaymentProvider({ chain, publicUrl: PUBLIC_URL }))
  const orderNews: OrderNews[] = []
  const payoutNews: PayoutNews[] = []
  const returnedNews: ReturnedNews[] = []
  const facts = factsTold({
    'money.payable': [(tx) => schedulePayouts(payouts, tx)],
    'payout.sent': [async (_tx, news) => void payoutNews.push(news)],
    'payout.returned': [async (_tx, news) => void returnedNews.push(news)],
    'order.changed': [async (_tx, news) => void orderNews.push(news)],
  })
  const payouts = payoutsContext({
    db: wrapDb(db),
    runtime,
    jobs: queue,
    facts,
    wallet: wrapWallet(wallet),
    network: 'regtest',
    lightning: options.lightning?.(wrapDb(db)) ?? null,
    returnSeconds: 0,
    addressSeals: ADDRESS_SEALS,
    partnerAddresses: () => new Map(),
  })
  const orders = ordersContext({
    db,
    runtime,
    facts,
    fairness: await testLog({ db, runtime }),
    freshRate: (tx, currency) => rates.requireFreshRate(tx, currency, runtime.clock.now()),
    checkMayPlay: async () => undefined,
    checkSales: async () => undefined,
    isClockWrong: async () => options.isClockWrong?.() ?? false,
    appendSoon: async () => undefined,
    watchOrder: (tx, order) => watchOrder(tx, queue, order),
  })
  const payments = paymentsContext({
    db,
    runtime,
    jobs: queue,
    provider,
    orders,
    onOwnCoins: (txids) => payouts.reconciling.reportForeign(txids),
    publicUrl: PUBLIC_URL,
    network: 'regtest',
    requiredConfirmations: () => options.requiredConfirmations ?? 1,
    canPayFromTestWallet: true,
  })
  queue.register([...paymentJobs(payments), ...payoutJobs(payouts), ...rates.jobs()])

  const now = (): number => runtime.clock.now()
  await db.execute(insertGame, [FIXTURE_GAME])
  await rates.start()
  await db.transaction((tx) => fundDemoBankroll(tx, now()))
  if (payouts.lightning !== null) await db.transaction((tx) => fundDemoLightning(tx, now()))
  let players = 0

  /** An address of a player's own wallet. */
  function addressOf(index: number): string {
    const known = addresses.get(index)
    if (known !== undefined) return known
    const key = PLAYERS_KEYS.deriveChild(index).publicKey
    const address = key === null ? undefined : p2wpkh(key, REGTEST).address
    if (address === undefined) throw new Error(`no address at ${index}`)
    addresses.set(index, address)
    return address
  }

  /** Owes a player something out of the bankroll, as a settlement does. */
  async function owe(tx: Tx, playerId: bigint, owed: { sats: bigint; kind: string; orderId: string | null }) {
    const { sats, kind, orderId } = owed
    const source = `fixture:${runtime.random.uuid()}`
    const moves = [{ from: bankroll, to: winnings(playerId), sats }]
    await postTransfer(tx, { event: 'fixture.owed', subject: source, at: now(), moves })
    await tx.execute(insertPayable, [now(), sats, playerId, kind, source, orderId])
    await schedulePayouts(payouts, tx)
  }

  return {
    db,
    runtime,
    queue,
    rates,
    chain,
    wallet,
    payments,
    payouts,
    orders,
    orderNews,
    payoutNews,
    returnedNews,
    addressOf,

    /** A draw of the fixture's game that is open for sale. @returns its id */
    async draw(number: number, startAt: number): Promise<bigint> {
      return (await db.one(insertDraw, [FIXTURE_GAME, number, startAt])).id
    },

    /** A new player, by default verified and with a bitcoin address. */
    async player(with_: { isVerified?: boolean; hasAddress?: boolean } = {}): Promise<{ id: bigint; address: string }> {
      players += 1
      const { isVerified = true, hasAddress = true } = with_
      const { id } = await db.one(insertPlayer, [now(), isVerified ? now() : null, runtime.random.uuid()])
      const address = addressOf(Number(id))
      if (hasAddress) await this.saveAddress(id, address)
      return { id, address }
    },

    async saveAddress(playerId: bigint, address: string, usableFrom = now()): Promise<void> {
      await db.execute(insertAddress, [playerId, now(), usableFrom, address])
      await db.transaction((tx) => ADDRESS_SEALS.sealAll(tx))
    },

    /** Saves where a player is paid over Lightning, and that it is first, both at once. */
    async saveDestination(playerId: bigint, value: string, limits = { minMsat: 1_000n, maxMsat: 10n ** 11n }) {
      const { minMsat, maxMsat } = limits
      const { destinations: seals } = ADDRESS_SEALS
      const saved = await db.one(insertDestination, [playerId, now(), minMsat, maxMsat, value])
      const to = 'player@fairball.test'
      await db.execute(insertNotice, [now(), to, saved.id, seals.noticeProof(saved, to)])
      await db.transaction((tx) => seals.sealTold(tx, saved.id, runtime))
      await db.execute(insertPayFirst, [playerId, now()])
    },

    /** An unpaid order with its invoice. @returns its id */
    async order(playerId: bigint, drawIds: bigint[], with_ = { withInvoice: true }): Promise<string> {
      const orderId = runtime.random.uuid()
      const expiresAt = now() + 900
      await db.transaction(async (tx) => {
        await tx.execute(insertOrder, [orderId, playerId, now(), expiresAt, FIXTURE_DUE_SATS, drawIds, FIXTURE_GAME])
        await watchOrder(tx, queue, { orderId, expiresAt })
      })
      if (with_.withInvoice) await openInvoice(payments, orderId)
      return orderId
    },

    /** Pays an order's address and has it checked. */
    async pay(orderId: string, sats: bigint, minedConfirmations = 1): Promise<OrderStatus> {
      const { address } = await moneyOf(payments, orderId)
      if (address === null) throw new Error('the order has no address')
      await chain.payIn({ address, sats, minedConfirmations })
      return await refreshPayments(payments, orderId)
    },

    /** Owes a player something and has it paid when the work is run. */
    async owe(
      playerId: bigint,
      sats: bigint,
      kind: 'prize' | 'refund' | 'excess' = 'prize',
      orderId: string | null = null,
    ): Promise<void> {
      await db.transaction((tx) => owe(tx, playerId, { sats, kind, orderId }))
    },

    /** What left for an address. */
    async paidTo(address: string): Promise<bigint[]> {
      return (await db.run(paidToAddress, [address])).map((row) => row.sats)
    },

    /** Moves the clock through every moment at which work is due, as the demo's clock does. */
    async moveTo(at: number): Promise<void> {
      await queue.runDue()
      for (;;) {
        const next = await queue.nextAt()
        if (next === null || next > at) break
        runtime.clock.set(Math.max(next, now()))
        await queue.runDue()
      }
      runtime.clock.set(at)
      await queue.runDue()
    },

    /** What breaks the ledger, or makes it differ from the wallet's own balance. */
    async problems(): Promise<string[]> {
      const booked = await balanceOf(db, walletAccount)
      const held = await chain.balanceSats()
      const apart = booked === held ? [] : [`the ledger's wallet holds ${booked} sats, the wallet ${held}`]
      return [...(await ledgerViolations(db)), ...apart]
    },
  }
}
