import type { Tx } from '../db/pool.ts'
import { columnOf } from '../db/sql.ts'

/** A module that keeps something about players. All of them stand in one list, in `main/`. */
export interface PersonalDataHolder {
  /** What is kept about a player, as plain JSON without bigint: members of the export. */
  readonly exportOf: (playerId: bigint) => Promise<Record<string, unknown>>
  /** Erases what may not outlive the account. */
  readonly forget: (tx: Tx, playerId: bigint) => Promise<unknown>
  /** whether it goes when the account is shut, or only once nothing is owed any more */
  readonly goes: 'when-shut' | 'when-ended'
}

/** A row as the export has it: a member for each column, by the column's name. */
export function exported(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [columnOf(name), value]))
}
