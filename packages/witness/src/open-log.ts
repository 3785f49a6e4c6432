import { join } from 'node:path'
import type { RoundCheck } from '@fairball/domain/protocol/verify-result'
import { Alarms } from './alarms.ts'
import type { ServeCommand } from './arguments.ts'
import type { ConfiguredLog } from './configured-logs.ts'
import { filesAt } from './connection.ts'
import { KeptLog } from './kept-log.ts'
import { LogReading } from './log-reading.ts'
import type { Runtime } from './runtime.ts'
import type { Teller } from './teller.ts'
import { VerifiedDraws } from './verified-draws.ts'
import type { WitnessKey } from './witness-key.ts'
import { WitnessedLog } from './witnessed-log.ts'

const LOGS_FOLDER = 'logs'

/** The folder of all logs. It has a folder for each log, named by its encoded origin. */
export function logsFolder(state: string): string {
  return join(state, LOGS_FOLDER)
}

export function folderOf(state: string, origin: string): string {
  return join(logsFolder(state), encodeURIComponent(origin))
}

/** The dependencies of a log's witness. */
interface OpenLogDeps {
  readonly runtime: Runtime
  readonly command: ServeCommand
  readonly key: WitnessKey
  readonly teller: Teller
  readonly isRound: RoundCheck
}

/** Opens a kept log, or starts a new one. @throws FolderError */
export function openLog({ origin, keys, prefix }: ConfiguredLog, deps: OpenLogDeps): WitnessedLog {
  const { runtime, command, key, teller, isRound } = deps
  const { files } = runtime
  const folder = folderOf(command.state, origin)
  files.makeFolder(folder)
  const now = (): number => Math.floor(runtime.nowMs() / 1000)
  const get = filesAt(runtime, prefix)
  const kept = KeptLog.open({ files, folder, origin, isRound })
  const alarms = Alarms.open({
    folder,
    runtime,
    teller,
    command: command.alarmCommand,
    webhook: command.alarmWebhook,
  })
  const holdsClock = command.clock === 'own'
  return new WitnessedLog({
    origin,
    kept,
    reading: new LogReading({ kept, alarms, get, now, named: keys, holdsClock }),
    alarms,
    get,
    key,
    now,
    clock: command.clock,
    verified: command.verifiesDraws ? new VerifiedDraws({ runtime, folder, get, isRound }) : null,
    patienceSeconds: command.patienceSeconds,
    teller,
  })
}
