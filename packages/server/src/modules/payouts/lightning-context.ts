import type { Queries } from '../../db/pool.ts'
import type { LightningNode, LightningSender } from '../../ports/lightning/lightning-node.ts'
import type { NodeWatch } from '../../ports/lightning/node-watch.ts'
import type { Payees } from '../../ports/lightning/payee.ts'
import type { FeeLimits } from './lightning-fees.ts'

/** What leaves over Lightning, and for how much, without a person. */
export interface LightningLimits extends FeeLimits {
  /** larger payouts go over the chain, in sats; 0 for none over Lightning */
  readonly maxSats: bigint
  /** what the operator means to hold in the node, in sats; null for whatever it can send */
  readonly floatSats: bigint | null
}

/** What payouts over Lightning need beside what all payouts need. */
export interface LightningPayouts {
  readonly node: LightningNode & LightningSender
  readonly watch: NodeWatch
  readonly payees: Payees
  readonly limits: () => LightningLimits
  /** whether our clock is wrong: by such a clock no invoice is over */
  readonly isClockWrong: (from: Queries) => Promise<boolean>
  /** when the node's own list of payments was last compared, by this process; epoch seconds */
  readonly compared: { at: number | null }
  /** the hosts of wallets that this process is asking, and offers: one question at a time */
  readonly asked: Map<string, PayeeLine>
}

/** Those that wait for one host. */
export interface PayeeLine {
  /** the end of the last question, however it ends */
  last: Promise<void>
  places: number
}
