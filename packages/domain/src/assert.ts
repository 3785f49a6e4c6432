/**
 * Checks an invariant that only this program can break: a caller's mistake, never a player's.
 *
 * @throws RangeError with the message if the condition is false
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new RangeError(message)
}
