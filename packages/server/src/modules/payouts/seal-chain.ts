import { createHmac, timingSafeEqual } from 'node:crypto'
import { CHANGED_ADDRESS_WAITS_SECONDS } from '@fairball/domain/periods'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { hasForgotten } from './address-queries.ts'

/** Rows read or written at a time. */
export const ROWS_AT_ONCE = 5_000
/** Players whose rows share a digest, by id. */
const THOUSAND = 1_000n
/** Before the first seal of a player. */
export const NO_SEAL = new Uint8Array(0)

/** The parts of a row that never change. */
interface SavedRow {
  readonly id: bigint
  readonly playerId: bigint
  readonly createdAt: number
  readonly usableFrom: number
}

/** What workers write of a row, and the end of its use. `paidFrom` is null if it was sealed before workers timed the wait. */
interface SealState {
  readonly supersededAt: number | null
  readonly seal: Uint8Array | null
  readonly paidFrom: number | null
}

interface NewSeal {
  readonly id: bigint
  readonly seal: Uint8Array
}

/** The statements of one table of sealed rows. Rows come by player, and as saved. */
export interface SealedTable<S extends SavedRow> {
  /** what a row is called in reports */
  readonly noun: string
  /** what a row's id is called in the log */
  readonly idName: string
  /** whether a row gets no seal if it was saved to be used at once, and is not its player's first */
  readonly isStrict: boolean
  /** what the seal covers, without a line feed */
  facts(row: S): readonly string[]
  list(from: Queries, playerIds: bigint[]): Promise<(S & SealState)[]>
  /** all rows of the player of this row, locked: seals are a chain */
  lock(tx: Tx, id: bigint): Promise<(S & SealState)[]>
  digests(tx: Tx): Promise<{ readonly thousand: bigint; readonly digest: string }[]>
  stream(tx: Tx, thousands: bigint[], rows: number): AsyncIterable<readonly (S & SealState)[]>
  /** the notices about these rows, and whether the mail server has answered for each */
  notices(tx: Tx, ids: bigint[]): Promise<{ of: bigint; toAddress: string; proof: Uint8Array; isOver: boolean }[]>
  seal(tx: Tx, sealed: readonly (NewSeal & { readonly paidFrom: number })[]): Promise<unknown>
  replace(tx: Tx, seals: readonly NewSeal[]): Promise<unknown>
  /** the notices about rows that have no seal yet */
  waitingNotices(tx: Tx): Promise<{ mailId: bigint; toAddress: string; proof: Uint8Array; row: S }[]>
  replaceProof(tx: Tx, mailId: bigint, proof: Uint8Array): Promise<unknown>
}

/**
 * Seals the rows of a table that say where a player is paid, so that writing to the database alone redirects no prize.
 * A seal is an HMAC-SHA-256 over the row and the player's previous seal, written by a worker when the notice about the
 * row has been handed over.
 */
export class SealChain<S extends SavedRow> {
  protected readonly sealKey: Uint8Array
  readonly #table: SealedTable<S>
  readonly #noticeKey: Uint8Array
  /** the digest of each thousand players whose rows fitted their seals */
  readonly #checked = new Map<bigint, string>()

  constructor(table: SealedTable<S>, keys: { readonly seal: Uint8Array; readonly notice: Uint8Array }) {
    this.#table = table
    this.sealKey = keys.seal
    this.#noticeKey = keys.notice
  }

  sealOf(row: S & Pick<SealState, 'paidFrom'>, before: Uint8Array): Uint8Array {
    const paidFrom = row.paidFrom === null ? [] : [String(row.paidFrom)]
    return macOf(this.sealKey, [...this.#table.facts(row), ...paidFrom, Buffer.from(before).toString('hex')])
  }

  /** Proves that the program saved this row and notifies this mailbox of it: part of the notice. */
  noticeProof(row: S, to: string): Uint8Array {
    return macOf(this.#noticeKey, [...this.#table.facts(row), to])
  }

  /**
   * What is wrong with a player's chain of seals; null for nothing.
   *
   * @param rows all of one player, as saved
   */
  protected breachOf(rows: readonly (S & SealState)[]): string | null {
    let before: Uint8Array = NO_SEAL
    for (const row of rows) {
      if (row.seal === null) continue
      if (!isSame(row.seal, this.sealOf(row, before)))
        return `${this.#table.noun} ${row.id} of player ${row.playerId} does not fit its seal`
      before = row.seal
    }
    return null
  }

  /**
   * Seals the rows that a player was notified of, in the order they were saved, once each notice was handed over or
   * permanently refused. Called in the transaction that stores this outcome of a notice. Any row but the first is paid
   * to 24 hours after that: the times written by the web process prove nothing.
   *
   * @returns whether a row was sealed
   */
  async sealTold(tx: Tx, id: bigint, { clock, log }: Pick<Runtime, 'clock' | 'log'>): Promise<boolean> {
    const { idName, isStrict } = this.#table
    const rows = await this.#table.lock(tx, id)
    const waiting = rows.filter((row) => row.seal === null && row.supersededAt === null)
    const notices = await this.#table.notices(
      tx,
      waiting.map((row) => row.id),
    )
    const breach = waiting.length === 0 ? null : this.breachOf(rows)
    if (breach !== null) {
      log.error({ [idName]: id, breach }, `no ${this.#table.noun} is sealed after one that does not fit its seal`)
      return false
    }
    const last = rows.findLast((row) => row.seal !== null)
    let before = last?.seal ?? NO_SEAL
    const hadOthers = rows[0] !== undefined && (await tx.one(hasForgotten, [rows[0].playerId])).hasForgotten
    const sealed: { id: bigint; seal: Uint8Array; paidFrom: number }[] = []
    for (const row of waiting) {
      const own = notices.filter((notice) => notice.of === row.id)
      if (own.length === 0 || !own.every((notice) => notice.isOver)) break
      const isOurs = own.every((notice) => isSame(notice.proof, this.noticeProof(row, notice.toAddress)))
      const isFirst = before.length === 0 && !hadOthers
      const waits = isFirst || !isStrict || row.usableFrom >= row.createdAt + CHANGED_ADDRESS_WAITS_SECONDS
      if (!isOurs || !waits || (last !== undefined && row.id < last.id)) {
        log.error({ [idName]: row.id, isOurs, waits }, 'a payout address that the program did not save gets no seal')
        break
      }
      const paidFrom = Math.max(row.usableFrom, isFirst ? 0 : clock.now() + CHANGED_ADDRESS_WAITS_SECONDS)
      before = this.sealOf({ ...row, paidFrom }, before)
      sealed.push({ id: row.id, seal: before, paidFrom })
    }
    if (sealed.length > 0) await this.#table.seal(tx, sealed)
    return sealed.length > 0
  }

  /**
   * Seals what fits these seals with the keys of `next`, and proves the waiting notices again. What does not fit stays
   * as it is, and is found as before.
   */
  protected async sealChainAgain(tx: Tx, next: Pick<SealChain<S>, 'noticeProof' | 'sealOf'>): Promise<void> {
    let player: (S & SealState)[] = []
    let fresh: NewSeal[] = []
    const look = (): void => {
      let before: Uint8Array = NO_SEAL
      for (const row of this.breachOf(player) === null ? player : []) {
        if (row.seal === null) continue
        before = next.sealOf(row, before)
        fresh.push({ id: row.id, seal: before })
      }
      player = []
    }
    const thousands = (await this.#table.digests(tx)).map(({ thousand }) => thousand)
    for await (const rows of this.#table.stream(tx, thousands, ROWS_AT_ONCE)) {
      for (const row of rows) {
        if (player[0] !== undefined && player[0].playerId !== row.playerId) look()
        player.push(row)
      }
      await this.#table.replace(tx, fresh)
      fresh = []
    }
    look()
    await this.#table.replace(tx, fresh)
    for (const { mailId, toAddress, proof, row } of await this.#table.waitingNotices(tx))
      if (isSame(proof, this.noticeProof(row, toAddress)))
        await this.#table.replaceProof(tx, mailId, next.noticeProof(row, toAddress))
  }

  /** The rows of these players, each player's as saved. */
  protected async rowsByPlayer(from: Queries, playerIds: readonly bigint[]): Promise<Map<bigint, (S & SealState)[]>> {
    return Map.groupBy(await this.#table.list(from, [...new Set(playerIds)]), (row) => row.playerId)
  }

  /** Rows that do not fit their seals (I12). What has not changed since its last check here is not read again. */
  async breaches(db: Db): Promise<string[]> {
    return await db.transaction(
      async (tx) => {
        const digests = await this.#table.digests(tx)
        const changed = digests.filter(({ thousand, digest }) => this.#checked.get(thousand) !== digest)
        const found = await this.#breachesAmong(tx, new Set(changed.map(({ thousand }) => thousand)))
        for (const { thousand, digest } of changed)
          if (!found.some(({ playerId }) => playerId / THOUSAND === thousand)) this.#checked.set(thousand, digest)
        return found.map(({ what }) => what)
      },
      { isolation: 'repeatable read' },
    )
  }

  async #breachesAmong(tx: Tx, thousands: ReadonlySet<bigint>): Promise<{ playerId: bigint; what: string }[]> {
    const found: { playerId: bigint; what: string }[] = []
    let player: (S & SealState)[] = []
    const look = (): void => {
      const what = this.breachOf(player)
      if (what !== null) found.push({ playerId: player[0]?.playerId ?? 0n, what })
      player = []
    }
    for await (const rows of this.#table.stream(tx, [...thousands], ROWS_AT_ONCE))
      for (const row of rows) {
        if (player[0] !== undefined && player[0].playerId !== row.playerId) look()
        player.push(row)
      }
    look()
    return found
  }
}

/** No part contains a line feed: numbers, hex, an address or an email address that was checked. */
export function macOf(key: Uint8Array, parts: readonly string[]): Uint8Array {
  return new Uint8Array(createHmac('sha256', key).update(parts.join('\n')).digest())
}

/** Whether two seals are equal. */
export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
