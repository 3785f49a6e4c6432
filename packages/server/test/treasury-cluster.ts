import { HDKey } from '@scure/bip32'
import { p2wpkh } from '@scure/btc-signer'
import type { Db } from '../src/db/pool.ts'
import { sql, t } from '../src/db/sql.ts'
import { JobQueue } from '../src/jobs/queue.ts'
import { wallet as walletAccount } from '../src/modules/ledger/accounts.ts'
import { balanceOf, ledgerViolations } from '../src/modules/ledger/service.ts'
import type { OperatorContext } from '../src/modules/operator/action.ts'
import { bookUnknown, followProvider } from '../src/modules/payments/service.ts'
import {
  isPayout,
  lookAtWallets,
  treasuryContext,
  type TreasuryContext,
  treasuryStatus,
} from '../src/modules/treasury/service.ts'
import type { PaymentProvider, SeenOutput } from '../src/ports/payment-provider/payment-provider.ts'
import type { FollowedWallet, MovedOutput, Movement, Movements } from '../src/ports/wallet/movements.ts'
import { OPENING_SATS, REGTEST } from '../src/ports/wallet/test-chain.ts'
import { testRuntime } from '../src/runtime/test-runtime.ts'
import { testDatabase } from './database.ts'
import { moneyFixture } from './money.ts'
import { OWN, standInWallet } from './stand-in-wallet.ts'

/** More than one, so that some coins are mined and do not count yet. */
const DEEP = 2
const FINAL = 6
/** Blocks after which a reward can be spent. */
const MATURE = 101
const DEPOSITS_SEED = new Uint8Array(32).fill(5)

const listDeposits = sql({
  name: 'treasury-cluster.list-deposits',
  text: `select outpoint, taken_for is not null as is_taken from unknown_deposits where confirmed_at is not null order by outpoint`,
  row: { outpoint: t.text, isTaken: t.bool },
})
const listUnbooked = sql({
  name: 'treasury-cluster.list-unbooked',
  text: `select txid from treasury_movements where state = 'UNBOOKED' order by found_at, txid`,
  row: { txid: t.text },
})

export type TreasuryCluster = Awaited<ReturnType<typeof startTreasuryCluster>>

/**
 * Payments, payouts and the treasury over one chain in memory with two wallets: the deposits, whose addresses the
 * payments give out, and the one that payouts leave from. What the fixture's ledger opens with is in a vault elsewhere.
 *
 * @param options.wrapDb lets a test break the database under the payouts
 */
export async function startTreasuryCluster(options: { wrapDb?: (db: Db) => Db } = {}) {
  const runtime = testRuntime()
  const database = await testDatabase({ runtime })
  const { db } = database
  const sim = standInWallet([])
  const { chain } = sim
  const deposits = new Set<string>()
  const given = new Map<string, string>()
  const rewards = new Set<string>()
  let isReachable = true

  function freshDeposit(): string {
    const key = HDKey.fromMasterSeed(DEPOSITS_SEED).deriveChild(deposits.size).publicKey
    const address = key === null ? undefined : p2wpkh(key, REGTEST).address
    if (address === undefined) throw new Error('no address')
    deposits.add(address)
    return address
  }

  function assertReachable(): void {
    if (!isReachable) throw new Error('the wallets cannot be reached')
  }

  const holderOf = (address: string): FollowedWallet | null =>
    address === OWN ? 'payouts' : deposits.has(address) ? 'deposits' : null
  const isThere = (txid: string): boolean => chain.depthOf(txid) > 0 || chain.mempool.has(txid)
  const holdersOfInputs = (txid: string): (FollowedWallet | null)[] =>
    chain.txOf(txid).inputs.map((outpoint) => holderOf(chain.coinOf(outpoint)?.address ?? ''))
  const spends = (txid: string, holder: FollowedWallet): boolean => holdersOfInputs(txid).includes(holder)
  const spendsOurs = (txid: string): boolean => holdersOfInputs(txid).some((holder) => holder !== null)
  const allTxids = (): string[] => [...chain.blocks.flat(), ...chain.mempool]

  function isCounted(txid: string, holder: FollowedWallet): boolean {
    const depth = chain.depthOf(txid)
    if (rewards.has(txid)) return depth >= MATURE
    return depth >= (holder === 'payouts' ? 1 : DEEP) || spends(txid, holder)
  }

  /** A wallet's own balance. */
  function heldBy(holder: FollowedWallet): bigint {
    return coinsOf(holder)
      .filter(({ txid }) => isCounted(txid, holder))
      .reduce((sum, coin) => sum + coin.sats, 0n)
  }

  function coinsOf(holder: FollowedWallet): { txid: string; outpoint: string; sats: bigint }[] {
    return allTxids().flatMap((txid) =>
      chain.txOf(txid).outputs.flatMap(({ address, sats }, place) => {
        const outpoint = `${txid}:${place}`
        const isSpent = chain.minedSpender(outpoint) !== undefined || chain.waitingSpender(outpoint) !== undefined
        return holderOf(address) === holder && !isSpent ? [{ txid, outpoint, sats }] : []
      }),
    )
  }

  const movements: Movements = {
    async list(cursor) {
      assertReachable()
      const ids = [...chain.blocks.slice(Number(cursor ?? 0)).flat(), ...chain.mempool].filter(
        (txid) =>
          spendsOurs(txid) || rewards.has(txid) || chain.txOf(txid).outputs.some(({ address }) => address === OWN),
      )
      return {
        cursor: String(Math.max(0, chain.blocks.length - FINAL + 1)),
        final: ids.filter((txid) => chain.depthOf(txid) >= FINAL),
        young: ids.filter((txid) => chain.depthOf(txid) < FINAL),
      }
    },
    async find(txid): Promise<Movement | null> {
      assertReachable()
      if (!isThere(txid)) return null
      const { inputs, outputs, feeSats } = chain.txOf(txid)
      const outSats = outputs.reduce((sum, output) => sum + output.sats, 0n)
      return {
        txid,
        confirmations: chain.depthOf(txid),
        isCoinbase: rewards.has(txid),
        ownInSats: inputs.reduce((sum, outpoint) => {
          const coin = chain.coinOf(outpoint)
          return coin !== undefined && holderOf(coin.address) !== null ? sum + coin.sats : sum
        }, 0n),
        inSats: chain.depthOf(txid) > 0 ? outSats + feeSats : null,
        outSats,
        outputs: outputs.map(({ address, sats }, place): MovedOutput => {
          const holder = holderOf(address)
          const counts = holder !== null && isCounted(txid, holder)
          return { outpoint: `${txid}:${place}`, address, sats, holder, counts }
        }),
      }
    },
    async spendsOurs(txid) {
      assertReachable()
      return spendsOurs(txid)
    },
  }

  function seenAt(address: string): SeenOutput[] {
    return allTxids().flatMap((txid) =>
      chain.txOf(txid).outputs.flatMap((output, place) =>
        output.address === address
          ? [
              {
                outpoint: `${txid}:${place}`,
                sats: output.sats,
                confirmations: chain.depthOf(txid),
                seenAt: runtime.clock.now(),
                network: 'ONCHAIN' as const,
              },
            ]
          : [],
      ),
    )
  }

  const provider: PaymentProvider = {
    name: 'stand-in',
    tellsBlockTime: true,
    async createCheckout(request) {
      const address = given.get(request.orderId) ?? freshDeposit()
      given.set(request.orderId, address)
      return { ref: address, address, checkoutUrl: 'http://fairball.test', expiresAt: request.expiresAt }
    },
    get: async (ref) => ({ outputs: seenAt(ref) }),
    nextLookAt: () => null,
    assertFit: async () => undefined,
    async follow(cursor) {
      assertReachable()
      const orders = new Set(given.values())
      const unknown: SeenOutput[] = []
      for (const address of deposits) {
        if (orders.has(address)) continue
        for (const output of seenAt(address)) {
          const [txid = ''] = output.outpoint.split(':')
          if (!rewards.has(txid) && ((await isPayout(db, txid)) || !spendsOurs(txid))) unknown.push(output)
        }
      }
      return { cursor: String(Number(cursor ?? 0) + 1), refs: [...orders], unknown }
    },
  }

  const money = await moneyFixture({
    db,
    runtime,
    wrapWallet: () => sim.wallet,
    wrapProvider: () => provider,
    ...options,
    requiredConfirmations: DEEP,
  })
  const { payments } = money
  const read = (name: FollowedWallet) => async () => {
    assertReachable()
    return [{ name, sats: heldBy(name) }]
  }
  /** A process that follows the wallets. */
  function worker(
    wrap: { db?: (db: Db) => Db; movements?: (movements: Movements) => Movements } = {},
  ): TreasuryContext {
    return treasuryContext({
      db: wrap.db?.(db) ?? db,
      runtime,
      sources: [
        { name: 'stand-in', read: read('deposits') },
        { name: 'payouts', read: read('payouts') },
        { name: 'vault', read: async () => [{ name: 'vault', sats: OPENING_SATS }] },
      ],
      movements: wrap.movements?.(movements) ?? movements,
      bookUnknown: (...args) => bookUnknown(payments, ...args),
    })
  }
  const treasury = worker()
  const jobs = new JobQueue({ db, runtime })
  const payoutDesk: OperatorContext = { db, runtime, jobs, actor: 'operator' }

  return {
    db,
    runtime,
    money,
    sim,
    treasury,
    movements,
    worker,
    freshDeposit,
    payoutDesk,
    deskOn: (over: Db) => ({ db: over, runtime, jobs, actor: 'operator' }),
    desk: { db, runtime, jobs, actor: 'operator' },

    setReachable(value: boolean): void {
      isReachable = value
    },

    /** An outsider sends coins to each of these addresses; `own` is the wallet that payouts leave from. */
    arrive(...outputs: { address: string; sats: bigint }[]): string {
      return sim.put({ inputs: [`outside ${runtime.random.uuid()}`], outputs, feeSats: 500n })
    },

    /** A block reward for an address of ours, in a block of its own. */
    reward(address: string, sats: bigint): string {
      const txid = sim.put({ inputs: [], outputs: [{ address, sats }], feeSats: 0n })
      rewards.add(txid)
      sim.mine(1)
      return txid
    },

    /** The total of rewards that can be spent now. */
    ripeSats: () =>
      [...rewards]
        .filter((txid) => chain.depthOf(txid) >= MATURE)
        .reduce((sum, txid) => sum + (chain.txOf(txid).outputs[0]?.sats ?? 0n), 0n),

    /**
     * The operator spends confirmed coins of a wallet that no payout holds: the same to each address, the rest less the
     * fee comes back.
     *
     * @returns null if there is not enough
     */
    spend(
      holder: FollowedWallet,
      to: readonly string[],
      sats: bigint,
      how: { change?: string; strangersSats?: bigint } = {},
    ): string | null {
      const feeSats = 700n
      const wanted = sats * BigInt(to.length) + feeSats
      const locked = new Set(sim.lockedCoins())
      const coins = coinsOf(holder).filter(
        ({ txid, outpoint }) => chain.depthOf(txid) > 0 && isCounted(txid, holder) && !locked.has(outpoint),
      )
      const chosen: typeof coins = []
      const worth = (): bigint => chosen.reduce((sum, coin) => sum + coin.sats, how.strangersSats ?? 0n)
      for (const coin of coins) if (worth() < wanted) chosen.push(coin)
      if (worth() < wanted || chosen.length === 0) return null
      const change = how.change ?? (holder === 'payouts' ? OWN : freshDeposit())
      const changeSats = worth() - wanted
      const inputs = chosen.map((coin) => coin.outpoint)
      if (how.strangersSats !== undefined) inputs.push(`stranger ${runtime.random.uuid()}`)
      const outputs = [
        ...to.map((address) => ({ address, sats })),
        ...(changeSats > 0n ? [{ address: change, sats: changeSats }] : []),
      ]
      return sim.put({ inputs, outputs, feeSats })
    },

    /** Does everything that is due, and checks both wallets. */
    async look(): Promise<void> {
      await followProvider(payments)
      await money.queue.runDue()
      await lookAtWallets(treasury)
    },

    /** Time passes, with a block at each check. */
    async pass(looks: number): Promise<void> {
      for (let look = 0; look < looks; look += 1) {
        sim.mine(1)
        runtime.clock.set((Math.floor(runtime.clock.now() / 600) + 1) * 600)
        await this.look()
      }
    },

    drop: () => database.drop(),

    deposits: async () => await db.run(listDeposits, []),
    unbooked: async () => (await db.run(listUnbooked, [])).map((row) => row.txid),

    /** What is broken once nothing is on its way any more. */
    async problems(): Promise<string[]> {
      const booked = await balanceOf(db, walletAccount)
      const held = heldBy('deposits') + heldBy('payouts') + OPENING_SATS
      const { unexplainedSats } = await treasuryStatus(treasury)
      const waits = (await this.unbooked()).length
      return [
        ...(await ledgerViolations(db)),
        ...(unexplainedSats === 0n ? [] : [`${unexplainedSats} sats are not explained`]),
        ...(booked === held || waits > 0 ? [] : [`the ledger's wallet holds ${booked} sats, the wallets ${held}`]),
      ]
    },
  }
}
