import { expect } from 'vitest'
import type { Db } from '../src/db/pool.ts'
import { sql, t } from '../src/db/sql.ts'
import { JobQueue } from '../src/jobs/queue.ts'
import type { PayoutNews } from '../src/kernel/facts.ts'
import { inFlight, wallet as walletAccount } from '../src/modules/ledger/accounts.ts'
import { balanceOf, ledgerViolations } from '../src/modules/ledger/service.ts'
import type { OperatorContext } from '../src/modules/operator/action.ts'
import { acceptSpends, listPayouts, retryAllPayouts } from '../src/modules/operator/payout-actions.ts'
import { NO_LIMITS, type PayoutLimits } from '../src/modules/payouts/batch.ts'
import { payoutJobs, payoutsContext } from '../src/modules/payouts/service.ts'
import type { Wallet } from '../src/ports/wallet/wallet.ts'
import { testRuntime } from '../src/runtime/test-runtime.ts'
import { testDatabase } from './database.ts'
import { factsTold } from './facts.ts'
import { moneyFixture } from './money.ts'
import { ADDRESS_SEALS } from './sealed-addresses.ts'
import { standInWallet } from './stand-in-wallet.ts'

/** 50 BTC, like the ledger's bankroll in the fixture, in coins of several sizes. */
const COINS = [3_000_000_000n, 1_000_000_000n, 500_000_000n, 300_000_000n, 200_000_000n]

const readStates = sql({
  name: 'payout-cluster.read-states',
  text: `select state from payout_batches order by id`,
  row: { state: t.text },
})

const readSharing = sql({
  name: 'payout-cluster.read-sharing',
  text: `select count(*)::int as apart from payout_txs a join payout_txs b on a.batch_id = b.batch_id and a.version < b.version
    where not a.inputs && b.inputs`,
  row: { apart: t.int },
})

const readTwice = sql({
  name: 'payout-cluster.read-twice',
  text: `select count(*)::int as twice from (select outpoint from payout_inputs where is_open group by 1 having count(*) > 1) x`,
  row: { twice: t.int },
})

/** Accepts every spend that was found, like an operator who knows them: they may be payouts. */
export async function acceptAll(desk: OperatorContext): Promise<void> {
  const { unaccepted } = await listPayouts(desk)
  if (unaccepted.length > 0) await acceptSpends(desk, unaccepted)
  await retryAllPayouts(desk)
}

export type PayoutCluster = Awaited<ReturnType<typeof startPayoutCluster>>

/** A wallet in place of the stand-in, and its own balance; 50 BTC at first. */
interface OutsideWallet {
  readonly wallet: Wallet
  heldSats(): Promise<bigint>
}

/** Payouts over the stand-in wallet, or one outside, on a real database. Workers begin and end like processes. */
export async function startPayoutCluster(
  options: {
    /** a function if they change meanwhile */
    limits?: PayoutLimits | (() => PayoutLimits)
    coins?: readonly bigint[]
    outside?: OutsideWallet
    mostPlayers?: number
    /** default: an hour */
    returnSeconds?: number
  } = {},
) {
  const runtime = testRuntime()
  const database = await testDatabase({ runtime })
  const chain = standInWallet(options.coins ?? COINS)
  const { wallet, heldSats } = options.outside ?? { wallet: chain.wallet, heldSats: async () => chain.spendableSats() }
  const money = await moneyFixture({ db: database.db, runtime, wrapWallet: () => wallet })
  const { db } = money
  const now = (): number => runtime.clock.now()
  const { limits = NO_LIMITS } = options
  const news: PayoutNews[] = []

  /** A process that runs the payout jobs. */
  function worker(
    wrap: { db?: (db: Db) => Db; wallet?: (wallet: Wallet) => Wallet; isHeld?: (kind: string) => boolean } = {},
  ) {
    const workerDb = wrap.db?.(db) ?? db
    const { isHeld = () => false } = wrap
    const queue = new JobQueue({ db: workerDb, runtime, isHeld })
    const payouts = payoutsContext({
      db: workerDb,
      runtime,
      jobs: queue,
      wallet: wrap.wallet?.(wallet) ?? wallet,
      network: 'regtest',
      limits: typeof limits === 'function' ? limits : () => limits,
      ...(options.returnSeconds === undefined ? {} : { returnSeconds: options.returnSeconds }),
      ...(options.mostPlayers === undefined ? {} : { mostPlayers: options.mostPlayers }),
      addressSeals: ADDRESS_SEALS,
      partnerAddresses: () => new Map(),
      facts: factsTold({ 'payout.sent': [async (_tx, one) => void news.push(one)] }),
    })
    queue.register(payoutJobs(payouts))
    return { queue, payouts }
  }

  return {
    chain,
    money,
    db,
    /** the database's address, for separate processes */
    url: database.url,
    runtime,
    news,
    worker,
    desk: { db, runtime, jobs: new JobQueue({ db, runtime }), actor: 'operator' },
    now,

    /** Lets time pass, with a block at each check, or one that leaves the mempool as it is, and does what is due. */
    async pass(working: ReturnType<typeof worker>, looks: number, blocks: number | 'empty' = 1): Promise<void> {
      await working.queue.runDue()
      for (let look = 0; look < looks; look += 1) {
        if (blocks === 'empty') chain.mineEmpty()
        else chain.mine(blocks)
        runtime.clock.set((Math.floor(now() / 600) + 1) * 600)
        await working.queue.runDue()
      }
    },

    async states(): Promise<string[]> {
      return (await db.run(readStates, [])).map((row) => row.state)
    },

    /** What is broken once nothing is on its way any more: each satoshi has to be somewhere, once. */
    async problems(): Promise<string[]> {
      const booked = await balanceOf(db, walletAccount)
      const flying = await balanceOf(db, inFlight)
      const held = await heldSats()
      const { apart } = await db.one(readSharing, [])
      const { twice } = await db.one(readTwice, [])
      return [
        ...(await ledgerViolations(db)),
        ...(booked === held ? [] : [`the ledger's wallet holds ${booked} sats, the wallet ${held}`]),
        ...(flying === 0n ? [] : [`${flying} sats are in flight`]),
        ...(apart === 0 ? [] : [`${apart} versions share no coin`]),
        ...(twice === 0 ? [] : [`${twice} coins are reserved twice`]),
      ]
    },

    /** Each prize arrived once, and nothing else did. */
    async expectPaid(prizes: readonly { address: string; sats: bigint }[], about = ''): Promise<void> {
      for (const { address, sats } of prizes) expect(chain.minedTo(address), about).toEqual([sats])
      expect(await this.problems(), about).toEqual([])
    },

    drop: () => database.drop(),
  }
}
