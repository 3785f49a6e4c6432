import type { ConfigAsRead } from '../config/config.ts'
import type { OperatorCommand } from '../modules/operator/command.ts'
import { fairnessCommands } from '../modules/operator/fairness-commands.ts'
import { monitoringCommands } from '../modules/operator/invariant-commands.ts'
import { paymentCommands } from '../modules/operator/payment-commands.ts'
import { payoutCommands } from '../modules/operator/payout-commands.ts'
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
  ...paymentCommands,
  ...payoutCommands,
  ...treasuryCommands,
  ...monitoringCommands,
}

/** Every command with what it does, for docs/operations.md. */
export const COMMAND_LIST: readonly string[] = Object.entries(OPERATOR_COMMANDS).map(
  ([name, command]) => `- \`${commandLine(name, command)}\` ${command.summary}`,
)

/** A command as it is typed: its name, then its arguments in angle brackets. */
export function commandLine(name: string, { args }: Pick<OperatorCommand<never>, 'args'>): string {
  return [name, ...args.map((arg) => `<${arg}>`)].join(' ')
}
