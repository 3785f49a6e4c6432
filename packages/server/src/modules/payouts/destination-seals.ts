import type { Queries, Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import * as queries from './destination-queries.ts'
import { isSame, macOf, SealChain, type SealedTable } from './seal-chain.ts'

/** The parts of a destination that never change. */
type SavedDestination = Omit<RowOf<typeof queries.listDestinations>, 'supersededAt' | 'seal' | 'paidFrom'>

/** `player_destinations`, as sealed. The first word keeps these seals apart from those of addresses. */
const DESTINATIONS: SealedTable<SavedDestination> = {
  noun: 'destination',
  idName: 'destinationId',
  isStrict: false,
  facts: (row) => [
    'lightning',
    String(row.id),
    String(row.playerId),
    row.kind,
    row.value,
    String(row.minMsat),
    String(row.maxMsat),
    String(row.createdAt),
    String(row.usableFrom),
  ],
  list: (from, playerIds) => from.run(queries.listDestinations, [playerIds]),
  lock: (tx, id) => tx.run(queries.lockDestinations, [id]),
  digests: (tx) => tx.run(queries.digestDestinations, []),
  stream: (tx, thousands, rows) => tx.stream(queries.streamDestinations, [thousands], rows),
  notices: (tx, ids) => tx.run(queries.listDestinationNotices, [ids]),
  seal: (tx, sealed) =>
    tx.execute(queries.sealDestinations, [
      sealed.map(({ id }) => id),
      sealed.map(({ seal }) => seal),
      sealed.map(({ paidFrom }) => paidFrom),
    ]),
  replace: (tx, seals) =>
    tx.execute(queries.replaceDestinationSeals, [seals.map(({ id }) => id), seals.map(({ seal }) => seal)]),
  waitingNotices: async (tx) =>
    (await tx.run(queries.listWaitingDestinationNotices, [])).map(({ mailId, toAddress, proof, ...row }) => ({
      mailId,
      toAddress,
      proof,
      row,
    })),
  replaceProof: (tx, mailId, proof) => tx.execute(queries.replaceDestinationProof, [mailId, proof]),
}

/** The parts of an attempt that never change. */
type Attempt = Omit<RowOf<typeof queries.listOpenAttempts>, 'seal'>

/** Why a payout may not leave over Lightning for its planned destination. */
interface DestinationRefusal {
  readonly reason: string
  /** the player's destinations were tampered with; false if only another one is in use by now, or none */
  readonly isTampered: boolean
}

/** Seals destinations over Lightning: see `SealChain`. */
export class DestinationSeals extends SealChain<SavedDestination> {
  constructor(keys: { readonly seal: Uint8Array; readonly notice: Uint8Array }) {
    super(DESTINATIONS, keys)
  }

  /**
   * Why a payout may not leave for a destination of its player; null if it may: the player's whole chain fits its
   * seals, this is the destination in use, and the payout names it as it was sealed.
   *
   * @param payout `address` is the destination as the payout names it, `at` is now, epoch seconds
   */
  async refusalOf(
    from: Queries,
    payout: {
      readonly playerId: bigint
      readonly destinationId: bigint
      readonly address: string
      readonly at: number
    },
  ): Promise<DestinationRefusal | null> {
    const rows = (await this.rowsByPlayer(from, [payout.playerId])).get(payout.playerId) ?? []
    const breach = this.breachOf(rows)
    if (breach !== null) return { reason: breach, isTampered: true }
    const inUse = rows.findLast(
      (row) => row.seal !== null && row.supersededAt === null && (row.paidFrom ?? row.usableFrom) <= payout.at,
    )
    const planned = rows.find((row) => row.id === payout.destinationId)
    if (planned !== undefined && planned.value !== payout.address)
      return { reason: 'is no sealed destination of its player', isTampered: true }
    if (inUse !== undefined && inUse === planned) return null
    return { reason: 'is not the destination in use any more', isTampered: false }
  }

  /** Proves that the program stored this invoice for a payout: the node is asked to pay no other. */
  attemptSeal({ payoutId, attempt, paymentHash, invoice, amountMsat, maxFeeMsat }: Attempt): Uint8Array {
    const facts = [payoutId, attempt, paymentHash, invoice, amountMsat, maxFeeMsat].map(String)
    return macOf(this.sealKey, ['attempt', ...facts])
  }

  isSealedAttempt(attempt: Attempt & { readonly seal: Uint8Array | null }): boolean {
    return attempt.seal !== null && isSame(attempt.seal, this.attemptSeal(attempt))
  }

  /** The same for attempts that may still be sent. */
  async sealAgain(tx: Tx, next: DestinationSeals): Promise<void> {
    await this.sealChainAgain(tx, next)
    for (const open of await tx.run(queries.listOpenAttempts, []))
      if (this.isSealedAttempt(open))
        await tx.execute(queries.replaceAttemptSeal, [open.payoutId, open.attempt, next.attemptSeal(open)])
  }
}
