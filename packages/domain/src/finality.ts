/**
 * A bitcoin transaction with this many confirmations stays where it is: nothing that rests on it is checked again (payments.md
 * section 2).
 */
export const FINAL_CONFIRMATIONS = 6
