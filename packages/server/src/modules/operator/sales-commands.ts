import { type OperatorCommand, operatorOf } from './command.ts'
import { pauseSales, resumeSales } from './sales-actions.ts'

/** The operator stops sales and takes them up again. Running processes follow with their next order. */
export const salesCommands = {
  'sales-pause': {
    signatures: 1,
    args: ['game|all'],
    options: ['note'],
    summary: 'takes no new orders for a game, or for all; paid ones are played, and pages show the note',
    run: async (installation, [name = ''], { note = '', reason = '' } = {}) =>
      pauseSales(operatorOf(installation), name, { note, reason }),
  },
  'sales-resume': {
    signatures: 2,
    args: ['game|all'],
    summary: 'ends the pause of a game, or the one of all games',
    run: async (installation, [name = ''], { reason = '' } = {}) => resumeSales(operatorOf(installation), name, reason),
  },
} as const satisfies Record<string, OperatorCommand>
