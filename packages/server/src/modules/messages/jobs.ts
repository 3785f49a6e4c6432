import type { JobHandler } from '../../jobs/job.ts'
import { type MessagesContext, SEND_MAIL, sendMail } from './service.ts'

/** The background jobs of the messages module: sending mail. */
export function messageJobs(ctx: MessagesContext): JobHandler[] {
  return [
    {
      kind: SEND_MAIL,
      mode: 'outside',
      run: (payload, { finish }) => sendMail(ctx, BigInt(String(payload['mailId'])), finish),
    },
  ]
}
