import { type GetFile, RemoteError } from '@fairball/domain/protocol/remote-log'
import type { Runtime } from '../shared/runtime.ts'

/** Where the operator serves the files of its log (docs/fairness.md, section 3). */
const LOG_FILES = '/fairball/'
const HEAD = 'checkpoint'

/** Gets the files of this operator's log; null for one that is not served. @param areKept whether the browser's copies will do */
export function logFiles({ fetch }: Pick<Runtime, 'fetch'>, areKept = true): GetFile {
  return async (path) => {
    // The head changes: one that was fetched some seconds ago may lack what is looked for. All other files never do.
    const cache = path === HEAD ? 'no-cache' : 'default'
    const answer = await fetch(`${LOG_FILES}${path}`, { cache: areKept ? cache : 'reload' })
    if (answer.status === 404) return null
    if (!answer.ok) throw new Error(`The file ${path} was answered with status ${answer.status}.`)
    return new Uint8Array(await answer.arrayBuffer())
  }
}

/**
 * Reads the log of this operator. Where its files do not fit its head they are all fetched anew, once: of a log that was
 * rewritten, which is to be found out, the browser has copies of files that were never to change.
 *
 * @throws what `read` throws the second time
 */
export async function readLog<T>(runtime: Pick<Runtime, 'fetch'>, read: (get: GetFile) => Promise<T>): Promise<T> {
  try {
    return await read(logFiles(runtime))
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    return await read(logFiles(runtime, false))
  }
}

/** A random whole number below a limit of at most 2^32, for choosing sections: a slight bias is of no use to anybody. */
export function randomBelow({ randomBytes }: Pick<Runtime, 'randomBytes'>): (below: number) => number {
  return (below) => {
    const [a = 0, b = 0, c = 0, d = 0] = randomBytes(4)
    return (((a << 24) | (b << 16) | (c << 8) | d) >>> 0) % below
  }
}
