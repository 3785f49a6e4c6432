import { isSameAddress } from '@fairball/domain/btc-address'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import type { WalletOutput } from '../../ports/wallet/wallet.ts'
import type { InstallationSeal } from '../../runtime/seal.ts'
import * as queries from './address-queries.ts'
import { DestinationSeals } from './destination-seals.ts'
import { macOf, NO_SEAL, ROWS_AT_ONCE, SealChain, type SealedTable } from './seal-chain.ts'

type AddressRow = RowOf<typeof queries.listAddresses>

/** The parts of an address that never change. */
type SavedAddress = Pick<AddressRow, 'id' | 'playerId' | 'address' | 'createdAt' | 'usableFrom'>

/** Why a payout may not leave for its planned address. */
export interface Refusal {
  readonly reason: string
  /** the player's addresses, or the payout, were tampered with; false if only a newer address is in use */
  readonly isTampered: boolean
}

/** `player_addresses`, as sealed. */
const ADDRESSES: SealedTable<SavedAddress> = {
  noun: 'address',
  idName: 'addressId',
  isStrict: true,
  facts: (row) => [String(row.id), String(row.playerId), row.address, String(row.createdAt), String(row.usableFrom)],
  list: (from, playerIds) => from.run(queries.listAddresses, [playerIds]),
  lock: (tx, id) => tx.run(queries.lockAddresses, [id]),
  digests: (tx) => tx.run(queries.digestAddresses, []),
  stream: (tx, thousands, rows) => tx.stream(queries.streamAddresses, [thousands], rows),
  notices: (tx, ids) => tx.run(queries.listNotices, [ids]),
  seal: (tx, sealed) =>
    tx.execute(queries.sealAddresses, [
      sealed.map(({ id }) => id),
      sealed.map(({ seal }) => seal),
      sealed.map(({ paidFrom }) => paidFrom),
    ]),
  replace: (tx, seals) => tx.execute(queries.replaceSeals, [seals.map(({ id }) => id), seals.map(({ seal }) => seal)]),
  waitingNotices: async (tx) =>
    (await tx.run(queries.listWaitingNotices, [])).map(({ mailId, toAddress, proof, ...row }) => ({
      mailId,
      toAddress,
      proof,
      row,
    })),
  replaceProof: (tx, mailId, proof) => tx.execute(queries.replaceProof, [mailId, proof]),
}

/** Seals payout addresses, and what batches pay: see `SealChain`. */
export class AddressSeals extends SealChain<SavedAddress> {
  /** the same for destinations over Lightning */
  readonly destinations: DestinationSeals

  constructor({ keyFor }: Pick<InstallationSeal, 'keyFor'>) {
    const keys = { seal: keyFor('addressSeals'), notice: keyFor('addressNotices') }
    super(ADDRESSES, keys)
    this.destinations = new DestinationSeals(keys)
  }

  /** Why a payout may not leave for this address; null if it may. */
  #refusalOf(rows: readonly AddressRow[], payout: { address: string; at: number }): Refusal | null {
    const breach = this.breachOf(rows)
    if (breach !== null) return { reason: breach, isTampered: true }
    const inUse = rows.findLast(
      (row) => row.seal !== null && row.supersededAt === null && (row.paidFrom ?? row.usableFrom) <= payout.at,
    )
    const isPaid = (row: AddressRow): boolean => isSameAddress(row.address, payout.address)
    if (inUse !== undefined && isPaid(inUse)) return null
    const wasSealed = rows.some((row) => row.seal !== null && isPaid(row))
    return wasSealed
      ? { reason: 'is not the address in use any more', isTampered: false }
      : { reason: 'is no sealed address of its player', isTampered: true }
  }

  /** What a batch was checked to pay when it was first signed: no later version pays anything else. */
  outputsSeal(batchId: bigint, outputs: readonly WalletOutput[]): Uint8Array {
    const paid = outputs.map(({ address, sats }) => `${address} ${sats}`).toSorted()
    return macOf(this.sealKey, ['outputs', String(batchId), ...paid])
  }

  /**
   * Seals everything without a seal, whether or not its player was notified: for addresses from before there were
   * seals.
   *
   * @returns how many were sealed
   */
  async sealAll(tx: Tx): Promise<number> {
    let before: { playerId: bigint; seal: Uint8Array } | null = null
    let count = 0
    for await (const rows of tx.stream(queries.streamUnsealed, [], ROWS_AT_ONCE)) {
      const sealed: { id: bigint; seal: Uint8Array }[] = []
      for (const row of rows) {
        const isNew = row.seal === null && row.supersededAt === null
        const last: Uint8Array = before?.playerId === row.playerId ? before.seal : NO_SEAL
        const seal: Uint8Array | null = isNew ? this.sealOf(row, last) : row.seal
        if (seal !== null) before = { playerId: row.playerId, seal }
        if (isNew && seal !== null) sealed.push({ id: row.id, seal })
      }
      if (sealed.length > 0) await ADDRESSES.replace(tx, sealed)
      count += sealed.length
    }
    return count
  }

  /**
   * Seals what fits these seals with the keys of `next`, and proves the waiting notices again. The seals of batches are
   * removed.
   */
  async sealAgain(tx: Tx, next: AddressSeals): Promise<void> {
    await tx.execute(queries.dropOutputsSeals, [])
    await this.sealChainAgain(tx, next)
    await this.destinations.sealAgain(tx, next.destinations)
  }

  /**
   * Those of these payouts whose address is not the one in use that their player was notified of, each with the reason.
   *
   * @param payouts `at` is when it was planned, epoch seconds
   */
  async refused(
    from: Queries,
    payouts: readonly { payoutId: bigint; playerId: bigint; address: string; at: number }[],
  ): Promise<Map<bigint, Refusal>> {
    const rowsOf = await this.rowsByPlayer(
      from,
      payouts.map(({ playerId }) => playerId),
    )
    return new Map(
      payouts.flatMap((payout) => {
        const refusal = this.#refusalOf(rowsOf.get(payout.playerId) ?? [], payout)
        return refusal === null ? [] : [[payout.payoutId, refusal] as const]
      }),
    )
  }

  /** Addresses and destinations that do not fit their seals (I12). */
  override async breaches(db: Db): Promise<string[]> {
    return [...(await super.breaches(db)), ...(await this.destinations.breaches(db))]
  }
}
