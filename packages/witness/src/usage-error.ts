/** What is wrong with what was asked, for the person who asked. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
