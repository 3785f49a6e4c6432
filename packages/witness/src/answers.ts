import type { WebAnswer } from './runtime.ts'

/** Answers to `add-checkpoint` (C2SP tlog-witness). */

const TEXT = 'text/plain; charset=utf-8'
const SIZE = 'text/x.tlog.size'

/** The cosignature lines, each with its line feed. */
export function cosigned(lines: readonly string[]): WebAnswer {
  return { status: 200, type: TEXT, body: lines.map((line) => `${line}\n`).join('') }
}

/** The size of the last cosigned checkpoint, for a request that continues another one. */
export function conflict(size: number): WebAnswer {
  return { status: 409, type: SIZE, body: `${size}\n` }
}

/** Any other answer, with a sentence for people. */
export function refused(status: 400 | 403 | 404 | 405 | 413 | 422 | 503, reason: string): WebAnswer {
  return { status, type: TEXT, body: `${reason}\n` }
}
