import { createHmac, timingSafeEqual } from 'node:crypto'
import { addressInOneSpelling } from '@fairball/domain/btc-address'
import { CHANGED_ADDRESS_WAITS_SECONDS } from '@fairball/domain/periods'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import type { WalletOutput } from '../../ports/wallet/wallet.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { InstallationSeal } from '../../runtime/seal.ts'
import * as queries from './address-queries.ts'

/** Rows read or written at a time. */
const ROWS_AT_ONCE = 5_000
/** Players whose addresses share a digest, by id. */
const THOUSAND = 1_000n
/** Before the first seal of a player. */
const NO_SEAL = new Uint8Array(0)

type AddressRow = RowOf<typeof queries.listAddresses>

/** The parts of an address that never change. */
type SavedAddress = Pick<AddressRow, 'id' | 'playerId' | 'address' | 'createdAt' | 'usableFrom'>

/** The rest of what the seal covers: null if it was made before workers timed the wait. */
type AddressToSeal = SavedAddress & Pick<AddressRow, 'paidFrom'>

/** Why a payout may not leave for its planned address. */
export interface Refusal {
  readonly reason: string
  /** the player's addresses, or the payout, were tampered with; false if only a newer address is in use */
  readonly isTampered: boolean
}

/**
 * Seals payout addresses, so that writing to the database alone redirects no prize. A seal is an HMAC-SHA-256 over the
 * row and the player's previous seal, written by a worker when the notice about the address has been handed over.
 */
export class AddressSeals {
  readonly #sealKey: Uint8Array
  readonly #noticeKey: Uint8Array
  /** the digest of each thousand players whose addresses fitted their seals */
  readonly #checked = new Map<bigint, string>()

  constructor({ keyFor }: Pick<InstallationSeal, 'keyFor'>) {
    this.#sealKey = keyFor('addressSeals')
    this.#noticeKey = keyFor('addressNotices')
  }

  sealOf(row: AddressToSeal, before: Uint8Array): Uint8Array {
    const paidFrom = row.paidFrom === null ? [] : [String(row.paidFrom)]
    return macOf(this.#sealKey, [...factsOf(row), ...paidFrom, Buffer.from(before).toString('hex')])
  }

  /** Proves that the program saved this address and notifies this mailbox of it: part of the notice. */
  noticeProof(row: SavedAddress, to: string): Uint8Array {
    return macOf(this.#noticeKey, [...factsOf(row), to])
  }

  /**
   * What is wrong with a player's chain of seals; null for nothing.
   *
   * @param rows all of one player, as saved
   */
  #breachOf(rows: readonly AddressRow[]): string | null {
    let before: Uint8Array = NO_SEAL
    for (const row of rows) {
      if (row.seal === null) continue
      if (!isSame(row.seal, this.sealOf(row, before)))
        return `address ${row.id} of player ${row.playerId} does not fit its seal`
      before = row.seal
    }
    return null
  }

  /** Why a payout may not leave for this address; null if it may. */
  #refusalOf(rows: readonly AddressRow[], payout: { address: string; at: number }): Refusal | null {
    const breach = this.#breachOf(rows)
    if (breach !== null) return { reason: breach, isTampered: true }
    const inUse = rows.findLast(
      (row) => row.seal !== null && row.supersededAt === null && (row.paidFrom ?? row.usableFrom) <= payout.at,
    )
    const isPaid = (row: AddressRow): boolean =>
      addressInOneSpelling(row.address) === addressInOneSpelling(payout.address)
    if (inUse !== undefined && isPaid(inUse)) return null
    const wasSealed = rows.some((row) => row.seal !== null && isPaid(row))
    return wasSealed
      ? { reason: 'is not the address in use any more', isTampered: false }
      : { reason: 'is no sealed address of its player', isTampered: true }
  }

  async #breachesAmong(tx: Tx, thousands: ReadonlySet<bigint>): Promise<{ playerId: bigint; what: string }[]> {
    const found: { playerId: bigint; what: string }[] = []
    let player: AddressRow[] = []
    const look = (): void => {
      const what = this.#breachOf(player)
      if (what !== null) found.push({ playerId: player[0]?.playerId ?? 0n, what })
      player = []
    }
    for await (const rows of tx.stream(queries.streamAddresses, [[...thousands]], ROWS_AT_ONCE))
      for (const row of rows) {
        if (player[0] !== undefined && player[0].playerId !== row.playerId) look()
        player.push(row)
      }
    look()
    return found
  }

  /** What a batch was checked to pay when it was first signed: no later version pays anything else. */
  outputsSeal(batchId: bigint, outputs: readonly WalletOutput[]): Uint8Array {
    const paid = outputs.map(({ address, sats }) => `${address} ${sats}`).toSorted()
    return macOf(this.#sealKey, ['outputs', String(batchId), ...paid])
  }

  /**
   * Seals the addresses that a player was notified of, in the order they were saved, once each notice was handed over
   * or permanently refused. Called in the transaction that stores this outcome of a notice. Any address but the first
   * is paid to 24 hours after that: the times written by the web process prove nothing.
   *
   * @returns whether an address was sealed
   */
  async sealTold(tx: Tx, addressId: bigint, { clock, log }: Pick<Runtime, 'clock' | 'log'>): Promise<boolean> {
    const rows = await tx.run(queries.lockAddresses, [addressId])
    const waiting = rows.filter((row) => row.seal === null && row.supersededAt === null)
    const notices = await tx.run(queries.listNotices, [waiting.map(({ id }) => id)])
    const breach = waiting.length === 0 ? null : this.#breachOf(rows)
    if (breach !== null) {
      log.error({ addressId, breach }, 'no address is sealed after one that does not fit its seal')
      return false
    }
    const last = rows.findLast((row) => row.seal !== null)
    let before = last?.seal ?? NO_SEAL
    const hadOthers = rows[0] !== undefined && (await tx.one(queries.hasForgotten, [rows[0].playerId])).hasForgotten
    const sealed: { id: bigint; seal: Uint8Array; paidFrom: number }[] = []
    for (const row of waiting) {
      const own = notices.filter((notice) => notice.addressId === row.id)
      if (own.length === 0 || !own.every((notice) => notice.isOver)) break
      const isOurs = own.every((notice) => isSame(notice.addressProof, this.noticeProof(row, notice.toAddress)))
      const isFirst = before.length === 0 && !hadOthers
      const waits = isFirst || row.usableFrom >= row.createdAt + CHANGED_ADDRESS_WAITS_SECONDS
      if (!isOurs || !waits || (last !== undefined && row.id < last.id)) {
        log.error({ addressId: row.id, isOurs, waits }, 'a payout address that the program did not save gets no seal')
        break
      }
      const paidFrom = Math.max(row.usableFrom, isFirst ? 0 : clock.now() + CHANGED_ADDRESS_WAITS_SECONDS)
      before = this.sealOf({ ...row, paidFrom }, before)
      sealed.push({ id: row.id, seal: before, paidFrom })
    }
    if (sealed.length === 0) return false
    await tx.execute(queries.sealAddresses, [
      sealed.map(({ id }) => id),
      sealed.map(({ seal }) => seal),
      sealed.map(({ paidFrom }) => paidFrom),
    ])
    return true
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
      if (sealed.length > 0)
        await tx.execute(queries.replaceSeals, [sealed.map(({ id }) => id), sealed.map(({ seal }) => seal)])
      count += sealed.length
    }
    return count
  }

  /**
   * Seals what fits these seals with the keys of `next`, and proves the waiting notices again. What does not fit stays
   * as it is, and is found as before. The seals of batches are removed.
   */
  async sealAgain(tx: Tx, next: Pick<AddressSeals, 'noticeProof' | 'sealOf'>): Promise<void> {
    await tx.execute(queries.dropOutputsSeals, [])
    let player: AddressRow[] = []
    let fresh: { id: bigint; seal: Uint8Array }[] = []
    const look = (): void => {
      let before: Uint8Array = NO_SEAL
      for (const row of this.#breachOf(player) === null ? player : []) {
        if (row.seal === null) continue
        before = next.sealOf(row, before)
        fresh.push({ id: row.id, seal: before })
      }
      player = []
    }
    const write = async (): Promise<void> => {
      await tx.execute(queries.replaceSeals, [fresh.map(({ id }) => id), fresh.map(({ seal }) => seal)])
      fresh = []
    }
    const thousands = (await tx.run(queries.digestAddresses, [])).map(({ thousand }) => thousand)
    for await (const rows of tx.stream(queries.streamAddresses, [thousands], ROWS_AT_ONCE)) {
      for (const row of rows) {
        if (player[0] !== undefined && player[0].playerId !== row.playerId) look()
        player.push(row)
      }
      await write()
    }
    look()
    await write()
    for (const { mailId, toAddress: to, addressProof: proof, ...row } of await tx.run(queries.listWaitingNotices, []))
      if (isSame(proof, this.noticeProof(row, to)))
        await tx.execute(queries.replaceProof, [mailId, next.noticeProof(row, to)])
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
    const all = await from.run(queries.listAddresses, [[...new Set(payouts.map(({ playerId }) => playerId))]])
    const byPlayer = Map.groupBy(all, (row) => row.playerId)
    return new Map(
      payouts.flatMap((payout) => {
        const refusal = this.#refusalOf(byPlayer.get(payout.playerId) ?? [], payout)
        return refusal === null ? [] : [[payout.payoutId, refusal] as const]
      }),
    )
  }

  /** Addresses that do not fit their seals (I12). What has not changed since its last check here is not read again. */
  async breaches(db: Db): Promise<string[]> {
    return await db.transaction(
      async (tx) => {
        const digests = await tx.run(queries.digestAddresses, [])
        const changed = digests.filter(({ thousand, digest }) => this.#checked.get(thousand) !== digest)
        const found = await this.#breachesAmong(tx, new Set(changed.map(({ thousand }) => thousand)))
        for (const { thousand, digest } of changed)
          if (!found.some(({ playerId }) => playerId / THOUSAND === thousand)) this.#checked.set(thousand, digest)
        return found.map(({ what }) => what)
      },
      { isolation: 'repeatable read' },
    )
  }
}

function factsOf(row: SavedAddress): string[] {
  return [String(row.id), String(row.playerId), row.address, String(row.createdAt), String(row.usableFrom)]
}

/** No part contains a line feed: numbers, hex, an address or an email address that was checked. */
function macOf(key: Uint8Array, parts: readonly string[]): Uint8Array {
  return new Uint8Array(createHmac('sha256', key).update(parts.join('\n')).digest())
}

/** Whether two seals are equal. */
export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
