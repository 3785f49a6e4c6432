import type { Mailer } from './mailer.ts'

/** The demo's mailer: a mail stays where it was written, in the outbox that `GET /dev/mail` shows. */
export function localOutbox(): Mailer {
  return { isOutboxKept: true, send: async () => undefined, close: () => undefined }
}
