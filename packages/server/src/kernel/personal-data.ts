import type { Tx } from '../db/pool.ts'
import { columnOf } from '../db/sql.ts'

/** A module that stores something about players. All of them are in one list, in `main/`. */
export interface PersonalDataHolder {
  /** What is stored about a player, as plain JSON without bigint: members of the export. */
  readonly exportOf: (playerId: bigint) => Promise<Record<string, unknown>>
  /** Erases what may not outlive the account. */
  readonly forget: (tx: Tx, playerId: bigint) => Promise<unknown>
  /** whether it is erased when the account is closed, or only once nothing is owed any more */
  readonly goes: 'when-shut' | 'when-ended'
}

/** A row in the export: a member for each column, by the column's name. */
export function exported(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [columnOf(name), value]))
}
