import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { serverConfigs } from './connection-settings.ts'
import { translateError } from './database-errors.ts'
import { connectToPrimary } from './primary.ts'

/**
 * A base backup by PostgreSQL's own protocol (PostgreSQL 15 and newer, "Streaming Replication Protocol"), as
 * pg_basebackup takes it: a server of another major version than the installed tools has no other way.
 */

/** The files of a base backup in its folder. */
export const BASE_FILE = 'base.tar.gz'
const MANIFEST_FILE = 'backup_manifest'
/** With the write-ahead log that makes it whole, so that it can be restored without the archive. */
const BASE_BACKUP = `BASE_BACKUP (LABEL 'fairball', CHECKPOINT 'fast', WAL true, MANIFEST 'yes',
  COMPRESSION 'gzip', COMPRESSION_DETAIL 'level=1')`
/** Kinds of the stream's messages: a new archive, data, the manifest; the progress is not asked for. */
const [ARCHIVE, DATA, MANIFEST] = ['n', 'd', 'm'].map((letter) => letter.charCodeAt(0))
/** SQLSTATE of the refusals that an operator can do something about */
const NOT_ALLOWED = '42501' // insufficient_privilege
const NO_SLOT_LEFT = '53400' // configuration_limit_exceeded

/** The base backup cannot be taken. The message says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/**
 * Has the server send a base backup, and writes it into a folder, durably once this returns.
 *
 * @param address whose login may replicate
 * @throws BackupError; DatabaseUnavailable; the file system's errors
 */
export async function takeBaseBackup(address: string, folder: string): Promise<void> {
  // pg passes it on to the server, and its types do not know it.
  const replicating: pg.ClientConfig & { replication: 'database' } = { replication: 'database' }
  const servers = serverConfigs(address).map((server) => ({ ...server, ...replicating }))
  const client = await connectToPrimary(servers).catch((error: unknown) => {
    throw explained(error)
  })
  try {
    await keepLog(client)
    await new Promise<void>((resolve, reject) => {
      client.query(new Receiver(folder, resolve, reject))
    })
  } catch (error) {
    throw explained(error)
  } finally {
    await client.end().catch(() => undefined) // what counts is written
  }
}

/** Keeps the write-ahead log until the connection ends: the server would remove what it needs no more. */
async function keepLog(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  await client.query(`CREATE_REPLICATION_SLOT fairball_${rows[0]?.pid} TEMPORARY PHYSICAL (RESERVE_WAL true)`)
}

function explained(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return translateError(error)
  if (error.code === NOT_ALLOWED)
    return new BackupError(`The database's login may not take backups: alter role … replication. (${error.message})`)
  if (error.code === NO_SLOT_LEFT)
    return new BackupError(`The database has no replication slot left: raise max_replication_slots. (${error.message})`)
  if (/no pg_hba.conf entry/.test(error.message))
    return new BackupError(
      `pg_hba.conf lets nobody replicate from here: add a line for "replication". (${error.message})`,
    )
  return error
}

/** Takes what the server sends. Each message is written before the next is read, so that the server waits for the disk. */
class Receiver implements pg.Submittable {
  readonly #folder: string
  readonly #resolve: () => void
  readonly #reject: (error: unknown) => void
  #file: number | null = null
  #failure: unknown = null

  constructor(folder: string, resolve: () => void, reject: (error: unknown) => void) {
    this.#folder = folder
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: pg.Connection): void {
    connection.query(BASE_BACKUP)
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#failure !== null) return
    try {
      this.#take(chunk)
    } catch (error) {
      this.#failure = error
    }
  }

  #take(chunk: Buffer): void {
    const [kind] = chunk
    if (kind === DATA) {
      for (let from = 1; from < chunk.length;) from += writeSync(this.#file ?? -1, chunk, from)
    } else if (kind === ARCHIVE) {
      const name = chunk.toString('utf8', 1, chunk.indexOf(0, 1))
      if (name !== BASE_FILE)
        throw new BackupError(`The database has a tablespace (${name}), which is not backed up here.`)
      this.#open(name)
    } else if (kind === MANIFEST) this.#open(MANIFEST_FILE)
  }

  #open(name: string): void {
    this.#close()
    this.#file = openSync(join(this.#folder, name), 'wx', 0o600)
  }

  #close(): void {
    if (this.#file === null) return
    fsyncSync(this.#file)
    closeSync(this.#file)
    this.#file = null
  }

  handleReadyForQuery(): void {
    try {
      this.#close()
    } catch (error) {
      this.#failure ??= error
    }
    if (this.#failure === null) this.#resolve()
    else this.#reject(this.#failure)
  }

  handleError(error: unknown): void {
    this.#failure ??= error
    this.#reject(error)
  }
}
