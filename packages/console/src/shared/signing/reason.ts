/** Shortest and longest reason, as the contract has them: its schemas stay on the server. */
export const REASON_MIN = 10
export const REASON_MAX = 500

/** What is wrong with a reason; null if nothing is. */
export function reasonProblem(reason: string): string | null {
  const { length } = Array.from(reason.trim())
  if (length < REASON_MIN) return `Write at least ${REASON_MIN} characters.`
  if (length > REASON_MAX) return `Write at most ${REASON_MAX} characters.`
  return /[\p{Cc}\u2028\u2029]/u.test(reason.trim()) ? 'Write it in one line.' : null
}
