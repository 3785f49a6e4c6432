/**
 * Satoshis in hundredths of a currency, half up; a negative amount is rounded as its opposite, so that what one account
 * gives is what the other gains.
 */
function fiatMinor(sats: bigint, satsPerUnit: bigint): bigint {
  const size = sats < 0n ? -sats : sats
  const minor = (size * 200n + satsPerUnit) / (2n * satsPerUnit)
  return sats < 0n ? -minor : minor
}

/** Hundredths as a decimal text: `-12.05`. */
export function decimalText(minor: bigint): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, '0')
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** An amount at a rate as a decimal text; null without a rate. */
export function fiatText(sats: bigint, satsPerUnit: bigint | null): string | null {
  return satsPerUnit === null ? null : decimalText(fiatMinor(sats, satsPerUnit))
}
