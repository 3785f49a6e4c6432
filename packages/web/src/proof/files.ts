import type { GetFile } from '@fairball/domain/protocol/remote-log'
import type { Runtime } from '../shared/runtime.ts'

/** Where the operator serves the files of its log (docs/fairness.md, section 3). */
const LOG_FILES = '/fairball/'

/** Gets the files of this operator's log; null for one that is not served. */
export function logFiles({ fetch }: Pick<Runtime, 'fetch'>): GetFile {
  return async (path) => {
    const answer = await fetch(`${LOG_FILES}${path}`)
    if (answer.status === 404) return null
    if (!answer.ok) throw new Error(`The file ${path} was answered with status ${answer.status}.`)
    return new Uint8Array(await answer.arrayBuffer())
  }
}

/** A random whole number below a limit of at most 2^32, for choosing sections: a slight bias is of no use to anybody. */
export function randomBelow({ randomBytes }: Pick<Runtime, 'randomBytes'>): (below: number) => number {
  return (below) => {
    const [a = 0, b = 0, c = 0, d = 0] = randomBytes(4)
    return (((a << 24) | (b << 16) | (c << 8) | d) >>> 0) % below
  }
}
