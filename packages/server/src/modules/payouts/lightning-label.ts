// The label that the node keeps with a payment. A restored database may have forgotten the payout, and finds there whom it
// paid.

/** Characters of a destination that a label has: offers are long. */
const PAYEE_LENGTH = 100
const LABEL = /^payout \d+\.\d+ (.+)$/

/** The label of an attempt to pay a destination. */
export function labelOf({
  payoutId,
  attempt,
  address,
}: {
  readonly payoutId: bigint
  readonly attempt: number
  readonly address: string
}): string {
  return `payout ${payoutId}.${attempt} ${address.slice(0, PAYEE_LENGTH)}`
}

/** The destination in a label, or its beginning; null for any other label. */
export function payeeOf(label: string | null): string | null {
  return LABEL.exec(label ?? '')?.[1] ?? null
}
