import type { JobHandler } from '../../jobs/job.ts'
import { SEND_MAIL, type Messages } from './service.ts'

/** The background work of the messages module: sending mail. */
export function messageJobs(messages: Messages): JobHandler[] {
  return [
    {
      kind: SEND_MAIL,
      mode: 'outside',
      run: (payload, { finish }) => messages.sendMail(BigInt(String(payload['mailId'])), finish),
    },
  ]
}
