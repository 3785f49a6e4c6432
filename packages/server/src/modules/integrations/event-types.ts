/** What a webhook can ask for. */
export const EVENT_TYPES = [
  'order.paid',
  'order.refunded',
  'draw.closed',
  'draw.drawn',
  'draw.void',
  'payout.sent',
  'game.announced',
  'sales.paused',
  'sales.resumed',
  'alarm.raised',
] as const

/** One of {@link EVENT_TYPES}. */
export type EventType = (typeof EVENT_TYPES)[number]
