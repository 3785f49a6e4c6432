import { announceChain } from './chains.ts'
import type { FairnessContext } from './context.ts'
import { HeadFile } from './head-file.ts'
import { stateDaily } from './jobs.ts'
import { LogHeadError, missingFrom } from './known-head.ts'
import { beginLog } from './log.ts'
import { askHourly } from './witness-jobs.ts'
import { cosign, WitnessAhead, witnessesOf } from './witnesses.ts'

/**
 * Begins the log at the first start and continues it at every other one: its key, the beacon's chain, and the file that
 * keeps its head.
 *
 * @throws LogHeadError when the head file or a witness knows more of the log than the database
 */
export async function beginFairness(ctx: FairnessContext): Promise<void> {
  const headFile = headFileOf(ctx)
  await headFile?.check()
  await assertNoWitnessAhead(ctx)
  await beginLog(ctx, ctx.after)
  const hasWitnesses = (await witnessesOf(ctx)).length > 0
  await ctx.db.transaction(async (tx) => {
    await announceChain(ctx, tx)
    if (hasWitnesses) await askHourly(ctx, tx)
    await stateDaily(ctx, tx)
  })
  await headFile?.follow()
}

/**
 * What a process that only serves checks.
 *
 * @throws LogHeadError when the head file knows more of the log than the database
 */
export async function checkHead(ctx: FairnessContext): Promise<void> {
  await headFileOf(ctx)?.check()
}

function headFileOf({ db, runtime, origin, known, headFile }: FairnessContext): HeadFile | null {
  return headFile === null ? null : new HeadFile({ db, runtime, origin, known, path: headFile })
}

/** A witness that is unreachable says nothing and does not prevent a start. @throws LogHeadError */
async function assertNoWitnessAhead(ctx: FairnessContext): Promise<void> {
  for (const { error } of await cosign(ctx)) {
    if (!(error instanceof WitnessAhead)) continue
    const reached = `the witness ${error.witness} has cosigned ${error.size} statements of the log ${ctx.origin}`
    throw new LogHeadError(`${reached}; ${missingFrom(error.known, error.size)}`)
  }
}
