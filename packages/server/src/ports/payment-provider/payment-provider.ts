/** An order's request to a provider: an invoice in satoshis, quoted by us. */
export interface CheckoutRequest {
  /** our order's id; a provider with its own reference stores this one beside it */
  readonly orderId: string
  /** sats, above 0 */
  readonly amountSats: bigint
  /** the description for the payer */
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
  /** the bitcoin address to pay, null if the provider does not disclose it */
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
  /** exactly, of a payment to the operator's own Lightning node; missing otherwise */
  readonly msat?: bigint
  /** 0 while it waits in the mempool; a Lightning payment is final immediately and says so with a large number */
  readonly confirmations: number
  /** epoch seconds at which the provider first saw it */
  readonly seenAt: number
  /** epoch seconds of the block that holds it; missing if there is none, and if the provider does not report it */
  readonly minedAt?: number
  readonly network: PaymentNetwork
  /** whether it came to an address that the operator requested, or to a wallet of the operator's; missing if not */
  readonly isOperators?: boolean
  /** what its transaction spends, as `txid:vout`; missing if the provider does not show it */
  readonly inputs?: readonly string[]
  /**
   * whether its transaction spends a coin of ours and is no payout: then it is no payment. Missing if the provider
   * cannot tell
   */
  readonly isOwn?: boolean
}

/** The way money came: on the chain, or over Lightning. */
export type PaymentNetwork = 'ONCHAIN' | 'LIGHTNING'

/** Everything that pays an invoice at this moment, without what was replaced or double-spent. */
export interface InvoiceSnapshot {
  /** each outpoint once, oldest first */
  readonly outputs: readonly SeenOutput[]
  /** Whether the provider itself says that nothing more will come of this invoice. Missing if it does not say. */
  readonly isFinal?: boolean
  /**
   * Whether the provider does not know the invoice. It may know it again: while money is at stake that is no answer.
   */
  readonly isUnknown?: boolean
  /** Whether what is missing here says nothing about payments that counted: then it undoes only what never counted. */
  readonly leavesCounted?: boolean
  /** The provider's own answer about the invoice, as JSON: stored for the operator, never used for decisions. */
  readonly raw?: unknown
}

/**
 * The provider cannot be trusted with a payment now: another chain, a node that is not up to date, a refused key. The
 * message is for the operator and says what to do; a player only learns that paying is not possible at the moment.
 */
export class ProviderUnfit extends Error {
  override readonly name = 'ProviderUnfit'
}

/** A message proved to come from the provider. It is a hint: the invoice is read again. */
export interface WebhookHint {
  /** the invoice it is about */
  readonly ref: string
  /** the same for each delivery of one message and no other: what was stored under it needs no second check */
  readonly key: string
}

/** The address of a provider's messages, and how they are read. */
export interface PaymentWebhook {
  /** the path below the site's address, like `/webhooks/btcpay` */
  readonly path: string
  /**
   * Reads a delivery.
   *
   * @param headers names in lower case, as in Node
   * @param rawBody the exact bytes of the body: signatures cover these
   * @returns null if it is not genuine, which is answered with 401
   */
  read(headers: Readonly<Record<string, string | string[] | undefined>>, rawBody: Uint8Array): WebhookHint | null
}

/** What changed at a provider since a cursor. */
export interface ProviderChanges {
  /** where to continue; store it together with what is done about these changes */
  readonly cursor: string
  /** invoices to be checked again, each once */
  readonly refs: readonly string[]
  /**
   * Money that arrived with us and belongs to no invoice: it goes to suspense, and the operator has to look at it. With
   * −1 confirmations it is gone again, replaced or reorganised away, and it may never have been reported before.
   */
  readonly unknown: readonly SeenOutput[]
}

/** The present balance of one wallet. */
export interface Holding {
  /** the wallet's name, as `/solvency` shows it: `deposits`, `lightning` */
  readonly name: string
  /** not negative; what was sent and does not count yet is left out */
  readonly sats: bigint
}

/** What we wait for at a provider, which determines how soon to ask again. */
type AwaitedChange = 'payment' | 'confirmation'

/**
 * A service that takes payments for us (payments.md section 1). A webhook or a payer who returns is only a hint: the
 * state of an order is derived from `get` alone. Every call is bounded in time and throws if the provider does not
 * answer.
 */
export interface PaymentProvider {
  /** stored with each invoice */
  readonly name: string
  /**
   * Whether it reports the time of blocks. Otherwise a payment is assumed to come into its block when it is first shown
   * confirmed.
   */
  readonly tellsBlockTime: boolean
  /** Makes an invoice. A second call for the same order may make another one; the caller keeps the first stored. */
  createCheckout(request: CheckoutRequest): Promise<Checkout>
  /** Reads an invoice again. One the provider no longer knows has no outputs. */
  get(ref: string): Promise<InvoiceSnapshot>
  /**
   * When to ask again, in epoch seconds after `now`; null if something else will notify us. A moment of a grid that all
   * checks share (a block, every thirtieth second), so several checks of one order ask for the same next one.
   */
  nextLookAt(now: number, awaited: AwaitedChange): number | null
  /**
   * Checks that the provider can be trusted with payments: at the start, and before each invoice if that is cheap.
   *
   * @throws ProviderUnfit with a message for the operator; what the provider throws if it does not answer
   */
  assertFit(): Promise<void>
  /** Missing if the provider sends no messages. */
  readonly webhook?: PaymentWebhook
  /**
   * What changed since a cursor of an earlier call (null: since ever). The same cursor again returns at least the same
   * changes, so nothing is lost between the answer and the moment it is stored. Missing if the provider cannot tell.
   */
  follow?(cursor: string | null): Promise<ProviderChanges>
  /**
   * An address for the operator's own deposits, a different one at each call, which no order ever gets. Missing if the
   * operator makes addresses at the provider.
   *
   * @throws ProviderUnfit; what the provider throws if it does not answer
   */
  operatorAddress?(): Promise<string>
  /**
   * The balances at the provider, each wallet once. Missing for the test wallet, whose coins are on the test chain.
   *
   * @throws what the provider throws if it does not answer, or does not tell
   */
  balance?(): Promise<readonly Holding[]>
}
