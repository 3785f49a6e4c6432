/** The types of the events that a webhook can be told. */
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

/** What an API key may read. Never players. */
export const API_SCOPES = ['draws:read', 'orders:read', 'reports:read', 'health:read'] as const
/** One of {@link API_SCOPES}. */
export type ApiScope = (typeof API_SCOPES)[number]
