/** One output of a payout transaction. */
export interface WalletOutput {
  /** of the wallet's network, checked before; each address once per transaction */
  readonly address: string
  /** at least the address type's dust limit */
  readonly sats: bigint
}

/** What to pay, and under which name. */
export interface PrepareRequest {
  /** names the payment in logs and in the wallet */
  readonly label: string
  readonly outputs: readonly WalletOutput[]
  /** outpoints that other unfinished payments have taken: none of them may be spent */
  readonly reserved: readonly string[]
  /** the maximum fee that is worth paying, in sats; default: 50,000, or half of what is paid if that is more */
  readonly worthFeeSats?: bigint
  /** the lowest rate, in sats per 1,000 virtual bytes; default: the network's */
  readonly leastRate?: bigint
}

/** The present cost of a payment. */
export interface FeeEstimate {
  /** sats per 1,000 virtual bytes */
  readonly rate: bigint
  /** a transaction without the requested outputs: one coin, and change if the wallet makes it; rounded down */
  readonly bareVbytes: bigint
}

/** A signed transaction that has not left yet. */
export interface PreparedTx {
  readonly txid: string
  /** the signed bytes in hexadecimal */
  readonly raw: string
  readonly feeSats: bigint
  /** the outpoints it spends, `txid:vout`, each once */
  readonly inputs: readonly string[]
  /** what returns to the wallet; null for nothing */
  readonly change: WalletOutput | null
}

/** A stored version of a payment. At most one of them can be mined: every version spends a coin of each before it. */
export type PaymentVersion = Omit<PreparedTx, 'change'>

/** A payment that already has versions and needs another one. */
export interface VersionRequest extends PrepareRequest {
  /** all of them, oldest first; at least one */
  readonly versions: readonly PaymentVersion[]
}

/**
 * The outcome of sending signed bytes:
 *
 * - `sent`, `already-known`: they are in the mempool or mined.
 * - `too-cheap`: the network does not accept them at this fee.
 * - `not-final`: they cannot be mined yet, because of their lock time, or because the node's chain lacks an unspent
 *   coin. The same bytes later.
 * - `conflict-of-ours`: another version has replaced them, in the mempool or in a block.
 * - `foreign-conflict`: someone else spent one of their coins. A person has to look.
 * - `unreachable`: it is unknown whether the node accepted them. The same bytes later.
 */
export type BroadcastOutcome =
  | 'sent'
  | 'already-known'
  | 'too-cheap'
  | 'not-final'
  | 'conflict-of-ours'
  | 'foreign-conflict'
  | 'unreachable'

/** A transaction that the wallet signed, for whatever caller. */
export interface OwnSpend extends PaymentVersion {
  /** what it pays to others, one entry per address */
  readonly outputs: readonly WalletOutput[]
}

/** The wallet's balance, in sats. */
export interface WalletBalances {
  /** the spendable amount: confirmed coins and its own unconfirmed change */
  readonly spendableSats: bigint
  /** what others have sent and is in no block yet */
  readonly incomingSats: bigint
}

/** The wallet does not hold enough for a payment and its fee. */
export class WalletShort extends Error {
  override readonly name = 'WalletShort'
}

/** The wallet must not be used now: its node is on another chain or catching up, or there are no keys. Retry later. */
export class WalletUnfit extends Error {
  override readonly name = 'WalletUnfit'
}

/**
 * The fee would be out of proportion to what is paid: the network's fees are high now, the wallet is in order. Nothing
 * is signed that could be sent, and no coin is held. Retry later.
 */
export class FeeTooHigh extends Error {
  override readonly name = 'FeeTooHigh'
  /** the present fee, in sats; the message leaves it out and stays the same from try to try */
  readonly feeSats: bigint

  /** @param payment.worthFeeSats the most that is worth paying, if it was given */
  constructor(payment: { feeSats: bigint; paidSats: bigint; worthFeeSats?: bigint | undefined }) {
    const { paidSats, worthFeeSats } = payment
    const most = worthFeeSats === undefined ? `half of the ${paidSats} sats paid` : `${worthFeeSats} sats`
    super(`the fee would be more than ${most}`)
    this.feeSats = payment.feeSats
  }
}

/** What the wallet made, or the network's answer, does not match the request. Nothing is sent; a person has to look. */
export class WalletRefused extends Error {
  override readonly name = 'WalletRefused'
}

/**
 * The hot wallet that payouts leave from. Signing and sending are two steps on purpose: the signed bytes are stored and
 * committed between them, so whatever crashes, only the same bytes are ever sent again (payments.md section 5).
 *
 * Every call is bounded in time, and throws if the wallet cannot be reached, except `broadcast`, which reports it.
 */
export interface Wallet {
  /**
   * Builds and signs a transaction with exactly these outputs and at most one change output of the wallet's own. Its
   * coins are held back from other preparations until `release` or `hold`. Coins from strangers are spent from six
   * confirmations on, the wallet's own change from one: a reorganisation may give strangers' coins to someone else.
   *
   * @throws WalletShort if the wallet cannot cover outputs and fee; then nothing is held
   * @throws WalletUnfit
   * @throws FeeTooHigh
   * @throws WalletRefused if the transaction does not match the request, or its fee is one that no network asks
   */
  prepare(request: PrepareRequest): Promise<PreparedTx>
  /**
   * Builds and signs a version that pays the same outputs at a higher fee, with all coins of the newest version.
   *
   * @returns null if none can replace it: it is mined, or its rate would exceed the caps; and if a version waits that
   *   no block has passed over yet: without a block, a higher fee does not help, however much time has passed
   * @throws FeeTooHigh and WalletRefused like `prepare`
   */
  bump(request: VersionRequest): Promise<PreparedTx | null>
  /**
   * Builds and signs a version that pays no one: coins that every version spends return to the wallet.
   *
   * @throws WalletRefused if those coins are spent in a block or not in the chain, or this wallet cannot take back what
   *   it sent
   */
  cancel(request: VersionRequest): Promise<PreparedTx>
  /** Sends signed bytes. Sending the same bytes again is harmless. @param others the other versions of the payment */
  broadcast(version: PaymentVersion, others: readonly PaymentVersion[]): Promise<BroadcastOutcome>
  /**
   * Confirmations of one of our transactions: 0 in the mempool, null if the network does not know it, or if a block
   * holds another that spends its coins.
   */
  confirmations(txid: string): Promise<number | null>
  /** The mined transaction that spends a coin of the wallet's, with its confirmations; null while none is known. */
  spender(outpoint: string): Promise<{ txid: string; confirmations: number } | null>
  /**
   * Whether a coin of the wallet's can never be spent any more, because a block six deep or deeper holds something else
   * in place of the transaction that made it.
   */
  isLost(outpoint: string): Promise<boolean>
  /** Those of some addresses that are the wallet's own. */
  ownAmong(addresses: readonly string[]): Promise<string[]>
  /**
   * The ids of all transactions that spent coins of the wallet's.
   *
   * @param since an earlier answer's cursor: what was final then is left out. Null for everything
   */
  outgoing(since: string | null): Promise<{ cursor: string | null; txids: string[] }>
  /** One of those transactions; null if the wallet does not know it, or a block holds another in its place. */
  spend(txid: string): Promise<OwnSpend | null>
  /** Holds back exactly these outpoints; all others are released. Those already spent are left out. */
  hold(outpoints: readonly string[]): Promise<void>
  /** Frees the coins of an abandoned preparation. */
  release(outpoints: readonly string[]): Promise<void>
  /** The cost of a payment prepared now. */
  estimateFee(): Promise<FeeEstimate>
  balances(): Promise<WalletBalances>
}
