import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { LightningDestination } from '@fairball/domain/lightning-destination'
import type { Outbound } from '../../runtime/outbound.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { LightningNode, LightningSender } from './lightning-node.ts'
import { addressInvoice, addressLimits } from './payee-address.ts'
import { offerInvoice, offerLimits } from './payee-offer.ts'
import { inTime } from './payee-web.ts'

/**
 * Fetched from a payee and checked: exactly the amount, our network, from one minute to one day of time left, signed,
 * with a payment secret and no unknown even feature, not paid to our node, and the hash of the metadata as received.
 */
export interface PayeeInvoice {
  /** BOLT 11, or BOLT 12 of an offer */
  readonly invoice: string
  /** its payment hash, hex */
  readonly hash: string
  /** epoch seconds, by our clock */
  readonly expiresAt: number
}

/** What one payment to a destination may be, in thousandths of a satoshi. */
export interface PayeeLimits {
  readonly minMsat: bigint
  readonly maxMsat: bigint
}

/** The payees of payouts over Lightning, whom their players name. */
export interface Payees {
  /** Whether offers can be paid: only some nodes can. */
  readonly takesOffers: boolean
  /** @throws PayeeRefused */
  fetchInvoice(destination: LightningDestination, amountMsat: bigint): Promise<PayeeInvoice>
  /**
   * Whether a destination can be paid: what it says of itself is sane, and, of an address, its smallest invoice is
   * right; it is thrown away.
   *
   * @throws PayeeRefused
   */
  check(destination: LightningDestination): Promise<PayeeLimits>
}

/** The demo answers for addresses of its own host without a network. @param pathAndQuery of a GET */
export type OwnServer = (pathAndQuery: string) => Promise<{ readonly status: number; readonly body: string }>

/** What payees are reached by. */
export interface PayeesDeps {
  readonly runtime: Pick<Runtime, 'clock' | 'monotonic'>
  readonly network: BitcoinNetwork
  readonly outbound: Outbound
  /** without a slash at its end */
  readonly publicUrl: string
  /** answers for addresses of `publicUrl`; null outside the demo: they are refused */
  readonly ownServer: OwnServer | null
  readonly node: Pick<LightningNode, 'invoice'> & Pick<LightningSender, 'fetchInvoice' | 'decodeInvoice'>
  /** the identity of the operator's node */
  readonly nodeId: () => Promise<string | null>
}

/** Reaches payees. */
export function createPayees(deps: PayeesDeps): Payees {
  return {
    takesOffers: deps.node.fetchInvoice !== undefined && deps.node.decodeInvoice !== undefined,
    fetchInvoice: ({ kind, value }, amountMsat) =>
      kind === 'OFFER'
        ? offerInvoice(deps, value, amountMsat)
        : inTime(deps.runtime, (signal) => addressInvoice(deps, value, { amountMsat, signal })),
    check: ({ kind, value }) =>
      kind === 'OFFER'
        ? offerLimits(deps, value)
        : inTime(deps.runtime, (signal) => addressLimits(deps, value, signal)),
  }
}
