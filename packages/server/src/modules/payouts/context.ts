import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { Db } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Facts } from '../../kernel/facts.ts'
import type { Wallet } from '../../ports/wallet/wallet.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { AddressSeals } from './address-seals.ts'
import { MAX_OUTPUTS, NO_LIMITS, type PayoutLimits } from './batch.ts'
import type { LightningPayouts } from './lightning-context.ts'
import { Reconciling } from './reconciling.ts'
import { RETURN_SECONDS } from './returns.ts'

/** What making, signing, sending and following payouts needs (payments.md section 5). */
export interface PayoutsContext {
  readonly db: Db
  readonly runtime: Runtime
  readonly jobs: Jobs
  readonly facts: Pick<Facts, 'record'>
  readonly wallet: Wallet
  readonly network: BitcoinNetwork
  /** where a transaction can be looked at, up to its id; null for the network's usual place */
  readonly explorerUrl: string | null
  /** what leaves without a person, now: read once for each plan */
  readonly limits: () => PayoutLimits
  /** interval between the moments at which returns leave; 0 in the demo: immediately, and without daily limits */
  readonly returnSeconds: number
  /** how many players are looked at together, longest waiting first; the next ones follow if a batch has room */
  readonly mostPlayers: number
  /** no payout leaves for an address that its player was not notified of */
  readonly addressSeals: AddressSeals
  /** where each partner is paid; one without an address waits */
  readonly partnerAddresses: () => ReadonlyMap<string, string>
  /** compares the wallet with the database */
  readonly reconciling: Reconciling
  /** what pays over Lightning; null without a node */
  readonly lightning: LightningPayouts | null
  /** draws for which the operator was alerted that they may pay more than the hot wallet holds */
  readonly foretold: Set<bigint>
}

/** What has a usual value. */
type Usual = 'lightning' | 'limits' | 'explorerUrl' | 'returnSeconds' | 'mostPlayers'

type PayoutsOptions = Omit<PayoutsContext, Usual | 'reconciling' | 'foretold'> & Partial<Pick<PayoutsContext, Usual>>

/** The context of one process. Without `limits` everything leaves without a person; returns leave at each full hour. */
export function payoutsContext(options: PayoutsOptions): PayoutsContext {
  return {
    lightning: null,
    limits: () => NO_LIMITS,
    explorerUrl: null,
    returnSeconds: RETURN_SECONDS,
    mostPlayers: MAX_OUTPUTS,
    ...options,
    reconciling: new Reconciling(options),
    foretold: new Set(),
  }
}
