export { ApiKeys, createApiKey, revokeApiKey } from './api-keys.ts'
export { type DeliveringContext, webhookJobs } from './delivering.ts'
export { noteEvent } from './events.ts'
export { tellOfAlarm, tellOfDraw, tellOfOrder, tellOfPayout } from './facts.ts'
export {
  createWebhook,
  redeliver,
  removeOldEvents,
  renewWebhookSeals,
  revokeWebhook,
  rotateWebhookSecret,
  type WebhooksContext,
} from './webhooks.ts'
