/** One output of a payout transaction. */
export interface WalletOutput {
  /** of the wallet's network, checked before; each address once in a transaction */
  readonly address: string
  /** at least the address type's dust limit */
  readonly sats: bigint
}

/** What to pay, and under which name. */
export interface PrepareRequest {
  /** names the payment for ever: preparations under one label share an input, so at most one of them can be mined */
  readonly label: string
  readonly outputs: readonly WalletOutput[]
}

/** A signed transaction of which nothing has left yet. */
export interface PreparedTx {
  readonly txid: string
  /** the signed bytes in hexadecimal */
  readonly raw: string
  readonly feeSats: bigint
}

/**
 * The hot wallet that payouts leave from. Signing and sending are two steps on purpose: the signed bytes are stored
 * and committed between them, so that whatever crashes, only the same bytes are ever sent again (payments.md section 5).
 */
export interface Wallet {
  /**
   * Builds and signs a transaction with exactly these outputs (and at most one change output of the wallet's own).
   *
   * @throws Error when the wallet cannot cover outputs and fee; nothing is reserved then
   */
  prepare(request: PrepareRequest): Promise<PreparedTx>
  /** Sends signed bytes. Sending the same bytes again is harmless and answers `already-known`, also once mined. */
  broadcast(raw: string): Promise<'sent' | 'already-known'>
  /** Confirmations of one of our transactions: 0 in the mempool, null where the network does not know it. */
  confirmations(txid: string): Promise<number | null>
  /** Confirmed sats the wallet holds. */
  balanceSats(): Promise<bigint>
}
