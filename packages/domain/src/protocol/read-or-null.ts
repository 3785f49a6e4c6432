import { PolicyError } from './policy.ts'
import { isStatementError } from './statements.ts'

/**
 * What a text of unknown origin reads as: null if it is no statement, rules or policy. Any other error is thrown, since
 * it is a fault of this program.
 */
export function readOrNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (isStatementError(error) || error instanceof PolicyError) return null
    throw error
  }
}
