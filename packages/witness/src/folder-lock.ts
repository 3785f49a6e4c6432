import { join } from 'node:path'
import { FolderError } from './journal.ts'
import type { Runtime } from './runtime.ts'

const LOCK_FILE = 'lock'

/**
 * Locks a folder for one process, because two would overwrite each other's files. A lock of a process that ended is
 * taken over.
 *
 * @returns a function that releases the folder
 * @throws FolderError while another process holds the lock
 */
export function lockFolder(runtime: Pick<Runtime, 'files' | 'pid' | 'isRunning'>, folder: string): () => void {
  const { files, pid } = runtime
  const path = join(folder, LOCK_FILE)
  files.makeFolder(folder)
  for (let tries = 0; tries < 2; tries += 1) {
    if (files.create(path, `${pid}\n`)) return () => files.remove(path)
    const holder = Number(new TextDecoder().decode(files.read(path) ?? new Uint8Array()))
    const isHeld = Number.isSafeInteger(holder) && holder > 0 && holder !== pid && runtime.isRunning(holder)
    if (isHeld) {
      throw new FolderError(`Another witness, process ${holder}, uses ${folder}. If there is none, delete ${path}.`)
    }
    files.remove(path)
  }
  throw new FolderError(`${path} cannot be taken.`)
}
