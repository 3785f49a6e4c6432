import type { Db, Tx } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { appendAction, type ActingPeople } from './audit-chain.ts'

/** What an operator acts through. */
export interface OperatorContext {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'log'>
  readonly jobs: Jobs
  /** the acting person, as the audit log names them */
  readonly actor: string
  /** the people of the staff who signed; missing for a command */
  readonly people?: ActingPeople
}

/** Writes a line of the audit log in the transaction of what it is about. */
export async function noteAction(
  { runtime, actor, people }: Pick<OperatorContext, 'actor' | 'people'> & { readonly runtime: Pick<Runtime, 'clock'> },
  tx: Tx,
  line: { readonly action: string; readonly subject: string; readonly detail: string },
): Promise<void> {
  await appendAction(tx, { at: runtime.clock.now(), actor, people: people ?? null, ...line })
}

/** Acts, in one transaction with the line of the audit log that says who did it. @returns what the operator reads */
export async function act(
  ctx: OperatorContext,
  action: string,
  subject: string,
  work: (tx: Tx) => Promise<string>,
): Promise<string> {
  return await actFor(ctx, action, subject, async (tx) => {
    const detail = await work(tx)
    return [detail, detail]
  })
}

/** The same, if the result is more than the line. @param work returns the result, and the detail of the line */
export async function actFor<T>(
  ctx: OperatorContext,
  action: string,
  subject: string,
  work: (tx: Tx) => Promise<readonly [T, string]>,
): Promise<T> {
  return await ctx.db.transaction(async (tx) => {
    const [result, detail] = await work(tx)
    await noteAction(ctx, tx, { action, subject, detail })
    return result
  })
}
