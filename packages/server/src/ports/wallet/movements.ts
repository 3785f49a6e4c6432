/** The wallets whose coins are followed: the one that payments come to, where it is ours, and the one payouts leave from. */
export type FollowedWallet = 'deposits' | 'payouts'

/** One output of a transaction that moved coins of ours. */
export interface MovedOutput {
  /** `txid:vout` */
  readonly outpoint: string
  /** null where its script has no address */
  readonly address: string | null
  /** 0 or more */
  readonly sats: bigint
  /** whose it is now; null where it is somebody else's */
  readonly holder: FollowedWallet | null
  /** whether it is a part of what its holder says it holds: deep enough, mature, or change of the holder's own */
  readonly counts: boolean
}

/** A transaction that spends coins of ours, or brings some that are no payment. */
export interface Movement {
  readonly txid: string
  /** 0 in the mempool */
  readonly confirmations: number
  /** a block's reward, whose coins can be spent 100 blocks later */
  readonly isCoinbase: boolean
  /** what it spends of ours, in sats */
  readonly ownInSats: bigint
  /** what a spend of ours spends in all, in sats; null in the mempool, where the node does not tell, and of all others */
  readonly inSats: bigint | null
  /** what it pays in all, in sats: the rest is the miner's */
  readonly outSats: bigint
  readonly outputs: readonly MovedOutput[]
}

/** What happened to the followed wallets since a cursor. */
export interface MovementList {
  /** where to go on; store it together with what is done about these */
  readonly cursor: string
  /** ids of those that are six blocks deep or deeper: they stay as they are */
  readonly final: readonly string[]
  /** ids of those above, in a block or perhaps waiting for one */
  readonly young: readonly string[]
}

/**
 * Everything that moves coins of our own wallets, save for what others pay to the deposits: that is the payment provider's
 * to tell. Payouts are among it. Every call is bounded in time and throws when the wallets cannot be read.
 */
export interface Movements {
  /** What happened since a cursor of an earlier call; null: since ever. Asked again it gives at least the same again. */
  list(cursor: string | null): Promise<MovementList>
  /** One transaction as it stands now; null where no block and no mempool holds it any more. */
  find(txid: string): Promise<Movement | null>
  /** Whether a transaction spends a coin of one of the followed wallets. */
  spendsOurs(txid: string): Promise<boolean>
}
