import { CLOCK_TOLERANCE_SECONDS } from '@fairball/domain/clock-tolerance'
import { DatabaseClock } from '../../db/database-clock.ts'
import { JobQueue } from '../../jobs/queue.ts'
import { Refused } from '../../kernel/errors.ts'
import { changeKey, HeadFile, headFileIn, headOfLog, knownLog, type LogContext } from '../fairness/service.ts'
import type { Installation, OperatorCommand } from './command.ts'

/** The operator's manual commands for the fairness log. */
export const fairnessCommands = {
  'log-head': {
    args: [],
    summary: "shows the log's newest statement and the key in force",
    async run(installation) {
      const log = await openLog(installation)
      const head = await headOfLog(log, log.db)
      if (head === null) throw nothingYet()
      const { origin, publicKey, index, hash, at } = head
      return `log ${origin}\nkey ${publicKey}\nindex ${index}\nhash ${hash}\ntime ${at}`
    },
  },
  'change-key': {
    args: [],
    summary: "puts the log's next key in force, which the log has committed to",
    async run(installation) {
      const log = await openLog(installation)
      const { db, runtime, origin } = log
      const headFile = new HeadFile({ db, runtime, origin, path: headFileIn(installation.config.dataDir) })
      await headFile.check()
      const behindSeconds = ((await headOfLog(log, db))?.at ?? 0) - runtime.clock.now()
      if (behindSeconds > CLOCK_TOLERANCE_SECONDS) {
        throw new Refused(
          `This computer's clock is ${behindSeconds} seconds behind the newest statement. Set it right: a new key is dated by it.`,
        )
      }
      const { publicKey, hash } = await changeKey(log)
      await headFile.update()
      return `The key is ${publicKey} from now on, by the statement ${hash}.`
    },
  },
} as const satisfies Record<string, OperatorCommand>

async function openLog({ db, runtime, seal }: Installation): Promise<LogContext> {
  const known = await knownLog({ db, runtime, seal })
  if (known === null) throw nothingYet()
  return { db, runtime, databaseClock: new DatabaseClock(runtime), jobs: new JobQueue({ db, runtime }), ...known }
}

function nothingYet(): Refused {
  return new Refused('This database has no log yet. It begins with the first start of Fairball.')
}
