import { CLOCK_TOLERANCE_SECONDS } from '@fairball/domain/clock-tolerance'
import { DatabaseClock } from '../../db/database-clock.ts'
import { JobQueue } from '../../jobs/queue.ts'
import { Refused } from '../../kernel/errors.ts'
import { HeadFile, headFileIn, headOfLog, knownLog, type LogContext } from '../fairness/service.ts'
import type { Installation } from './command.ts'

/** The log of an installation. @throws Refused before its first start */
export async function openLog({ db, runtime, seal }: Installation): Promise<LogContext> {
  const known = await knownLog({ db, runtime, seal })
  if (known === null) throw nothingYet()
  return {
    db,
    runtime,
    databaseClock: new DatabaseClock(runtime),
    jobs: new JobQueue({ db, runtime }),
    ...known,
  }
}

/** What an operator reads before the first start. */
export function nothingYet(): Refused {
  return new Refused('This database has no log yet. It begins with the first start of Fairball.')
}

/**
 * Checks that a command may append to the log: the head file knows nothing that the database does not, and the clock is
 * not behind.
 *
 * @returns the file, which is to be updated afterwards
 * @throws Refused if the clock is behind the newest statement
 * @throws LogHeadError when the head file knows more of the log than the database
 */
export async function appendingTo(log: LogContext, { config }: Installation): Promise<HeadFile> {
  const headFile = new HeadFile({ ...log, path: headFileIn(config.dataDir) })
  await headFile.check()
  const { db, runtime } = log
  const behindSeconds = ((await headOfLog(log, db))?.at ?? 0) - runtime.clock.now()
  if (behindSeconds > CLOCK_TOLERANCE_SECONDS) {
    throw new Refused(
      `This computer's clock is ${behindSeconds} seconds behind the newest statement. Set it right: what it appends is dated by it.`,
    )
  }
  return headFile
}
