/** The reasons why an unpaid order ended early. */
export const ORDER_ENDED_TEXTS = {
  PAUSE: 'A break from playing has begun, so this order can no longer be paid.',
  WEEKLY_LIMIT: 'The new weekly limit leaves no room for this order, so it can no longer be paid.',
  note: 'Please send no bitcoin for it. Anything already sent goes back.',
} as const
