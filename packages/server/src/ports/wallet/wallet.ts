/** One output of a payout transaction. */
export interface WalletOutput {
  /** of the wallet's network, checked before; each address once in a transaction */
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
  /** the largest fee that is worth paying, in sats; default: 50,000, or half of what is paid where that is more */
  readonly worthFeeSats?: bigint
  /** the lowest rate, in sats per 1,000 virtual bytes; default: what the network asks */
  readonly leastRate?: bigint
}

/** What a payment would cost now. */
export interface FeeEstimate {
  /** sats per 1,000 virtual bytes */
  readonly rate: bigint
  /** a transaction without the outputs asked for: one coin, and change where the wallet makes it; rounded down */
  readonly bareVbytes: bigint
}

/** A signed transaction of which nothing has left yet. */
export interface PreparedTx {
  readonly txid: string
  /** the signed bytes in hexadecimal */
  readonly raw: string
  readonly feeSats: bigint
  /** the outpoints it spends, `txid:vout`, each once */
  readonly inputs: readonly string[]
  /** what comes back to the wallet; null where nothing does */
  readonly change: WalletOutput | null
}

/** A stored version of a payment. At most one of them can be mined: every version spends a coin of each before it. */
export type PaymentVersion = Omit<PreparedTx, 'change'>

/** A payment that has versions already and needs another one. */
export interface VersionRequest extends PrepareRequest {
  /** all of them, the oldest first; at least one */
  readonly versions: readonly PaymentVersion[]
}

/**
 * What became of signed bytes that were sent:
 *
 * - `sent`, `already-known`: they are in the mempool or mined.
 * - `too-cheap`: the network does not take them at this fee.
 * - `not-final`: they cannot be mined yet, because of their lock time, or because the chain the node sees lacks a coin
 *   that nobody spent. The same bytes later.
 * - `conflict-of-ours`: another version has taken their place, in the mempool or in a block.
 * - `foreign-conflict`: somebody else spent one of their coins. A person has to look.
 * - `unreachable`: nobody knows whether the node took them. The same bytes later.
 */
export type BroadcastOutcome =
  | 'sent'
  | 'already-known'
  | 'too-cheap'
  | 'not-final'
  | 'conflict-of-ours'
  | 'foreign-conflict'
  | 'unreachable'

/** A transaction that the wallet signed, whoever asked it to. */
export interface OwnSpend extends PaymentVersion {
  /** what it pays to others, one entry an address */
  readonly outputs: readonly WalletOutput[]
}

/** What the wallet holds, in sats. */
export interface WalletBalances {
  /** what it can pay with: confirmed coins and change of its own that is still unconfirmed */
  readonly spendableSats: bigint
  /** what others have sent and no block holds yet */
  readonly incomingSats: bigint
}

/** The wallet does not hold enough for a payment and its fee. */
export class WalletShort extends Error {
  override readonly name = 'WalletShort'
}

/** The wallet must not be used now: its node is on another chain or catching up, or there are no keys. Later again. */
export class WalletUnfit extends Error {
  override readonly name = 'WalletUnfit'
}

/**
 * The fee would be out of proportion to what is paid: the network is dear now, the wallet is as it should be. Nothing is
 * signed that could be sent, no coin is held. Later again.
 */
export class FeeTooHigh extends Error {
  override readonly name = 'FeeTooHigh'
  /** what it would be now, in sats; the message leaves it out and stays the same from try to try */
  readonly feeSats: bigint

  /** @param payment.worthFeeSats the most that is worth paying, where that was asked for */
  constructor(payment: { feeSats: bigint; paidSats: bigint; worthFeeSats?: bigint | undefined }) {
    const { paidSats, worthFeeSats } = payment
    const most = worthFeeSats === undefined ? `half of the ${paidSats} sats paid` : `${worthFeeSats} sats`
    super(`the fee would be more than ${most}`)
    this.feeSats = payment.feeSats
  }
}

/** What the wallet made, or was told by the network, is not what was asked for. Nothing is sent; a person has to look. */
export class WalletRefused extends Error {
  override readonly name = 'WalletRefused'
}

/**
 * The hot wallet that payouts leave from. Signing and sending are two steps on purpose: the signed bytes are stored
 * and committed between them, so that whatever crashes, only the same bytes are ever sent again (payments.md section 5).
 *
 * Every call is bounded in time, and throws when the wallet cannot be reached, save for `broadcast`, which says so.
 */
export interface Wallet {
  /**
   * Builds and signs a transaction with exactly these outputs and at most one change output of the wallet's own. Its
   * coins are held back from other preparations until `release` or `hold`. Coins that others sent are spent from six
   * confirmations on, change of the wallet's own from one: a reorganisation may give others' coins to somebody else.
   *
   * @throws WalletShort when the wallet cannot cover outputs and fee; nothing is held then
   * @throws WalletUnfit
   * @throws FeeTooHigh
   * @throws WalletRefused when the transaction is not what was asked for, or its fee is one that no network asks
   */
  prepare(request: PrepareRequest): Promise<PreparedTx>
  /**
   * Builds and signs a version that pays the same outputs at a higher fee, with all coins of the newest version.
   *
   * @returns null when none can replace it: it is mined, or its rate would be beyond the caps; and when a version waits
   *   that no block has passed over yet: where no block came, a higher fee helps nobody, however much time went by
   * @throws FeeTooHigh and WalletRefused as `prepare` does
   */
  bump(request: VersionRequest): Promise<PreparedTx | null>
  /**
   * Builds and signs a version that pays nobody: coins that every version spends go back to the wallet.
   *
   * @throws WalletRefused when those coins are spent in a block or out of the chain, or this wallet cannot take back what
   *   it sent
   */
  cancel(request: VersionRequest): Promise<PreparedTx>
  /** Sends signed bytes. Sending the same bytes again is harmless. @param others the other versions of the payment */
  broadcast(version: PaymentVersion, others: readonly PaymentVersion[]): Promise<BroadcastOutcome>
  /**
   * Confirmations of one of our transactions: 0 in the mempool, null where the network does not know it, or where a
   * block holds another that spends its coins.
   */
  confirmations(txid: string): Promise<number | null>
  /** The mined transaction that spends a coin of the wallet's, with its confirmations; null while none is known. */
  spender(outpoint: string): Promise<{ txid: string; confirmations: number } | null>
  /**
   * Whether a coin of the wallet's can never be spent any more, because a block six deep or deeper holds something else in
   * place of the transaction that made it.
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
  /** One of those transactions; null where the wallet does not know it, or a block holds another in its place. */
  spend(txid: string): Promise<OwnSpend | null>
  /** Holds back exactly these outpoints; every other that was held is free again. Those spent already are left out. */
  hold(outpoints: readonly string[]): Promise<void>
  /** Frees coins of a preparation that was given up. */
  release(outpoints: readonly string[]): Promise<void>
  /** What a payment would cost that is prepared now. */
  estimateFee(): Promise<FeeEstimate>
  balances(): Promise<WalletBalances>
}
