import { parseArgs } from 'node:util'
import type { ConfigAsRead } from '../config/config.ts'
import { consoleCommands } from '../modules/console/commands.ts'
import type { OperatorCommand } from '../modules/operator/command.ts'
import { fairnessCommands } from '../modules/operator/fairness-commands.ts'
import { gamesCommands } from '../modules/operator/games-commands.ts'
import { grantsCommands } from '../modules/operator/grants-commands.ts'
import { lightningCommands } from '../modules/operator/lightning-commands.ts'
import { monitoringCommands } from '../modules/operator/invariant-commands.ts'
import { paymentCommands } from '../modules/operator/payment-commands.ts'
import { payoutCommands } from '../modules/operator/payout-commands.ts'
import { salesCommands } from '../modules/operator/sales-commands.ts'
import { settingCommands } from '../modules/operator/setting-commands.ts'
import { treasuryCommands } from '../modules/operator/treasury-commands.ts'
import { backupCommands } from './backup/commands.ts'
import { secretKeyCommands } from './change-secret-key.ts'
import { doctorCommands } from './doctor.ts'

/**
 * The operator's manual commands, one per run: `npm run operator -- <command>`. They read the same configuration as the
 * program. With the embedded database they connect to the running program's, or start its database for themselves.
 */
export const OPERATOR_COMMANDS: Readonly<Record<string, OperatorCommand<ConfigAsRead>>> = {
  ...doctorCommands,
  ...backupCommands,
  ...fairnessCommands,
  ...secretKeyCommands,
  ...grantsCommands,
  ...gamesCommands,
  ...salesCommands,
  ...paymentCommands,
  ...payoutCommands,
  ...treasuryCommands,
  ...lightningCommands,
  ...settingCommands,
  ...monitoringCommands,
  ...consoleCommands,
}

/** Commands that need no database, since it is not there yet or no more. */
export const WITHOUT_DATABASE = {
  setup: {
    line: 'setup [--answers <file>]',
    summary: 'asks what the lottery needs, writes its settings and secrets, and runs the doctor',
  },
  restore: {
    line: 'restore <folder> <into>',
    summary: 'restores the newest backup and the archived write-ahead log, and checks all of it',
  },
} as const

/** Every command with what it does, for docs/operations.md. */
export const COMMAND_LIST: readonly string[] = [
  ...Object.values(WITHOUT_DATABASE).map(({ line, summary }) => `- \`${line}\` ${summary}`),
  ...Object.entries(OPERATOR_COMMANDS).map(
    ([name, command]) => `- \`${commandLine(name, command)}\` ${command.summary}`,
  ),
]

/** What a command is typed with. */
type Typed = Pick<OperatorCommand<never>, 'args' | 'options' | 'flags' | 'signatures'>

/** The option that says who runs an acting command, and the flag that stands for the second person. */
const PERSON = 'as'
export const ALONE = 'alone-in-emergency'

/** A command as it is typed: its name, its arguments in angle brackets, its options and, in brackets, its flags. */
export function commandLine(name: string, command: Typed): string {
  const { args, flags = [] } = command
  const required = [...args.map((arg) => `<${arg}>`), ...optionsOf(command).map((option) => `--${option} <text>`)]
  return [name, ...required, ...flags.map((flag) => `[--${flag}]`)].join(' ')
}

/** Its options with a text that are required: an acting command is run for a reason. */
function optionsOf({ options = [], signatures }: Typed): readonly string[] {
  return signatures === undefined ? options : [...options, 'reason']
}

/** How many people the console asks for what a command was typed with; undefined for a command that only reads. */
export function signaturesFor({ signatures }: Typed, args: readonly string[]): 1 | 2 | undefined {
  return typeof signatures === 'function' ? signatures(args) : signatures
}

/** What was typed after a command's name; null if it is not what the command takes. */
export function readArguments(
  command: Typed,
  typed: readonly string[],
): { readonly args: readonly string[]; readonly options: Readonly<Record<string, string>> } | null {
  const { args, flags = [], signatures } = command
  const options = optionsOf(command)
  const acting = signatures === undefined ? {} : { [PERSON]: { type: 'string' as const } }
  const alone = signatures === undefined || signatures === 1 ? [] : [ALONE]
  try {
    const taken = parseArgs({
      args: [...typed],
      allowPositionals: true,
      options: {
        ...Object.fromEntries(options.map((option) => [option, { type: 'string' as const }])),
        ...acting,
        ...Object.fromEntries([...flags, ...alone].map((flag) => [flag, { type: 'boolean' as const }])),
      },
    })
    const given: Record<string, string> = {}
    for (const [name, value] of Object.entries(taken.values)) given[name] = typeof value === 'string' ? value : 'yes'
    const isComplete = options.every((option) => given[option] !== undefined)
    if (taken.positionals.length !== args.length || !isComplete) return null
    if (given[ALONE] !== undefined && signaturesFor(command, taken.positionals) !== 2) return null
    return { args: taken.positionals, options: given }
  } catch (error) {
    if (error instanceof TypeError) return null // an option that is unknown, or without its text
    throw error
  }
}
