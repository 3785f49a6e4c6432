import type { Db } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Facts } from '../../kernel/facts.ts'
import type { Mailer } from '../../ports/mail/mailer.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Seal } from '../../runtime/seal.ts'
import type { PaintBalls } from './mail-parts.ts'
import type { MailSite } from './mail-template.ts'

/** What the inbox and the outbox need. */
export interface MessagesContext {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'log'>
  readonly jobs: Jobs
  readonly facts: Pick<Facts, 'record'>
  readonly mailer: Mailer
  readonly paintBalls: PaintBalls
  /** the sender of mails */
  readonly site: () => MailSite
  /** encrypts waiting mails in the database */
  readonly seal: Seal
  /** payouts above this wait for a person, now; null for none */
  readonly approvalSats: () => bigint | null
  /** the largest payout over Lightning, now; null without a node */
  readonly lightningMaxSats: () => bigint | null
}

/** What a mail is queued through. */
export type MailQueue = Pick<MessagesContext, 'jobs' | 'site' | 'seal'> & {
  readonly runtime: Pick<Runtime, 'clock'>
}
