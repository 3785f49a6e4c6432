/**
 * Confirmations after which a bitcoin transaction counts as final and is not checked again (payments.md section 2).
 */
export const FINAL_CONFIRMATIONS = 6
