/** The command line is invalid. The message is for its user. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
