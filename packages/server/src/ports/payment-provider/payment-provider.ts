/** What an order asks of a provider: an invoice in satoshis, quoted by us. */
export interface CheckoutRequest {
  /** our order's id; a provider that keeps a reference of its own stores this one beside it */
  readonly orderId: string
  /** sats, above 0 */
  readonly amountSats: bigint
  /** what the payer reads */
  readonly description: string
  /** epoch seconds until which the payer may pay at this price */
  readonly expiresAt: number
  /** where the payer goes afterwards; arriving there proves nothing */
  readonly returnUrl: string
}

/** An invoice as the provider made it. */
export interface Checkout {
  /** the provider's name for the invoice, unique at that provider */
  readonly ref: string
  /** the absolute address of the page that takes the payment */
  readonly checkoutUrl: string
  /** the bitcoin address to pay, null where the provider does not tell it */
  readonly address: string | null
  /** epoch seconds */
  readonly expiresAt: number
}

/** One output that pays an invoice. Replacing a transaction changes its outpoint: money is counted by outpoint. */
export interface SeenOutput {
  /** `txid:vout` of an on-chain output, the payment hash of a Lightning payment */
  readonly outpoint: string
  /** above 0 */
  readonly sats: bigint
  /** 0 while it waits in the mempool; a Lightning payment is final at once and says so with a large number */
  readonly confirmations: number
  /** epoch seconds at which the provider saw it first */
  readonly seenAt: number
  readonly network: PaymentNetwork
}

/** How money came: on the chain, or over Lightning. */
export type PaymentNetwork = 'ONCHAIN' | 'LIGHTNING'

/** Everything that pays an invoice at this moment. What was replaced or double-spent is no longer in it. */
export interface InvoiceSnapshot {
  /** each outpoint once, the oldest first */
  readonly outputs: readonly SeenOutput[]
}

/** What we wait for at a provider, which says how soon it is worth asking again. */
export type AwaitedChange = 'payment' | 'confirmation'

/**
 * Who takes payments for us (payments.md section 1). A webhook or a payer who comes back is only a hint: the state of
 * an order is derived from `get` alone. Every call is bounded in time and throws when the provider does not answer.
 */
export interface PaymentProvider {
  /** kept with each invoice */
  readonly name: string
  /** Makes an invoice. Called again for the same order it may make a second one; the caller keeps the first stored. */
  createCheckout(request: CheckoutRequest): Promise<Checkout>
  /** Reads an invoice again. One the provider no longer knows has no outputs. */
  get(ref: string): Promise<InvoiceSnapshot>
  /**
   * When to ask again, in epoch seconds after `now`; null where something else will tell us. A moment of a grid all
   * looks share (a block, every thirtieth second), so that several looks at one order ask for the same next one.
   */
  nextLookAt(now: number, awaited: AwaitedChange): number | null
}
