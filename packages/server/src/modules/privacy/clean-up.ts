import { MAIL_KEPT_SECONDS, OTHERS_MAIL_KEPT_SECONDS } from '@fairball/domain/periods'
import type { Tx } from '../../db/pool.ts'
import {
  removeOldAttempts,
  removeOldExclusions,
  removeOldFormerEmails,
  removeOldKeys,
  removeOldSessions,
} from '../identity/service.ts'
import { removeOldEvents } from '../integrations/service.ts'
import { removeMailSentBefore } from '../messages/service.ts'
import { removeOldChecks } from '../players/service.ts'
import { scheduleFinishClosing } from './closing.ts'
import type { PrivacyContext } from './context.ts'

/** The kind of the job that removes expired data. */
export const CLEAN_UP = 'accounts.clean-up'
const DAY = 86_400

/** Removes expired sessions, keys, counters and mails, and schedules the next run for tomorrow. */
export async function cleanUp(ctx: PrivacyContext, tx: Tx): Promise<void> {
  const nowAt = ctx.runtime.clock.now()
  await removeOldSessions(ctx, tx)
  await removeOldKeys(ctx, tx)
  await tx.execute(removeOldExclusions, [nowAt])
  await removeOldFormerEmails(tx, nowAt)
  await removeMailSentBefore(tx, {
    playersAt: nowAt - MAIL_KEPT_SECONDS,
    othersAt: nowAt - OTHERS_MAIL_KEPT_SECONDS,
  })
  await tx.execute(removeOldChecks, [nowAt - DAY])
  await removeOldEvents(tx, nowAt)
  await ctx.rateLimits.removeOld(tx)
  await scheduleFinishClosing(ctx, tx)
  await removeOldAttempts(ctx, tx)
  await scheduleCleanUp(ctx, tx)
}

/** Ensures that a clean-up is due within a day. Called at every start; one job waits, however often it is called. */
export async function scheduleCleanUp({ jobs, runtime }: PrivacyContext, tx: Tx): Promise<void> {
  await jobs.add(tx, CLEAN_UP, {}, { key: CLEAN_UP, runAt: runtime.clock.now() + DAY })
}
