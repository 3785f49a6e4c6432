import type { JobHandler } from '../../jobs/job.ts'
import type { MessagesContext } from './context.ts'
import { sendMailJob } from './sending.ts'

/** The background jobs of the messages module: sending mail. */
export function messageJobs(ctx: MessagesContext): JobHandler[] {
  return [sendMailJob(ctx)]
}
