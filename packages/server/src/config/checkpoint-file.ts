import { readFileSync } from 'node:fs'
import { toHex } from '@fairball/domain/protocol/bytes'
import { readCheckpoint } from '@fairball/domain/protocol/checkpoint'

/** The head of a log that ended after a loss of data: its name, its size, and its root as hex. */
export interface EndedLog {
  readonly origin: string
  readonly size: number
  readonly root: string
}

/**
 * Reads the last checkpoint of a log that ended, as a witness, a mirror or a player has it. Its signature is not
 * verified here: everybody who reads the new log does, with the old log's key.
 *
 * @param problems whatever is wrong is added to these, with what to set
 */
export function readCheckpointFile(file: string, problems: string[]): EndedLog | null {
  try {
    const checkpoint = readCheckpoint(readFileSync(file, 'utf8'))
    if (checkpoint !== null) return { origin: checkpoint.origin, size: checkpoint.size, root: toHex(checkpoint.root) }
    problems.push('holds no signed checkpoint. Name the file that a witness or a mirror has of the old log, unchanged.')
  } catch (error) {
    problems.push(`cannot be read (${(error as NodeJS.ErrnoException).code}). Name the last checkpoint of the old log.`)
  }
  return null
}
