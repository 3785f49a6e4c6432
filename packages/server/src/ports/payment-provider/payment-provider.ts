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
  /** `txid:vout` of an on-chain output, `ln:<payment hash>:0` of a Lightning payment */
  readonly outpoint: string
  /** above 0 */
  readonly sats: bigint
  /** 0 while it waits in the mempool; a Lightning payment is final at once and says so with a large number */
  readonly confirmations: number
  /** epoch seconds at which the provider saw it first */
  readonly seenAt: number
  /** epoch seconds of the block that holds it; left out in no block, and where the provider does not tell */
  readonly minedAt?: number
  readonly network: PaymentNetwork
  /** whether it came to an address that the operator asked for, or to a wallet of the operator's; left out where not */
  readonly isOperators?: boolean
  /** what its transaction spends, as `txid:vout`; left out where the provider does not show it */
  readonly inputs?: readonly string[]
  /** whether its transaction spends a coin of ours and is no payout: nobody paid with it. Left out where the provider cannot tell */
  readonly isOwn?: boolean
}

/** How money came: on the chain, or over Lightning. */
export type PaymentNetwork = 'ONCHAIN' | 'LIGHTNING'

/** Everything that pays an invoice at this moment. What was replaced or double-spent is no longer in it. */
export interface InvoiceSnapshot {
  /** each outpoint once, the oldest first */
  readonly outputs: readonly SeenOutput[]
  /** Whether the provider itself says that nothing more will come of this invoice. Left out where it does not say. */
  readonly isFinal?: boolean
  /** Whether the provider does not know the invoice. It may know it again: while money is at stake that is no answer. */
  readonly isUnknown?: boolean
  /** Whether what is missing here says nothing of payments that counted: only what never counted is undone by it. */
  readonly leavesCounted?: boolean
  /** The provider's own words about the invoice, as JSON can carry them: kept for the operator, never decided upon. */
  readonly raw?: unknown
}

/**
 * The provider cannot be trusted with a payment now: another chain, a node that is not up to date, a key it refuses.
 * The message is for the operator and says what to do; a player only learns that paying is not possible at the moment.
 */
export class ProviderUnfit extends Error {
  override readonly name = 'ProviderUnfit'
}

/** A message of the provider's that was proven to come from it. It is a hint: the invoice is read again. */
export interface WebhookHint {
  /** the invoice it speaks of */
  readonly ref: string
  /** the same for each delivery of one message and no other: what was stored under it needs no second look */
  readonly key: string
}

/** Where a provider sends its messages, and how they are read. */
export interface PaymentWebhook {
  /** the path below the site's address, like `/webhooks/btcpay` */
  readonly path: string
  /**
   * Reads a delivery.
   *
   * @param headers names in lower case, as Node gives them
   * @param rawBody the exact bytes of the body: signatures cover these
   * @returns null when it is not genuine, which is answered with 401
   */
  read(headers: Readonly<Record<string, string | string[] | undefined>>, rawBody: Uint8Array): WebhookHint | null
}

/** What changed at a provider since a cursor. */
export interface ProviderChanges {
  /** where to go on; store it together with what is done about these changes */
  readonly cursor: string
  /** invoices to be looked at again, each once */
  readonly refs: readonly string[]
  /**
   * Money that arrived with us and belongs to no invoice: it goes to suspense, and somebody has to look at it. With −1
   * confirmations it is gone again, replaced or reorganised away, and it may never have been told before.
   */
  readonly unknown: readonly SeenOutput[]
}

/** What one wallet holds at this moment. */
export interface Holding {
  /** the wallet's name, as `/solvency` shows it: `deposits`, `lightning` */
  readonly name: string
  /** not negative; what was sent and does not count yet is left out */
  readonly sats: bigint
}

/** What we wait for at a provider, which says how soon it is worth asking again. */
type AwaitedChange = 'payment' | 'confirmation'

/**
 * Who takes payments for us (payments.md section 1). A webhook or a payer who comes back is only a hint: the state of
 * an order is derived from `get` alone. Every call is bounded in time and throws when the provider does not answer.
 */
export interface PaymentProvider {
  /** kept with each invoice */
  readonly name: string
  /** Whether it tells when a block came. Otherwise a payment is taken to come into its block when it is first shown confirmed. */
  readonly tellsBlockTime: boolean
  /** Makes an invoice. Called again for the same order it may make a second one; the caller keeps the first stored. */
  createCheckout(request: CheckoutRequest): Promise<Checkout>
  /** Reads an invoice again. One the provider no longer knows has no outputs. */
  get(ref: string): Promise<InvoiceSnapshot>
  /**
   * When to ask again, in epoch seconds after `now`; null where something else will tell us. A moment of a grid all
   * looks share (a block, every thirtieth second), so that several looks at one order ask for the same next one.
   */
  nextLookAt(now: number, awaited: AwaitedChange): number | null
  /**
   * Checks that the provider can be trusted with payments: at the start, and before each invoice where that is cheap.
   *
   * @throws ProviderUnfit with a message for the operator; what the provider throws when it does not answer
   */
  assertFit(): Promise<void>
  /** Left out where the provider sends no messages. */
  readonly webhook?: PaymentWebhook
  /**
   * What changed since a cursor of an earlier call (null: since ever). The same cursor asked for again gives at least
   * the same changes again, so nothing is lost between the answer and the moment it is stored. Left out where the
   * provider cannot tell.
   */
  follow?(cursor: string | null): Promise<ProviderChanges>
  /**
   * An address for the operator's own deposits, another one at each call, which no order ever has. Left out where the
   * operator makes addresses at the provider.
   *
   * @throws ProviderUnfit; what the provider throws when it does not answer
   */
  operatorAddress?(): Promise<string>
  /**
   * What the provider holds for us, each wallet once. Left out by the test wallet, whose coins are on the test chain.
   *
   * @throws what the provider throws when it does not answer, or does not tell
   */
  balance?(): Promise<readonly Holding[]>
}
