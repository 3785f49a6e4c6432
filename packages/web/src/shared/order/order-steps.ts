/** The steps from numbers to a paid order, by name. */
export const ORDER_STEPS = ['Your numbers', 'Payment', 'Confirmation'] as const
