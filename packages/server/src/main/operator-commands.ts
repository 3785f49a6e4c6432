import { parseArgs } from 'node:util'
import type { ConfigAsRead } from '../config/config.ts'
import type { OperatorCommand } from '../modules/operator/command.ts'
import { fairnessCommands } from '../modules/operator/fairness-commands.ts'
import { monitoringCommands } from '../modules/operator/invariant-commands.ts'
import { paymentCommands } from '../modules/operator/payment-commands.ts'
import { payoutCommands } from '../modules/operator/payout-commands.ts'
import { salesCommands } from '../modules/operator/sales-commands.ts'
import { settingCommands } from '../modules/operator/setting-commands.ts'
import { treasuryCommands } from '../modules/operator/treasury-commands.ts'
import { secretKeyCommands } from './change-secret-key.ts'
import { doctorCommands } from './doctor.ts'

/**
 * The operator's manual commands, one per run: `npm run operator -- <command>`. They read the same configuration as the
 * program. With the embedded database the program has to be stopped: only one process can have the folder.
 */
export const OPERATOR_COMMANDS: Readonly<Record<string, OperatorCommand<ConfigAsRead>>> = {
  ...doctorCommands,
  ...fairnessCommands,
  ...secretKeyCommands,
  ...salesCommands,
  ...paymentCommands,
  ...payoutCommands,
  ...treasuryCommands,
  ...settingCommands,
  ...monitoringCommands,
}

/** Every command with what it does, for docs/operations.md. */
export const COMMAND_LIST: readonly string[] = Object.entries(OPERATOR_COMMANDS).map(
  ([name, command]) => `- \`${commandLine(name, command)}\` ${command.summary}`,
)

/** A command as it is typed: its name, its arguments in angle brackets, its options. */
export function commandLine(name: string, command: Pick<OperatorCommand<never>, 'args' | 'options'>): string {
  const { args, options = [] } = command
  return [name, ...args.map((arg) => `<${arg}>`), ...options.map((option) => `--${option} <text>`)].join(' ')
}

/** What was typed after a command's name; null if it is not what the command takes. */
export function readArguments(
  { args, options = [] }: Pick<OperatorCommand<never>, 'args' | 'options'>,
  typed: readonly string[],
): { readonly args: readonly string[]; readonly options: Readonly<Record<string, string>> } | null {
  try {
    const taken = parseArgs({
      args: [...typed],
      allowPositionals: true,
      options: Object.fromEntries(options.map((option) => [option, { type: 'string' as const }])),
    })
    const given = Object.entries(taken.values).flatMap(([name, text]) =>
      typeof text === 'string' ? [[name, text]] : [],
    )
    if (taken.positionals.length !== args.length || given.length !== options.length) return null
    return { args: taken.positionals, options: Object.fromEntries(given) as Record<string, string> }
  } catch (error) {
    if (error instanceof TypeError) return null // an option that is unknown, or without its text
    throw error
  }
}
