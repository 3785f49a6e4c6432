import type { Bundle, OwnReceipt, OwnRecord } from '@fairball/domain/fairness/bundle'
import { readLogged } from '@fairball/domain/fairness/log'
import { NOBLE_HASH } from '@fairball/domain/fairness/hash'
import { fingerprintOf } from '@fairball/domain/fairness/verify-log'

/** What a person gives beside a bundle. */
interface Given {
  /** the operator's first key or its fingerprint, hex; null where neither is known */
  readonly key: string | null
  readonly username: string | null
  readonly receipts: readonly OwnReceipt[]
}

/**
 * What to verify a bundle with: what was given, and the receipts in the bundle, which are signed. What the bundle says of the
 * memory of who saved it is nothing the verifier knows.
 */
export function ownRecordOf(bundle: Bundle, { key, username, receipts }: Given): OwnRecord {
  const kept = bundle.own
  return {
    key: key === null ? null : keyOf(bundle, key),
    username: username ?? kept?.username ?? null,
    sights: [],
    receipts: [...(kept?.receipts ?? []), ...receipts],
  }
}

/** The first key of the bundle's log where that is its fingerprint; otherwise what was given, as a key. */
function keyOf(bundle: Bundle, given: string): string {
  const first = readLogged(bundle.log[0] ?? '')
  const key = typeof first === 'string' || first.statement.type !== 'log' ? null : first.statement.key
  return key !== null && fingerprintOf(key, NOBLE_HASH) === given ? key : given
}
