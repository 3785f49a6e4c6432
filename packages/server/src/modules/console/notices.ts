import type { Tx } from '../../db/pool.ts'
import { tellOfAlarm } from '../integrations/service.ts'
import type { CarryOutContext } from './context.ts'
import { mailOwners } from './owners.ts'
import { findNoticed, listCommandsAfter, listSessionsAfter, saveNoticed } from './notice-queries.ts'
import { isEnrolled } from './rules.ts'
import { listPeople } from './staff-queries.ts'

// What owners are told of by mail: commands that were run on the server beside the console, and sign-ins from devices
// that a person was never seen with. A worker looks for both; nothing is mailed before somebody is enrolled.

/** A session is looked at this long after it began: those before it are committed by then. */
const SETTLED_SECONDS = 10
const NOTHING_NOTICED = { action: '0', session: '0' }

/** Tells the owners what is new, in one transaction with the mark of how far they know. */
export async function tellOwners(ctx: CarryOutContext, tx: Tx): Promise<void> {
  const stored = await tx.maybeOne(findNoticed, [])
  const noticed = { ...NOTHING_NOTICED, ...(stored === null ? {} : (JSON.parse(stored.value) as object)) }
  const now = ctx.runtime.clock.now()
  const actions = await tx.run(listCommandsAfter, [BigInt(noticed.action)])
  const sessions = await tx.run(listSessionsAfter, [BigInt(noticed.session), now - SETTLED_SECONDS])
  if (actions.length === 0 && sessions.length === 0) return
  for (const { id, kind } of actions)
    await tellOfAlarm(ctx, tx, {
      alarm: 'CommandRun',
      subject: `command:${id}`,
      text: `The command ${kind} was run on the server.`,
    })
  if ((await tx.run(listPeople, [])).some(isEnrolled)) {
    for (const { id, actor, staff, kind, subject, reason } of actions)
      await mailOwners(ctx, tx, {
        subject: `The command ${kind} was run on the server`,
        paragraphs: [
          `${staff ?? 'Somebody'} ran ${kind} ${subject} on the server, as the user ${actor}. Reason: ${reason ?? 'none'}`,
          'Commands stand beside the console, for emergencies. If this was none of you, look at once who has a login there.',
        ],
        key: `console-command:${id}`,
      })
    for (const { id, name, device } of sessions.filter(({ isNew }) => isNew))
      await mailOwners(ctx, tx, {
        subject: `${name} signed in from a new device`,
        paragraphs: [
          `${name} signed in to the operator’s console with ${device === '' ? 'a device that did not say its name' : device}, for the first time.`,
          'If this was not them, disable them in the console, or run staff-reset on the server.',
        ],
        key: `console-device:${id}`,
      })
  }
  const mark = {
    action: String(actions.at(-1)?.id ?? noticed.action),
    session: String(sessions.at(-1)?.id ?? noticed.session),
  }
  await tx.execute(saveNoticed, [JSON.stringify(mark)])
}
