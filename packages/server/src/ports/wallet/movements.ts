/**
 * The wallets whose coins are followed: the one that payments come to, if it is ours, and the one payouts leave from.
 */
export type FollowedWallet = 'deposits' | 'payouts'

/** One output of a transaction that moved coins of ours. */
export interface MovedOutput {
  /** `txid:vout` */
  readonly outpoint: string
  /** null if its script has no address */
  readonly address: string | null
  /** 0 or more */
  readonly sats: bigint
  /** the owner now; null if it is someone else's */
  readonly holder: FollowedWallet | null
  /** whether it is part of its holder's reported balance: deep enough, mature, or change of the holder's own */
  readonly counts: boolean
}

/** A transaction that spends coins of ours, or brings some that are no payment. */
export interface Movement {
  readonly txid: string
  /** 0 in the mempool */
  readonly confirmations: number
  /** a block reward, whose coins can be spent 100 blocks later */
  readonly isCoinbase: boolean
  /** the value of our coins that it spends, in sats */
  readonly ownInSats: bigint
  /**
   * the total that a spend of ours spends, in sats; null in the mempool, where the node does not report it, and for all
   * others
   */
  readonly inSats: bigint | null
  /** the total of its outputs, in sats: the rest is the miner's */
  readonly outSats: bigint
  readonly outputs: readonly MovedOutput[]
}

/** What happened to the followed wallets since a cursor. */
export interface MovementList {
  /** where to continue; store it together with what is done about these */
  readonly cursor: string
  /** ids of those that are six blocks deep or deeper: they are final */
  readonly final: readonly string[]
  /** ids of those above, in a block or perhaps waiting for one */
  readonly young: readonly string[]
}

/**
 * Everything that moves coins of our own wallets, except for what others pay to the deposits, which the payment
 * provider reports. Payouts are included. Every call is bounded in time and throws if the wallets cannot be read.
 */
export interface Movements {
  /**
   * What happened since a cursor of an earlier call; null: since ever. A repeated call returns at least the same again.
   */
  list(cursor: string | null): Promise<MovementList>
  /** One transaction in its present state; null if it is no longer in a block or the mempool. */
  find(txid: string): Promise<Movement | null>
  /** Whether a transaction spends a coin of one of the followed wallets. */
  spendsOurs(txid: string): Promise<boolean>
}
