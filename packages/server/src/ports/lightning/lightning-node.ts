/** What a node says of itself. */
export interface LightningInfo {
  /** its public key, hex: invoices are signed with it */
  readonly nodeId: string
  readonly network: 'mainnet' | 'testnet4' | 'signet' | 'regtest'
  readonly version: string
  /** of the newest block it knows */
  readonly height: number
  /** whether it has read the chain to its end */
  readonly isSynced: boolean
  readonly activeChannels: number
}

/** An invoice to be made. */
export interface LightningRequest {
  /** the caller's name for it, unique at the node */
  readonly label: string
  /** 32 bytes; the invoice is known by their SHA-256, and a payment reveals them */
  readonly preimage: Uint8Array
  readonly amountMsat: bigint
  /** what the payer's wallet shows */
  readonly description: string
  readonly expirySeconds: number
}

/** An invoice as the node has it. A payment is final once the node says so: it is whole, and nothing undoes it. */
export type LightningInvoice =
  | { readonly state: 'open' | 'expired' | 'unknown' }
  | {
      readonly state: 'paid'
      readonly receivedMsat: bigint
      /** epoch seconds */
      readonly paidAt: number
    }

/** One channel, seen from our side. */
interface LightningChannel {
  /** the node's own word for what it does */
  readonly state: string
  readonly isConnected: boolean
  readonly sendableMsat: bigint
  readonly receivableMsat: bigint
}

/** What a node holds, and what can pass through its channels now. */
export interface Liquidity {
  /** everything that is the operator's: channels, coins on the chain, and what is on its way and not settled */
  readonly oursMsat: bigint
  readonly sendableMsat: bigint
  readonly receivableMsat: bigint
  /** what is on its way, in or out */
  readonly inFlightMsat: bigint
  /** the block from which the first of what is on its way out has to be fought for on the chain; null for none */
  readonly nextExpiry: number | null
  readonly channels: readonly LightningChannel[]
}

/** Sums since the node's beginning, in thousandths of a satoshi. The node corrects them. */
export interface LightningFees {
  /** earned by passing payments of others on */
  readonly routedMsat: bigint
  /** paid to the chain, for opening and closing channels and the like */
  readonly chainFeeMsat: bigint
}

/** What a transaction of the chain did to a node's own coins: its channels are not among them. */
export interface NodeMovement {
  /** what its outputs brought to the node, in sats */
  readonly receivedSats: bigint
  /** whether it spent coins of the node */
  readonly isSpender: boolean
}

/** The node gave no answer, or none that can be understood. Whether it did what was asked is unknown. */
export class NodeSilent extends Error {
  override readonly name = 'NodeSilent'
}

/** The node understood the request and refused it: nothing was done. */
export class NodeRefused extends Error {
  override readonly name = 'NodeRefused'
  /** the node's own */
  readonly code: number

  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

/** The node says that it paid, with a preimage of another payment: it cannot be trusted. */
export class FalsePreimage extends Error {
  override readonly name = 'FalsePreimage'

  /** @param hash of the payment */
  constructor(hash: string) {
    super(`the Lightning node says that ${hash} is paid, with a preimage that is not of it`)
  }
}

/** The node cannot be used as it is: another network, an old version, another identity. The message is for the operator. */
export class LightningUnfit extends Error {
  override readonly name = 'LightningUnfit'
}

/**
 * The operator's Lightning node. The payment hash is the identity of a payment. Every call is bounded in time and
 * throws `NodeSilent` or `NodeRefused`.
 */
export interface LightningNode {
  readonly name: 'cln' | 'lnd' | 'test'
  info(): Promise<LightningInfo>
  /** Makes an invoice (BOLT 11). The same preimage again gives the same invoice. */
  createInvoice(request: LightningRequest): Promise<string>
  /** @param hash hex, as everywhere here */
  invoice(hash: string): Promise<LightningInvoice>
  /** Ends an unpaid invoice for good; the answer is exact even if a payment arrives at the same moment. */
  closeInvoice(hash: string): Promise<'closed' | 'paid' | 'unknown'>
  /**
   * Invoices that were paid since a cursor of an earlier answer (null: since ever), 500 at most. The same cursor again
   * returns at least the same.
   */
  settledSince(cursor: string | null): Promise<{ readonly cursor: string; readonly hashes: readonly string[] }>
  /** Returns once something was paid since a cursor, or after some time; only a hint. */
  waitSettled(cursor: string | null, signal: AbortSignal): Promise<void>
  liquidity(): Promise<Liquidity>
  fees(): Promise<LightningFees>
  /** What a transaction of the chain did to the node's coins. */
  movedBy(txid: string): Promise<NodeMovement>
}

/** A payment to be sent. */
export interface LightningPayment {
  /** BOLT 11, or BOLT 12 from `fetchInvoice` */
  readonly invoice: string
  /** the invoice's payment hash, hex */
  readonly hash: string
  /** most that the way may cost, in msat; 0 means that it must cost nothing */
  readonly maxFeeMsat: bigint
  /** how long the node looks for a way, in seconds */
  readonly retrySeconds: number
  readonly label: string
}

/**
 * What became of the payments of a hash.
 *
 * - `none`: the node knows of no attempt. One may still be in a call that it has not read yet.
 * - `never-left`: the node took one, died before it left, and will neither end nor repeat it.
 */
export type Tracked =
  | { readonly is: 'complete'; readonly preimage: string; readonly sentMsat: bigint }
  | { readonly is: 'in-flight' | 'failed' | 'never-left' | 'none' }

/** A payment that a node completed. */
export interface PaidByNode {
  readonly hash: string
  /** what `send` was given; null if the node keeps none, or had none */
  readonly label: string | null
}

/** A BOLT 12 invoice as the node reads it. */
export interface DecodedInvoice {
  /** whether it is an invoice, and signed by its payee */
  readonly isValid: boolean
  readonly amountMsat: bigint
  readonly hash: string
  /** the payee's key, hex; of an offer that hides its node another one than the node's */
  readonly payee: string
  /** epoch seconds */
  readonly madeAt: number
  readonly expirySeconds: number
}

/** The half of the port that sends: what payouts over Lightning stand on. */
export interface LightningSender {
  /**
   * Sends a payment. Its answer is never believed, an error least of all: `track` tells what became of it. The same
   * invoice again is paid once.
   */
  send(payment: LightningPayment): Promise<void>
  /** @throws FalsePreimage */
  track(hash: string): Promise<Tracked>
  /** Payments that were completed since a cursor of an earlier answer (null: since ever), 500 at most. */
  paidSince(cursor: string | null): Promise<{ readonly cursor: string; readonly payments: readonly PaidByNode[] }>
  /** Fetches an invoice of a BOLT 12 offer; only nodes that can. @returns the invoice */
  fetchInvoice?(offer: string, amountMsat: bigint, note: string): Promise<string>
  /** Reads a BOLT 12 invoice; only nodes that can fetch one. @throws NodeRefused for what is none */
  decodeInvoice?(invoice: string): Promise<DecodedInvoice>
}
