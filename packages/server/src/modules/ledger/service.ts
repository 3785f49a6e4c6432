import { type Db, sqlState, type Tx } from '../../db/pool.ts'
import { PeriodLocked } from '../../kernel/errors.ts'
import { type LedgerAccount, type LedgerAccountKind, naturalBalance } from './accounts.ts'
import * as queries from './queries.ts'

// The double-entry ledger (decisions section 5): append-only postings that sum to zero per transfer. The database
// itself refuses what does not balance; this service only writes and adds up.

/** The database's refusal of a transfer dated in a locked month. */
const MONTH_LOCKED = 'FBMLK'

/** One movement of a transfer: `from` gives, `to` gains. */
export interface Move {
  readonly from: LedgerAccount
  readonly to: LedgerAccount
  /** sats, not negative; a move of nothing is left out */
  readonly sats: bigint
}

interface TransferRequest {
  /** what happened, for instance `order.paid` */
  readonly event: string
  /** the subject it concerns; event and subject together happen once */
  readonly subject: string
  /** epoch seconds */
  readonly at: number
  readonly moves: readonly Move[]
}

/** What the accounts of one kind gained and gave in one transfer, in sats; neither is negative. */
export interface TransferSums {
  readonly event: string
  readonly kind: LedgerAccountKind
  readonly gainedSats: bigint
  readonly givenSats: bigint
}

/**
 * Posts a transfer inside the caller's transaction.
 *
 * @returns false if this event was posted for this subject before; then nothing is written
 * @throws PeriodLocked if it is dated in a month whose books are locked
 */
export async function postTransfer(tx: Tx, request: TransferRequest): Promise<boolean> {
  const moves = request.moves.filter((move) => {
    if (move.sats < 0n) throw new RangeError(`a move of ${move.sats} sats in ${request.event} ${request.subject}`)
    return move.sats > 0n
  })
  if (moves.length === 0) return true
  const postings = moves.flatMap((move) => [
    { account: move.from, sats: -move.sats },
    { account: move.to, sats: move.sats },
  ])
  const kinds = postings.map((posting) => posting.account.kind)
  const subjects = postings.map((posting) => posting.account.subject)
  const amounts = postings.map((posting) => posting.sats)
  const { event, at } = request
  const transfer = { kinds, subjects, amounts, event, key: keyOf(request), at }
  try {
    if ((await tx.execute(queries.insertPostedTransfer, transfer)) > 0) return true
    // It was posted before, or is the first one of an account.
    await tx.execute(queries.ensureAccounts, [kinds, subjects])
    return (await tx.execute(queries.insertPostedTransfer, transfer)) > 0
  } catch (error) {
    throw sqlState(error) === MONTH_LOCKED ? new PeriodLocked(error) : error
  }
}

/**
 * Pays the winning lines of a draw out of its pot, one posting per line (trust.md I5).
 *
 * @param request `totalSats` is what all of them win together; otherwise the database refuses the transfer
 */
export async function postPrizes(
  tx: Tx,
  request: {
    event: string
    drawId: bigint
    winType: 'JACKPOT' | 'PRIZE'
    from: LedgerAccount
    totalSats: bigint
    at: number
  },
): Promise<void> {
  if (request.totalSats === 0n) return
  const key = keyOf({ event: request.event, subject: String(request.drawId) })
  const transfer = await tx.maybeOne(queries.insertTransfer, [request.event, key, request.at])
  if (transfer === null) return
  await tx.execute(queries.ensureWinnersAccounts, [request.drawId])
  const { kind, subject } = request.from
  await tx.execute(queries.insertPostings, {
    kinds: [kind],
    subjects: [subject],
    amounts: [-request.totalSats],
    transferId: transfer.id,
  })
  await tx.execute(queries.insertPrizePostings, [transfer.id, request.drawId, request.winType])
}

/** The balance of one account in sats, as a person reads it (see `naturalBalance`). */
export async function balanceOf(db: Db | Tx, account: LedgerAccount): Promise<bigint> {
  const row = await db.maybeOne(queries.sumOfAccount, [account.kind, account.subject])
  return naturalBalance(account.kind, row?.sumSats ?? 0n)
}

/**
 * Locks an account against postings until the transaction ends, after waiting for those in progress: a balance read
 * after this is the one that a posting of the same transaction finds.
 */
export async function lockAccount(tx: Tx, account: LedgerAccount): Promise<void> {
  await tx.execute(queries.ensureAccounts, [[account.kind], [account.subject]])
  await tx.run(queries.lockAccount, [account.kind, account.subject])
}

/** The balances of all accounts of each kind, added up, in sats. */
export async function balancesByKind(db: Db | Tx): Promise<Map<LedgerAccountKind, bigint>> {
  const rows = await db.run(queries.sumsByKind, [])
  return new Map(
    rows.map((row) => {
      // The table's check constraint has the same list of kinds as the type.
      const kind = row.kind as LedgerAccountKind
      return [kind, naturalBalance(kind, row.sumSats)]
    }),
  )
}

/** What events of one subject have moved. An event that was not posted, or moved nothing, is missing. */
export async function movedBy(db: Db | Tx, events: readonly string[], subject: string): Promise<TransferSums[]> {
  const rows = await db.run(queries.sumsOfTransfers, [events.map((event) => keyOf({ event, subject }))])
  return rows.map((row) => ({
    event: row.event,
    // The table's check constraint has the same list of kinds as the type.
    kind: row.kind as LedgerAccountKind,
    gainedSats: row.gainedSats,
    givenSats: row.givenSats,
  }))
}

/**
 * Shortens the sum over an account. Waits for every transaction that is posting to the account, so no posting with a
 * lower id can appear behind the checkpoint.
 */
export async function checkpointAccount(tx: Tx, account: LedgerAccount): Promise<void> {
  const row = await tx.maybeOne(queries.lockAccount, [account.kind, account.subject])
  if (row !== null) await tx.execute(queries.insertCheckpoint, [row.id])
}

/** Free tickets players hold or have in open orders; a count, not money. */
export async function freeTicketsOwed(db: Db | Tx): Promise<bigint> {
  return (await db.one(queries.sumFreeTickets, [])).freeTickets
}

/** What breaks the ledger's invariants (trust.md I1 and I2); empty if all is in order. */
export async function ledgerViolations(db: Db | Tx): Promise<string[]> {
  const { unbalanced } = await db.one(queries.countUnbalancedTransfers, [])
  const negative = await db.run(queries.negativeAccounts, [])
  return [
    ...(unbalanced > 0 ? [`${unbalanced} transfers do not sum to zero`] : []),
    ...negative.map((row) => `${row.kind} ${row.subject} stands at ${row.sumSats} sats`),
  ]
}

function keyOf(request: { event: string; subject: string }): string {
  return `${request.event}:${request.subject}`
}
