/** What an own receipt is sent as: `GET /plays/{play_id}/receipt` (decisions section 2). */
export interface OwnReceipt {
  /** the signed note of the play; it holds the play's secret */
  readonly receipt: string
  /** the signed close statement; null before the close */
  readonly close: string | null
  /** where the play's entries are among the sealed ones: sibling hashes from the leaf up, hex */
  readonly entries: readonly {
    readonly id: string
    readonly index: number
    readonly size: number
    readonly path: readonly string[]
  }[]
}

/** When somebody first saw a statement: what makes a later change of it evident. */
export interface Sight {
  /** hash of the statement, hex */
  readonly hash: string
  /** epoch seconds by the clock of who saw it */
  readonly seenAt: number
}

/**
 * What a verifier brings along, which no operator can change. In a bundle it is the word of whoever saved it: there, key and
 * sights never pass a check.
 */
export interface OwnRecord {
  /** the operator's first public key as it was first seen, hex; null where it is seen for the first time */
  readonly key: string | null
  /** whose receipts they are; null without receipts */
  readonly username: string | null
  /** of seals of this draw: one that is not in its log, although it should be, shows another log */
  readonly sights: readonly Sight[]
  readonly receipts: readonly OwnReceipt[]
}

/** Everything it takes to verify one draw, without asking its operator for anything more (fairness section 10). */
export interface Bundle {
  readonly game: string
  /** counts per game from 1 */
  readonly draw: number
  /** the signed notes of the log from seq 0 without a gap, at least up to the draw's last one */
  readonly log: readonly string[]
  /** the text of the rules its open statement names */
  readonly rules: string
  /** signature lines of witnesses over its close statement in force */
  readonly witnesses: readonly string[]
  /** its round's signature as far as it is known, hex */
  readonly beacon: { readonly round: bigint; readonly signature: string } | null
  /** its published entries, 57 bytes each, in the order of the tree; null before the close */
  readonly entries: Uint8Array | null
  /** of whoever saved the bundle; null in one that holds nothing but what the operator publishes */
  readonly own: OwnRecord | null
}
