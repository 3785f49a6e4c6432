import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { Db, Tx } from '../../db/pool.ts'
import type { JobHandler, JobPayload } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Wallet } from '../../ports/wallet/wallet.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { LATE_PAYMENT_SECONDS } from '@fairball/domain/order-status'
import { LONGEST_WAIT_SECONDS } from '../payments/order-payments.ts'
import { inFlight, networkFees, partner, wallet as walletAccount, winnings } from '../ledger/accounts.ts'
import type { Ledger, Move } from '../ledger/service.ts'
import { isPayable, LEAST_DUST_SATS, type Owed, planBatch, type PlannedPayout } from './batch.ts'
import * as queries from './queries.ts'

/** From this many confirmations on a payout is never looked at again. */
export const FINAL_CONFIRMATIONS = 6
/** Between two looks at a payout that is not final. */
const CONFIRM_SECONDS = 600
/** A transaction of 500 outputs at 50 sats a virtual byte; more is a wallet gone wrong, and a person decides. */
const HIGHEST_FEE_SATS = 1_000_000n
/** The players looked at for one batch: the longest waiting. */
const MOST_PLAYERS = 20_000n

export interface PayoutsDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly jobs: Jobs
  readonly ledger: Ledger
  readonly wallet: Wallet
  readonly network: BitcoinNetwork
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

/** A payout that has left. */
export interface PayoutNews {
  readonly payoutId: bigint
  readonly playerId: bigint
  /** what arrives, in sats */
  readonly sats: bigint
  readonly txid: string
}

export type Payouts = ReturnType<typeof createPayouts>

/**
 * Payouts: what is owed leaves for the addresses of players and partners, each satoshi once whatever crashes
 * (payments.md section 5). Every step is a job that follows from the commit of the one before:
 *
 * make (what is owed is bound to a batch) → sign (the bytes are stored) → send (those bytes, as often as it takes) →
 * confirm.
 */
export function createPayouts(deps: PayoutsDeps) {
  const { db, runtime, jobs, ledger, wallet } = deps
  const now = (): number => runtime.clock.now()

  /** Has everything that is owed paid as soon as this transaction commits. Called wherever money becomes payable. */
  async function schedule(tx: Tx): Promise<void> {
    await jobs.add(tx, 'payouts.make', {}, { key: 'payouts.make' })
  }

  /** Makes one batch of what is owed and can be paid now; null when there is nothing. */
  async function make(tx: Tx): Promise<bigint | null> {
    // Whoever comes second waits here and then reads what the first one has taken up.
    await tx.run(queries.lockMaking, [])
    const { payouts, hasMore } = planBatch(await findOwed(tx), deps.network)
    if (payouts.length === 0) {
      await deps.onPaid(tx)
      return null
    }
    const batch = await tx.one(queries.insertBatch, [now()])
    for (const payout of payouts) await addPayout(tx, batch.id, payout)
    await addStep(tx, 'payouts.sign', batch.id)
    if (hasMore) await schedule(tx)
    runtime.log.info({ batchId: String(batch.id), payouts: payouts.length }, 'payouts made')
    return batch.id
  }

  async function findOwed(tx: Tx): Promise<Owed[]> {
    const players = await tx.run(queries.findOwedToPlayers, [now(), LEAST_DUST_SATS, MOST_PLAYERS])
    const partners = await tx.run(queries.findOwedToPartners, [])
    const addresses = deps.partnerAddresses()
    return [
      ...players.map((row) => ({
        payee: { playerId: row.player_id },
        address: row.address,
        payableIds: row.payable_ids,
        sats: row.sats,
        returnedSats: row.returned_sats,
      })),
      ...partners.flatMap(({ partner_id: partnerId, payable_ids: payableIds, sats }) => {
        const address = addresses.get(partnerId)
        return address === undefined ? [] : [{ payee: { partnerId }, address, payableIds, sats, returnedSats: 0n }]
      }),
    ]
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
   * Has a batch's transaction signed, and stores its bytes before anything leaves. Where two workers sign, the first
   * commit counts; the other's transaction was never sent and is forgotten.
   */
  async function sign(batchId: bigint): Promise<void> {
    if ((await stateOf(batchId)) !== 'BATCHED') return
    const outputs = await db.run(queries.findOutputs, [batchId])
    const { txid, raw, feeSats } = await wallet.prepare({ label: `payout batch ${batchId}`, outputs })
    if (feeSats > HIGHEST_FEE_SATS)
      throw new Error(`the wallet asks ${feeSats} sats of fee for payout batch ${batchId}`)
    await db.transaction(async (tx) => {
      if ((await tx.execute(queries.moveBatch, [batchId, 'BATCHED', 'SIGNED'])) === 0) return
      await tx.run(queries.insertTx, [batchId, txid, raw, feeSats])
      await addStep(tx, 'payouts.send', batchId)
    })
  }

  /** Sends a batch's stored bytes, and books that they have left. */
  async function send(batchId: bigint): Promise<void> {
    if ((await stateOf(batchId)) !== 'SIGNED') return
    const { txid, raw, fee_sats: feeSats } = await db.one(queries.findTx, [batchId])
    await wallet.broadcast(raw)
    await db.transaction(async (tx) => {
      if ((await tx.execute(queries.moveBatch, [batchId, 'SIGNED', 'SENT'])) === 0) return
      const sent = await tx.run(queries.markSent, [batchId, now()])
      const sats = sent.reduce((sum, payout) => sum + payout.sats, 0n)
      const sharesSats = sent.reduce((sum, payout) => sum + payout.fee_share_sats, 0n)
      const moves = [{ from: inFlight, to: walletAccount, sats }, feeMove(feeSats, sharesSats)]
      await ledger.post(tx, { event: 'payout.sent', subject: String(batchId), at: now(), moves })
      for (const payout of sent) {
        if (payout.player_id === null) continue
        const news = { payoutId: payout.id, playerId: payout.player_id, txid }
        await deps.tell(tx, { ...news, sats: payout.sats - payout.fee_share_sats })
      }
      await addConfirm(tx, batchId)
      await deps.onPaid(tx)
    })
    runtime.log.info({ batchId: String(batchId), txid }, 'payouts sent')
  }

  /** Follows a sent batch until it is final. One the network forgot is sent again: the same bytes, so never twice. */
  async function confirm(batchId: bigint): Promise<void> {
    if ((await stateOf(batchId)) !== 'SENT') return
    const { txid, raw } = await db.one(queries.findTx, [batchId])
    const confirmations = await wallet.confirmations(txid)
    if (confirmations === null) await wallet.broadcast(raw)
    await db.transaction(async (tx) => {
      if (confirmations !== null && confirmations >= FINAL_CONFIRMATIONS) {
        await tx.run(queries.moveBatch, [batchId, 'SENT', 'FINAL'])
      } else await addConfirm(tx, batchId)
    })
  }

  async function stateOf(batchId: bigint) {
    return (await db.one(queries.findBatch, [batchId])).state
  }

  async function addStep(tx: Tx, kind: 'payouts.sign' | 'payouts.send', batchId: bigint): Promise<void> {
    await jobs.add(tx, kind, { batchId: String(batchId) }, { key: `${kind}:${batchId}` })
  }

  /** The key carries the moment, because a job that is running still holds its own key when it asks for the next. */
  async function addConfirm(tx: Tx, batchId: bigint): Promise<void> {
    const runAt = now() + CONFIRM_SECONDS
    await jobs.add(
      tx,
      'payouts.confirm',
      { batchId: String(batchId) },
      { key: `payouts.confirm:${batchId}:${runAt}`, runAt },
    )
  }

  return {
    schedule,
    make,
    sign,
    send,
    confirm,

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
      const owed = await findOwed(tx)
      const isLookedAt = owed.some(({ payee }) => 'playerId' in payee && payee.playerId === playerId)
      // So many wait longer that this player is not looked at yet.
      if (!isLookedAt && BigInt(owed.length) >= MOST_PLAYERS) return true
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
        { kind: 'payouts.sign', mode: 'outside', run: (payload) => sign(batchIdOf(payload)) },
        { kind: 'payouts.send', mode: 'outside', run: (payload) => send(batchIdOf(payload)) },
        { kind: 'payouts.confirm', mode: 'outside', run: (payload) => confirm(batchIdOf(payload)) },
      ]
    },
  }
}

/**
 * Books the network's fee. The shares that refunds bear came out of what was in flight, so the operator's part is the
 * rest. Should a wallet ever pay less than the shares, the difference lowers what the operator spent on fees.
 */
function feeMove(feeSats: bigint, sharesSats: bigint): Move {
  return feeSats >= sharesSats
    ? { from: networkFees, to: walletAccount, sats: feeSats - sharesSats }
    : { from: walletAccount, to: networkFees, sats: sharesSats - feeSats }
}

/** Every job of a batch was added with its id, see addStep and addConfirm. */
function batchIdOf(payload: JobPayload): bigint {
  return BigInt(payload['batchId'] as string)
}
