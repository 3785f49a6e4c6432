import { NOBLE_HASH } from '@fairball/domain/fairness/hash'
import { fingerprintOf } from '@fairball/domain/fairness/verify-log'

/** SHA-256 of an operator's first key, hex: what people compare (fairness section 10). @param publicKey hex */
export function fingerprintOfKey(publicKey: string): string {
  return fingerprintOf(publicKey, NOBLE_HASH)
}

/** Whether a key is the one that was named, by itself or by its fingerprint. Both are 64 digits of hex. */
export function matchesKey(publicKey: string, named: string): boolean {
  return named === publicKey || named === fingerprintOfKey(publicKey)
}

/** Reads a key or a fingerprint as people write it: capital letters, spaces and colons are passed over. Null for none. */
export function readNamedKey(text: string): string | null {
  const hex = text.replaceAll(/[\s:]/g, '').toLowerCase()
  return /^[0-9a-f]{64}$/.test(hex) ? hex : null
}
