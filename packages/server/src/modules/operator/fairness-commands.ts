import { changeKey, headOfLog } from '../fairness/service.ts'
import type { OperatorCommand } from './command.ts'
import { appendingTo, nothingYet, openLog } from './open-log.ts'

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
    signatures: 2,
    args: [],
    summary: "puts the log's next key in force, which the log has committed to",
    async run(installation) {
      const log = await openLog(installation)
      const headFile = await appendingTo(log, installation)
      const { publicKey, hash } = await changeKey(log)
      await headFile.update()
      return `The key is ${publicKey} from now on, by the statement ${hash}.`
    },
  },
} as const satisfies Record<string, OperatorCommand>
