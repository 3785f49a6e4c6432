import { accessSync, constants, existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The data folder cannot be used. The message says why and what to do. */
export class DataFolderError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DataFolderError'
  }
}

/** Another process has the data folder: its server is running, or starting. */
export class DataFolderTaken extends DataFolderError {}

/** A data folder that is ours until we release it or die. */
interface DataFolder {
  /** Absolute, without links. */
  readonly path: string
  release(): void
}

/**
 * Creates the data folder if necessary, and takes it for this process alone.
 *
 * The lock is the kernel's (SQLite's lock on a file in the folder). It ends with the process, however that dies, so a
 * leftover need not be told apart from a live one; and it holds between containers that share the folder. A file beside
 * it with the owner's process number serves only the message.
 *
 * @throws DataFolderTaken if another process holds it
 * @throws DataFolderError if the folder cannot be written
 */
export async function takeDataFolder(wanted: string): Promise<DataFolder> {
  const path = await makeFolder(wanted)
  const holder = join(path, 'lock.pid')
  const lock = openLock(path)
  try {
    lock.exec('pragma busy_timeout = 0; begin exclusive')
  } catch (error) {
    lock.close()
    if (!/locked|busy/i.test((error as Error).message)) throw unwritable(path, error)
    throw new DataFolderTaken(
      `Fairball is running on ${path} already${holderOf(holder)}. Stop it, or set DATA_DIR and PORT for a second copy; ` +
        'several processes on one database share it by DATABASE_URL.',
    )
  }
  try {
    accessSync(join(path, 'lock'), constants.W_OK) // SQLite locks nothing on a file that it may only read
    writeFileSync(holder, `${process.pid}\n`, { mode: 0o644 })
  } catch (error) {
    lock.close()
    throw unwritable(path, error)
  }
  return { path, release: () => lock.isOpen && lock.close() }
}

/**
 * The secret key of a demo: made at its first start and kept in the data folder, readable only by this user. Processes
 * that start at the same time agree on one.
 *
 * @param randomBytes makes the key, 32 bytes
 * @throws DataFolderError if it cannot be stored, or the stored file is no key
 */
export async function keptSecretKey(wanted: string, randomBytes: () => Uint8Array): Promise<Uint8Array> {
  const path = await makeFolder(wanted)
  const file = join(path, 'secret.key')
  try {
    const draft = `${file}.${process.pid}`
    if (!existsSync(file)) {
      writeFileSync(draft, `${Buffer.from(randomBytes()).toString('hex')}\n`, { mode: 0o600 })
      linkIfFree(draft, file) // all or nothing, and the first one wins
      unlinkSync(draft)
    }
    const text = readFileSync(file, 'utf8').trim()
    if (/^[0-9a-f]{64}$/.test(text)) return new Uint8Array(Buffer.from(text, 'hex'))
  } catch (error) {
    throw unwritable(path, error)
  }
  throw new DataFolderError(`${file} is no secret key. Restore it, or remove DATA_DIR to start over.`)
}

function linkIfFree(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

async function makeFolder(wanted: string): Promise<string> {
  try {
    // As root the database runs as another user, who has to pass through (not look inside); the files are 0600.
    if ((await mkdir(wanted, { recursive: true })) !== undefined) await chmod(wanted, 0o711)
    return await realpath(wanted)
  } catch (error) {
    throw unwritable(wanted, error)
  }
}

function openLock(path: string): DatabaseSync {
  try {
    return new DatabaseSync(join(path, 'lock'))
  } catch (error) {
    throw unwritable(path, error)
  }
}

function unwritable(path: string, error: unknown): DataFolderError {
  const reason = (error as Error).message
  return new DataFolderError(
    `DATA_DIR ${path} cannot be written by this user (${reason}). Give it to this user (chown), or set DATA_DIR to another folder.`,
    error,
  )
}

function holderOf(file: string): string {
  try {
    return ` (process ${readFileSync(file, 'utf8').trim()})`
  } catch {
    return ''
  }
}
