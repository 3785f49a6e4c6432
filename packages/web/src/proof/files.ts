import { type GetFile, RemoteError } from '@fairball/domain/protocol/remote-log'
import type { Runtime } from '../shared/runtime.ts'

/** Path of the files of the operator's log (docs/fairness.md, section 3). */
const LOG_FILES = '/fairball/'
const HEAD = 'checkpoint'

/**
 * Fetches files of this operator's log; null for a missing one. @param mayBeCached false to fetch past the browser's
 * cache
 */
export function logFiles({ fetch }: Pick<Runtime, 'fetch'>, mayBeCached = true): GetFile {
  return async (path) => {
    // Only the head changes: a cached one may be some seconds old and lack the newest statements.
    const cache = path === HEAD ? 'no-cache' : 'default'
    const answer = await fetch(`${LOG_FILES}${path}`, { cache: mayBeCached ? cache : 'reload' })
    if (answer.status === 404) return null
    if (!answer.ok) throw new Error(`The file ${path} was answered with status ${answer.status}.`)
    return new Uint8Array(await answer.arrayBuffer())
  }
}

/**
 * Reads the log of this operator. If its files do not fit its head or each other, all are fetched again, past the
 * browser's cache: after a log was rewritten, the cache still has files of the old one, and the fraud would look like
 * damage.
 *
 * @param fits whether what was read fits together, where `read` does not throw for it
 * @throws the error of the second `read`
 */
export async function readLog<T>(
  runtime: Pick<Runtime, 'fetch'>,
  read: (get: GetFile) => Promise<T>,
  fits: (found: T) => boolean = () => true,
): Promise<T> {
  try {
    const found = await read(logFiles(runtime))
    if (fits(found)) return found
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
  }
  return await read(logFiles(runtime, false))
}

/** A random whole number below a limit of at most 2^32, for choosing sections: a slight bias helps no one. */
export function randomBelow({ randomBytes }: Pick<Runtime, 'randomBytes'>): (below: number) => number {
  return (below) => {
    const [a = 0, b = 0, c = 0, d = 0] = randomBytes(4)
    return (((a << 24) | (b << 16) | (c << 8) | d) >>> 0) % below
  }
}
