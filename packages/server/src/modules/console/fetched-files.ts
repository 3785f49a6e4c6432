import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import type { readCalls } from '@fairball/contract/console/read'
import { Unreachable } from '../../kernel/errors.ts'
import type { ConsoleContext } from './context.ts'
import { fileOf, requireReader } from './files.ts'
import { makeRequest } from './requests.ts'
import type { SignedInStaff } from './sessions.ts'

/**
 * Answers a file to somebody who signed for it. The console may not write the audit log: it asks a worker to note the
 * fetch, by a light request, and answers once that is done.
 *
 * @throws LotteryError NOT_FOUND for one that is gone; CodedRefusal ACCESS_DENIED
 * @throws Unreachable if no worker notes the fetch
 */
export async function fetchFile(
  ctx: ConsoleContext,
  staff: SignedInStaff,
  id: string,
): Promise<ConsoleAnswerOf<typeof readCalls.getFile>> {
  await requireReader(ctx, staff, id)
  const noted = await makeRequest(ctx, staff, { kind: 'files.fetch', args: { file: id }, reason: 'Fetched the file.' })
  if (noted.state !== 'done') throw new Unreachable('a worker that notes who fetches a file')
  return await fileOf(ctx, staff, id)
}
