import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import type { PaymentVersion } from '../../ports/wallet/wallet.ts'
import type { Version } from './booking.ts'

/** One version of a transaction, and what the network knows of it: see `Wallet.confirmations`. */
export interface Sighting {
  readonly version: Version
  readonly confirmations: number | null
}

/** The outcome of a batch's transaction, over all its versions. */
type Outcome =
  | { readonly is: 'final' | 'confirmed' | 'waiting'; readonly version: Version }
  | { readonly is: 'cancel-mined' | 'cancel-waiting' | 'unseen' }

/**
 * At most one version is mined, and at most one waits: they share coins. A mined version takes precedence over a
 * waiting one.
 */
export function outcomeOf(sightings: readonly Sighting[]): Outcome {
  const from = (kind: Version['kind'], least: number): Version | undefined =>
    sightings.find(({ version, confirmations }) => version.kind === kind && (confirmations ?? -1) >= least)?.version
  const final = from('pay', FINAL_CONFIRMATIONS)
  if (final !== undefined) return { is: 'final', version: final }
  const confirmed = from('pay', 1)
  if (confirmed !== undefined) return { is: 'confirmed', version: confirmed }
  if (from('cancel', 1) !== undefined) return { is: 'cancel-mined' }
  const waiting = from('pay', 0)
  if (waiting !== undefined) return { is: 'waiting', version: waiting }
  return from('cancel', 0) === undefined ? { is: 'unseen' } : { is: 'cancel-waiting' }
}

/**
 * Whether a batch can never be paid any more: each version that pays has a coin that something else has spent for good.
 *
 * @param finalSpenders for each spent coin the transaction that spent it, six deep; any text if the coin itself is lost
 */
export function isDead(versions: readonly Version[], finalSpenders: ReadonlyMap<string, string>): boolean {
  const pays = versions.filter((version) => version.kind === 'pay')
  const ownTxids = new Set(pays.map((version) => version.txid))
  return pays.every((pay) =>
    pay.inputs.some((outpoint) => {
      const spender = finalSpenders.get(outpoint)
      return spender !== undefined && !ownTxids.has(spender)
    }),
  )
}

/** The newest version; a batch that was signed has one. */
export function newestOf(versions: readonly Version[]): Version {
  const newest = versions.at(-1)
  if (newest === undefined) throw new Error('a payout batch was signed and has no transaction')
  return newest
}

/** A version as the wallet knows it. */
export function paymentVersion({ txid, raw, feeSats, inputs }: Version): PaymentVersion {
  return { txid, raw, feeSats, inputs }
}
