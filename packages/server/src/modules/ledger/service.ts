import type { Db, Tx } from '../../db/pool.ts'
import { type LedgerAccount, type LedgerAccountKind, naturalBalance } from './accounts.ts'
import {
  countUnbalancedTransfers,
  ensureAccounts,
  ensureWinnersAccounts,
  insertCheckpoint,
  insertPostedTransfer,
  insertPostings,
  insertPrizePostings,
  insertTransfer,
  lockAccount,
  negativeAccounts,
  sumFreeTickets,
  sumOfAccount,
  sumsByKind,
  sumsOfTransfers,
} from './queries.ts'

/** One movement of a transfer: `from` gives, `to` gains. */
export interface Move {
  readonly from: LedgerAccount
  readonly to: LedgerAccount
  /** sats, not negative; a move of nothing is left out */
  readonly sats: bigint
}

export interface TransferRequest {
  /** what happened, for instance `order.paid` */
  readonly event: string
  /** whose it is; event and subject together happen once */
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

export type Ledger = ReturnType<typeof createLedger>

/**
 * The double-entry ledger (decisions section 5): append-only postings that sum to zero per transfer. The database
 * itself refuses what does not balance; this service only knows how to write and to add up.
 */
export function createLedger() {
  /**
   * Posts a transfer inside the caller's transaction.
   *
   * @returns false when this event was posted for this subject before; nothing is written then
   */
  async function post(tx: Tx, request: TransferRequest): Promise<boolean> {
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
    const transfer = [kinds, subjects, amounts, request.event, keyOf(request), request.at] as const
    if ((await tx.execute(insertPostedTransfer, transfer)) > 0) return true
    // It was posted before, or is the first one of an account.
    await tx.run(ensureAccounts, [kinds, subjects])
    return (await tx.execute(insertPostedTransfer, transfer)) > 0
  }

  return {
    post,

    /**
     * Pays the winning entries of a draw out of its pot, one posting an entry (trust.md I5).
     *
     * @param request `totalSats` is what all of them win together; the database refuses the transfer when it is not
     */
    async postPrizes(
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
      const transfer = await tx.maybeOne(insertTransfer, [request.event, key, request.at])
      if (transfer === null) return
      await tx.execute(ensureWinnersAccounts, [request.drawId])
      const { kind, subject } = request.from
      await tx.execute(insertPostings, [[kind], [subject], [-request.totalSats], transfer.id])
      await tx.execute(insertPrizePostings, [transfer.id, request.drawId, request.winType])
    },

    /** The balance of one account in sats, as a person reads it (see `naturalBalance`). */
    async balance(db: Db | Tx, account: LedgerAccount): Promise<bigint> {
      const row = await db.maybeOne(sumOfAccount, [account.kind, account.subject])
      return naturalBalance(account.kind, row?.sum_sats ?? 0n)
    },

    /**
     * Keeps everybody else from posting to an account until the transaction ends, and waits for those who are: a balance
     * read after this is the one that a posting of the same transaction finds.
     */
    async lock(tx: Tx, account: LedgerAccount): Promise<void> {
      await tx.run(ensureAccounts, [[account.kind], [account.subject]])
      await tx.run(lockAccount, [account.kind, account.subject])
    },

    /** The balances of all accounts of each kind, added up, in sats. */
    async balancesByKind(db: Db | Tx): Promise<Map<LedgerAccountKind, bigint>> {
      const rows = await db.run(sumsByKind, [])
      return new Map(
        rows.map((row) => {
          // The table's check constraint holds the same list of kinds as the type.
          const kind = row.kind as LedgerAccountKind
          return [kind, naturalBalance(kind, row.sum_sats)]
        }),
      )
    },

    /** What events of one subject have moved. An event that was not posted, or moved nothing, is missing. */
    async movedBy(db: Db | Tx, events: readonly string[], subject: string): Promise<TransferSums[]> {
      const rows = await db.run(sumsOfTransfers, [events.map((event) => keyOf({ event, subject }))])
      return rows.map((row) => ({
        event: row.event,
        // The table's check constraint holds the same list of kinds as the type.
        kind: row.kind as LedgerAccountKind,
        gainedSats: row.gained_sats,
        givenSats: row.given_sats,
      }))
    },

    /**
     * Shortens the way to an account's balance. Waits for every transaction that is posting to the account, so no
     * posting with a lower id can appear behind the checkpoint.
     */
    async checkpoint(tx: Tx, account: LedgerAccount): Promise<void> {
      const row = await tx.maybeOne(lockAccount, [account.kind, account.subject])
      if (row !== null) await tx.run(insertCheckpoint, [row.id])
    },

    /** Free tickets players hold or have in open orders; a count, not money. */
    async freeTicketsOwed(db: Db | Tx): Promise<bigint> {
      return (await db.one(sumFreeTickets, [])).free_tickets
    },

    /** What breaks the ledger's invariants (trust.md I1 and I2); empty when all holds. */
    async violations(db: Db | Tx): Promise<string[]> {
      const { unbalanced } = await db.one(countUnbalancedTransfers, [])
      const negative = await db.run(negativeAccounts, [])
      return [
        ...(unbalanced > 0 ? [`${unbalanced} transfers do not sum to zero`] : []),
        ...negative.map((row) => `${row.kind} ${row.subject} stands at ${row.sum_sats} sats`),
      ]
    },
  }
}

function keyOf(request: { event: string; subject: string }): string {
  return `${request.event}:${request.subject}`
}
