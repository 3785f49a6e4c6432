import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { Db, Tx } from '../../db/pool.ts'
import type { JobHandler } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Wallet } from '../../ports/wallet/wallet.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { LATE_PAYMENT_SECONDS } from '@fairball/domain/order-status'
import { LONGEST_WAIT_SECONDS } from '../payments/order-payments.ts'
import { inFlight, partner, pot, prizePool, reserve, stakesHeld, winnings } from '../ledger/accounts.ts'
import type { Ledger } from '../ledger/service.ts'
import {
  isPayable,
  LEAST_DUST_SATS,
  NO_LIMITS,
  type Owed,
  type PayoutLimits,
  planBatch,
  type PlannedPayout,
} from './batch.ts'
import { CANCEL_SECONDS } from './cancelling.ts'
import * as queries from './queries.ts'
import { createReconciling } from './reconciling.ts'
import { createSending, type PayoutNews } from './sending.ts'
import { addStep, addStepAt, batchIdOf, type BatchState, nextLookAt, stepFrom } from './steps.ts'

export type { PayoutNews } from './sending.ts'

/** The players looked at together, the longest waiting first; the next ones where none of them can be paid. */
const MOST_PLAYERS = 20_000
/** The place before the first of them. */
const BEFORE_ALL = { address_first_id: 0n, address: '', player_id: 0n }
/** Whether a draw can be paid is looked at from so long before it on: time enough to bring coins to the hot wallet. */
const FORESIGHT_SECONDS = 86_400

export interface PayoutsDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly jobs: Jobs
  readonly ledger: Ledger
  readonly wallet: Wallet
  readonly network: BitcoinNetwork
  /** What leaves without a person. Default: everything. */
  readonly limits?: PayoutLimits
  /** How many players are looked at together. Default: 20,000. */
  readonly mostPlayers?: number
  /** Where each partner is paid; one without an address waits. */
  readonly partnerAddresses: () => ReadonlyMap<string, string>
  /** Tells a player that money has left, inside the transaction that marks it. */
  readonly tell: (tx: Tx, news: PayoutNews) => Promise<void>
  /** Called in the transaction in which payouts left, or in which nothing was found to be paid. */
  readonly onPaid: (tx: Tx) => Promise<void>
}

/** How the money of a player stands. */
export interface OpenMoney {
  /** owed, and not yet in a payout */
  readonly waits: boolean
  /** in a payout that has not left */
  readonly leaves: boolean
  /** may come to be owed: a draw to come, an order that is not decided, a payment that is not confirmed */
  readonly comes: boolean
  /** an order ran out unpaid less than a day ago: a payment that is late may still arrive */
  readonly late: boolean
}

/** How payouts stand, for a monitor. */
export interface PayoutsStatus {
  /** batches that are not done, by state */
  readonly batches: ReadonlyMap<BatchState, number>
  /** why nothing is signed or sent; null while payouts work */
  readonly stopReason: string | null
  /**
   * how long the longest unconfirmed batch waits since it was signed or sent, in seconds; 0 when none does. One that is
   * taken back counts from when its six blocks should be there.
   */
  readonly unconfirmedSeconds: number
}

export type Payouts = ReturnType<typeof createPayouts>

/**
 * Stops all payouts when this transaction commits: nothing is made, signed or sent from then on, in no process and after
 * no restart, until the operator says so. A stop that is there keeps its reason.
 */
export async function stopAll(tx: Tx, reason: string): Promise<void> {
  await tx.run(queries.stopPayouts, [reason])
}

/**
 * Payouts: what is owed leaves for the addresses of players and partners, each satoshi once whatever crashes
 * (payments.md section 5). Every step is a job that follows from the commit of the one before:
 *
 * make (what is owed is bound to a batch) → sign (the bytes are stored) → send (those bytes, as often as it takes) →
 * confirm, until it is six blocks deep.
 */
export function createPayouts(deps: PayoutsDeps) {
  const { db, runtime, jobs, ledger, limits = NO_LIMITS } = deps
  const reconciling = createReconciling(deps)
  const sending = createSending({ ...deps, reconciling, onOwed: schedule })
  /** Draws the operator was told of, see `sayWhatIsToCome`. */
  const foretold = new Set<bigint>()
  const now = (): number => runtime.clock.now()

  /** Has everything that is owed paid as soon as this transaction commits. Called wherever money becomes payable. */
  async function schedule(tx: Tx): Promise<void> {
    await jobs.add(tx, 'payouts.make', {}, { key: 'payouts.make' })
  }

  /** Makes one batch of what is owed and can be paid now; null when there is nothing, or payouts are stopped. */
  async function make(tx: Tx): Promise<bigint | null> {
    // Whoever comes second waits here and then reads what the first one has taken up.
    await tx.run(queries.lockMaking, [])
    if ((await tx.maybeOne(queries.findStop, [])) !== null) return null
    const { owed, isAll } = await findOwed(tx)
    const { payouts, hasMore, needsApproval } = planBatch(owed, deps.network, limits)
    if (payouts.length === 0) {
      await deps.onPaid(tx)
      return null
    }
    const batch = await tx.one(queries.insertBatch, [now(), needsApproval ? 'WAITING_APPROVAL' : 'BATCHED'])
    for (const payout of payouts) await addPayout(tx, batch.id, payout)
    if (!needsApproval) await addStep(tx, jobs, 'payouts.sign', batch.id)
    if (hasMore || !isAll) await schedule(tx)
    const fields = { batchId: String(batch.id), payouts: payouts.length }
    if (needsApproval) runtime.log.error(fields, 'a large payout waits for approval')
    else runtime.log.info(fields, 'payouts made')
    return batch.id
  }

  /** What is owed, until something of it can be paid. */
  async function findOwed(tx: Tx): Promise<{ owed: Owed[]; isAll: boolean }> {
    const most = BigInt(deps.mostPlayers ?? MOST_PLAYERS)
    let owed = await findOwedToPartners(tx)
    for (let last = BEFORE_ALL; ;) {
      const page = await tx.run(queries.findOwedToPlayers, [
        now(),
        LEAST_DUST_SATS,
        most,
        last.address_first_id,
        last.address,
        last.player_id,
      ])
      owed = [
        ...owed,
        ...page.map((row) => ({
          payee: { playerId: row.player_id },
          address: row.address,
          payableIds: row.payable_ids,
          sats: row.sats,
          returnedSats: row.returned_sats,
        })),
      ]
      const end = page.at(-1)
      if (end === undefined || BigInt(page.length) < most) return { owed, isAll: true }
      if (planBatch(owed, deps.network, limits).payouts.length > 0) return { owed, isAll: false }
      last = end
      // Others at this address may follow; the rest cannot be paid.
      owed = owed.filter(({ address }) => address === last.address)
    }
  }

  async function findOwedToPartners(tx: Tx): Promise<Owed[]> {
    const partners = await tx.run(queries.findOwedToPartners, [])
    const addresses = deps.partnerAddresses()
    const aside = new Set((await tx.run(queries.listSetAside, [])).map(({ address }) => address))
    return partners.flatMap(({ partner_id: partnerId, payable_ids: payableIds, sats }) => {
      const address = addresses.get(partnerId)
      if (address === undefined || aside.has(address) || aside.has(address.toLowerCase())) return []
      return [{ payee: { partnerId }, address, payableIds, sats, returnedSats: 0n }]
    })
  }

  /**
   * Has paid what is owed to partners that have an address: one may have come with this start's content file, and nothing
   * else would ask for its share before the next win of anybody.
   */
  async function beginPartners(): Promise<void> {
    await db.transaction(async (tx) => {
      if ((await findOwedToPartners(tx)).length > 0) await schedule(tx)
    })
  }

  async function addPayout(tx: Tx, batchId: bigint, payout: PlannedPayout): Promise<void> {
    const { payee, sats, feeShareSats, address, payableIds } = payout
    const [playerId, partnerId] = 'playerId' in payee ? [payee.playerId, null] : [null, payee.partnerId]
    const { id } = await tx.one(queries.insertPayout, [
      batchId,
      playerId,
      partnerId,
      sats,
      feeShareSats,
      now(),
      address,
    ])
    const taken = await tx.execute(queries.takeUpPayables, [id, [...payableIds]])
    if (taken !== payableIds.length) throw new Error(`payout ${id} found ${taken} of ${payableIds.length} payables`)
    const owing = 'playerId' in payee ? winnings(payee.playerId) : partner(payee.partnerId)
    const moves = [{ from: owing, to: inFlight, sats }]
    await ledger.post(tx, { event: 'payout.made', subject: String(id), at: now(), moves })
  }

  /**
   * Holds the wallet against the database, and has it done again at the next look. Every batch that is not done gets its
   * next step as well, so that a job that went missing holds up nobody for long.
   */
  async function reconcile(): Promise<void> {
    await reconciling.reconcile()
    await sending.lookAtHalted()
    const { spendableSats } = await deps.wallet.balances()
    sayWhenTooMuch(spendableSats)
    await sayWhatIsToCome(spendableSats)
    await db.transaction(async (tx) => {
      for (const { id: batchId, state } of await tx.run(queries.listOpenBatches, [])) {
        const kind = stepFrom(state)
        if (kind !== null) await addStepAt(tx, jobs, { kind, batchId, runAt: nextLookAt(now()) })
      }
      await addReconcile(tx)
    })
  }

  /** Whoever breaks into this computer gets what lies in the hot wallet: more than was meant belongs elsewhere. */
  function sayWhenTooMuch(spendableSats: bigint): void {
    const fields = { spendableSats: String(spendableSats), floatSats: String(limits.floatSats) }
    if (limits.floatSats !== null && spendableSats > limits.floatSats)
      runtime.log.warn(fields, 'the hot wallet holds more than its float')
  }

  /** A jackpot beyond the hot wallet would wait for funds: the operator hears of it while there is time, once a draw. */
  async function sayWhatIsToCome(spendableSats: bigint): Promise<void> {
    for (const { id, game_key: game, number } of await db.run(queries.findComingDraws, [now() + FORESIGHT_SECONDS])) {
      if (foretold.has(id)) continue
      // All that the draw can give: the pool, what is staked on the game, and from the close on what was set aside.
      const sources = [prizePool(game), stakesHeld(game), pot(id), reserve(id)]
      let mostSats = 0n
      for (const account of sources) mostSats += await ledger.balance(db, account)
      if (mostSats <= spendableSats) continue
      foretold.add(id)
      const fields = { game, draw: number, mostSats: String(mostSats), spendableSats: String(spendableSats) }
      runtime.log.error(fields, 'a coming draw may pay more than the hot wallet holds')
    }
  }

  async function addReconcile(tx: Tx): Promise<void> {
    const runAt = nextLookAt(now())
    await jobs.add(tx, 'payouts.reconcile', {}, { key: `payouts.reconcile:${runAt}`, runAt })
  }

  return {
    schedule,
    beginPartners,
    make,

    sign: sending.sign,
    send: sending.send,
    confirm: sending.confirm,
    cancel: sending.cancel,
    reconcile,

    /**
     * What a start does with a real wallet: locks and spends are held against the database now, where the wallet can be
     * reached, and every ten minutes from then on. Nothing is signed or sent before the first time has gone well.
     */
    async begin(): Promise<void> {
      await db.transaction((tx) => addReconcile(tx))
      await reconciling.mayWork().catch((error: unknown) => {
        runtime.log.error({ err: error }, 'the hot wallet cannot be looked at: payouts wait for it')
      })
    },

    async status(): Promise<PayoutsStatus> {
      const rows = await db.run(queries.countStates, [CANCEL_SECONDS])
      const waitingSince = rows.flatMap((row) => row.oldest_at ?? [])
      return {
        batches: new Map(rows.map((row) => [row.state, row.batches])),
        stopReason: await reconciling.stopReason(),
        unconfirmedSeconds: Math.max(0, ...waitingSince.map((at) => now() - at)),
      }
    },

    /** What is owed to a player, is leaving, or may still come: see the query. */
    async openMoney(tx: Db | Tx, playerId: bigint): Promise<OpenMoney> {
      const nowAt = now()
      return await tx.one(queries.readOpenMoney, [
        playerId,
        LEAST_DUST_SATS,
        nowAt - LONGEST_WAIT_SECONDS,
        nowAt - LATE_PAYMENT_SECONDS,
      ])
    },

    /** Whether what waits for a player will be paid: there is an address, and enough for it. */
    async canBePaid(tx: Tx, playerId: bigint): Promise<boolean> {
      // It waits until somebody has looked.
      if ((await tx.one(queries.isSetAside, [playerId])).is_set_aside) return true
      const { owed, isAll } = await findOwed(tx)
      const isLookedAt = owed.some(({ payee }) => 'playerId' in payee && payee.playerId === playerId)
      // So many wait longer that this player is not looked at yet.
      if (!isLookedAt && !isAll) return true
      return isPayable(owed, deps.network, playerId)
    },

    /** What was owed and paid out to a player, for the export of personal data; satoshis and ids are texts. */
    async personalData(playerId: bigint) {
      const payouts = await db.run(queries.exportPayouts, [playerId])
      const owed = await db.run(queries.exportPayables, [playerId])
      return {
        payouts: payouts.map(({ id, sats, fee_share_sats, ...payout }) => ({
          ...payout,
          id: String(id),
          sats: String(sats),
          fee_share_sats: String(fee_share_sats),
        })),
        owed: owed.map(({ sats, draw_id, payout_id, ...one }) => ({
          ...one,
          sats: String(sats),
          draw_id: draw_id === null ? null : String(draw_id),
          payout_id: payout_id === null ? null : String(payout_id),
        })),
      }
    },

    jobs(): JobHandler[] {
      return [
        { kind: 'payouts.make', mode: 'transaction', run: async (tx) => void (await make(tx)) },
        { kind: 'payouts.sign', mode: 'outside', run: (payload) => sending.sign(batchIdOf(payload)) },
        { kind: 'payouts.send', mode: 'outside', run: (payload) => sending.send(batchIdOf(payload)) },
        { kind: 'payouts.confirm', mode: 'outside', run: (payload) => sending.confirm(batchIdOf(payload)) },
        { kind: 'payouts.cancel', mode: 'outside', run: (payload) => sending.cancel(batchIdOf(payload)) },
        { kind: 'payouts.reconcile', mode: 'outside', run: () => reconcile() },
      ]
    },
  }
}
