import { CLOCK_TOLERANCE_SECONDS } from '@fairball/domain/fairness/protocol'
import { DatabaseClock } from '../../db/database-clock.ts'
import { Refused } from '../../kernel/errors.ts'
import { createHeadFile, createLog, headFileIn, importLog, knownOperator, logSource } from '../fairness/service.ts'
import type { Installation, OperatorCommand } from './command.ts'

/** What an operator does with the fairness log by hand. */
export const fairnessCommands = {
  'log-head': {
    args: [],
    summary: "shows the log's newest statement and the key in force",
    async run(installation) {
      const { log } = await openLog(installation)
      const head = await log.head()
      if (head === null) throw nothingYet()
      const { operator, publicKey, seq, hash, at } = head
      return `operator ${operator}\nkey ${publicKey}\nseq ${seq}\nhash ${hash}\ntime ${at}`
    },
  },
  'change-key': {
    args: [],
    summary: "replaces the operator's key by a new one, signed by both",
    async run(installation) {
      const { log, headFile } = await openLog(installation)
      await headFile.check()
      const behindSeconds = ((await log.head())?.at ?? 0) - installation.runtime.clock.now()
      if (behindSeconds > CLOCK_TOLERANCE_SECONDS) {
        throw new Refused(
          `This computer's clock is ${behindSeconds} seconds behind the newest statement. Set it right: a new key is dated by it.`,
        )
      }
      const { publicKey, hash } = await log.changeKey()
      await headFile.update()
      return `The key is ${publicKey} from now on, by the statement ${hash}.`
    },
  },
  'import-log': {
    args: ['address or file'],
    summary: 'brings a restored database up to its log, from a mirror',
    async run(installation, [place = '']) {
      const { db, config } = installation
      const { log, operator, headFile } = await openLog(installation)
      const source = logSource(place, installation.runtime)
      const { imported, voided } = await importLog({ db, log, operator, headFile: headFileIn(config.dataDir) }, source)
      await headFile.update()
      if (imported === 0) return 'Nothing was missing.'
      return (
        `${imported} statements were imported. ${voided} draws are void, because their seeds are lost.\n` +
        'Orders that were paid since the backup are not in this database: their players hold signed receipts for them.'
      )
    },
  },
} as const satisfies Record<string, OperatorCommand>

async function openLog({ db, runtime, seal, config }: Installation) {
  const operator = await knownOperator({ db, seal })
  if (operator === null) throw nothingYet()
  const path = headFileIn(config.dataDir)
  return {
    operator,
    log: createLog({ db, runtime, databaseClock: new DatabaseClock(runtime), operator }),
    headFile: createHeadFile({ db, runtime, operatorName: operator.name, path }),
  }
}

function nothingYet(): Refused {
  return new Refused('This database has no log yet. It begins with the first start of Fairball.')
}
