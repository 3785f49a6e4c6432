import type { AnswerOf } from '../../shared/calls.ts'

/** The events that a webhook can be told. */
export const EVENT_TYPES: readonly AnswerOf<'listWebhooks'>[number]['types'][number][] = [
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
]

/** What an API key may read. */
export const SCOPES: readonly AnswerOf<'listApiKeys'>[number]['scopes'][number][] = [
  'draws:read',
  'orders:read',
  'reports:read',
  'health:read',
]
