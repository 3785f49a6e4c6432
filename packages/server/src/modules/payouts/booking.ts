import type { Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import {
  inFlight,
  type LedgerAccount,
  networkFees,
  partner,
  wallet as walletAccount,
  winnings,
} from '../ledger/accounts.ts'
import { type Move, postTransfer } from '../ledger/service.ts'
import * as queries from './queries.ts'

// What the ledger says about payouts (decisions section 5). Each function works on a batch that the caller has locked.
//
// The booked fee is that of the version in the chain or the mempool. If another version replaces it, by a bump or
// because the first one is mined after all, the difference is booked as a correction.

export type Batch = RowOf<typeof queries.findBatch>
export type Version = RowOf<typeof queries.findVersions>
type SentPayout = RowOf<typeof queries.markSent>

/** Books which version is in force: money has left with the first one, and the fee follows the one in force. */
export async function bookStanding(tx: Tx, batch: Batch, version: Version, at: number): Promise<SentPayout[]> {
  if (batch.sentAt === null) return await bookSent(tx, batch, version, at)
  if (batch.version === version.version) return []
  const subject = `${batch.id}:${batch.feeMoves + 1}`
  const moves = [feeMove(version.feeSats - batch.bookedFeeSats)]
  await postTransfer(tx, { event: 'payout.fee', subject, at, moves })
  await tx.execute(queries.setVersion, [batch.id, version.version, version.feeSats])
  return []
}

async function bookSent(tx: Tx, batch: Batch, version: Version, at: number): Promise<SentPayout[]> {
  const sent = await tx.run(queries.markSent, [batch.id, at])
  const moves = [
    { from: inFlight, to: walletAccount, sats: sumOf(sent, (payout) => payout.sats) },
    // The shares that refunds bear came out of what was in flight, so the operator's part is the rest.
    feeMove(version.feeSats - sumOf(sent, (payout) => payout.feeShareSats)),
  ]
  await postTransfer(tx, { event: 'payout.sent', subject: String(batch.id), at, moves })
  await tx.execute(queries.markBatchSent, [batch.id, at])
  await tx.execute(queries.setVersion, [batch.id, version.version, version.feeSats])
  return sent
}

/** Takes payouts out of a batch that was never signed: they are owed again. */
export async function bookTakenOut(tx: Tx, batchId: bigint, payoutIds: readonly bigint[], at: number): Promise<void> {
  for (const payout of await tx.run(queries.takeOut, [batchId, [...payoutIds], at])) {
    const moves = [{ from: inFlight, to: owingTo(payout), sats: payout.sats }]
    await postTransfer(tx, { event: 'payout.cancelled', subject: `${batchId}:payout-${payout.id}`, at, moves })
  }
}

/**
 * Books that a batch can never be paid any more: everything in it is owed again.
 *
 * @param feeSats what the self-spend cost, 0 if there was none
 */
export async function bookCancelled(tx: Tx, batch: Batch, feeSats: bigint, at: number): Promise<void> {
  const payouts = await tx.run(queries.cancelPayouts, [batch.id, at])
  const isSent = batch.sentAt !== null
  const sharesSats = sumOf(payouts, (payout) => payout.feeShareSats)
  const bookedFeeSats = isSent ? batch.bookedFeeSats - sharesSats : 0n
  const moves = [
    ...(isSent ? [{ from: walletAccount, to: inFlight, sats: sumOf(payouts, (payout) => payout.sats) }] : []),
    feeMove(feeSats - bookedFeeSats),
    ...payouts.map((payout) => ({ from: inFlight, to: owingTo(payout), sats: payout.sats })),
  ]
  await postTransfer(tx, { event: 'payout.cancelled', subject: String(batch.id), at, moves })
}

/** Books the change of the network fee. */
function feeMove(sats: bigint): Move {
  return sats >= 0n
    ? { from: networkFees, to: walletAccount, sats }
    : { from: walletAccount, to: networkFees, sats: -sats }
}

/** The account a payout came from. */
export function owingTo(payee: { playerId: bigint | null; partnerId: string | null }): LedgerAccount {
  if (payee.playerId !== null) return winnings(payee.playerId)
  if (payee.partnerId !== null) return partner(payee.partnerId)
  throw new Error('a payout is for a player or a partner') // the table's check ensures it
}

function sumOf<T>(rows: readonly T[], satsOf: (row: T) => bigint): bigint {
  return rows.reduce((sum, row) => sum + satsOf(row), 0n)
}
