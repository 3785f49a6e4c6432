import { join } from 'node:path'
import { FolderError } from './journal.ts'
import type { Runtime } from './runtime.ts'

const LOCK_FILE = 'lock'

/**
 * Keeps a folder for one process: two would write over each other. The lock of a process that is gone is taken over.
 *
 * @returns gives the folder free
 * @throws FolderError while another process has it
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
