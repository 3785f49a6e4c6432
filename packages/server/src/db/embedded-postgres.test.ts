import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { testRuntime } from '../runtime/test-runtime.ts'
import { DataFolderTaken, keptSecretKey, takeDataFolder } from './data-folder.ts'
import { type EmbeddedPostgres, runningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

const root = await mkdtemp(join(tmpdir(), 'fairball-embedded-'))
await chmod(root, 0o711)
afterAll(() => rm(root, { recursive: true }))

async function newFolder(name: string): Promise<string> {
  const folder = join(root, name)
  await mkdir(folder, { recursive: true })
  return folder
}

async function start(dataFolder: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataFolder, runtime: testRuntime(), isDurable: false })
  onTestFinished(() => server.stop())
  return server
}

async function ask(server: EmbeddedPostgres, text: string): Promise<unknown[]> {
  const client = new pg.Client(server.address)
  client.on('error', () => undefined) // the server may be stopped under it
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

/** Another process that starts the database on the folder and reports when it is ready. */
async function startElsewhere(dataFolder: string): Promise<ChildProcess> {
  const at = (path: string): string => JSON.stringify(join(import.meta.dirname, path))
  const script = `
    const { startEmbeddedPostgres } = await import(${at('embedded-postgres.ts')})
    const { testRuntime } = await import(${at('../runtime/test-runtime.ts')})
    await startEmbeddedPostgres({ dataFolder: process.argv[1], runtime: testRuntime(), isDurable: false })
    console.log('ready')
    setInterval(() => undefined, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataFolder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

const postmasterOf = (folder: string): number =>
  Number(readFileSync(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])

describe('the embedded database', () => {
  it('the database is created once, keeps its data, and two of them run side by side', async () => {
    const [first, second] = [await newFolder('first'), await newFolder('second')]
    const server = await start(first)
    await ask(server, 'create table kept as select 1 as id')
    const other = await start(second)
    expect(await ask(other, `select to_regclass('kept') as kept`)).toEqual([{ kept: null }])
    await server.stop()
    await server.stop() // idempotent
    expect(await ask(await start(first), 'select id from kept')).toEqual([{ id: 1 }])
  })

  it('the database listens on no port, writes UTF-8, and has checksums', async () => {
    const server = await start(await newFolder('first'))
    expect(
      await ask(
        server,
        `select current_setting('listen_addresses') as ports, current_setting('server_encoding') as encoding,
          current_setting('data_checksums') as checksums`,
      ),
    ).toEqual([{ ports: '', encoding: 'UTF8', checksums: 'on' }])
  })

  it.each([
    ['with a space, a comma and quotes', `a b, c'd"e`],
    ['too long for a socket', `${'long-'.repeat(15)}/${'path-'.repeat(15)}`],
  ])('the database works in a folder %s', async (_what, name) => {
    const folder = await newFolder(name)
    const server = await start(folder)
    expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
    // A command beside it finds it there.
    expect(await runningPostgres(folder)).toEqual(server.address)
  })

  it('the database ends when its process is killed, and the next start has all that was committed', async () => {
    const folder = await newFolder('killed')
    const child = await startElsewhere(folder)
    const pid = postmasterOf(folder)
    child.kill('SIGKILL')
    await expect.poll(() => existsSync(`/proc/${pid}/cwd`), { timeout: 10_000 }).toBe(false)
    const server = await start(folder)
    expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('the database recovers after it was killed with its process', async () => {
    const folder = await newFolder('killed')
    const child = await startElsewhere(folder)
    process.kill(postmasterOf(folder), 'SIGKILL')
    child.kill('SIGKILL')
    const server = await start(folder)
    expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('the database starts over if its first start was cut off, and never over a damaged one', async () => {
    const folder = await newFolder('cut-off')
    await mkdir(join(folder, 'postgres', 'cluster.unfinished', 'base'), { recursive: true })
    const server = await start(folder)
    expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
    await rm(join(folder, 'postgres', 'cluster', 'PG_VERSION'))
    await expect(start(folder)).rejects.toThrow('is damaged: its PG_VERSION is missing')
  })

  it('the database reports when it dies', async () => {
    const folder = await newFolder('dies')
    const server = await start(folder)
    process.kill(postmasterOf(folder), 'SIGQUIT')
    expect(await server.died).toContain('The end of')
  })
})

describe('the data folder', () => {
  it('a data folder belongs to one process at a time', async () => {
    const first = await takeDataFolder(join(root, 'taken'))
    await expect(takeDataFolder(join(root, 'taken'))).rejects.toThrow(
      `Fairball is running on ${first.path} already (process ${process.pid}). Stop it, or set DATA_DIR and PORT`,
    )
    await expect(takeDataFolder(join(root, 'taken'))).rejects.toThrow(DataFolderTaken)
    first.release()
    const second = await takeDataFolder(join(root, 'taken'))
    second.release()
  })

  it('a data folder cannot be a file', async () => {
    await expect(takeDataFolder(import.meta.filename)).rejects.toThrow('Give it to this user (chown), or set DATA_DIR')
  })

  it('a data folder keeps one secret key, for its owner alone', async () => {
    const folder = join(root, 'secret')
    const keys = await Promise.all([1, 2].map((byte) => keptSecretKey(folder, () => new Uint8Array(32).fill(byte))))
    expect(keys[0]).toEqual(keys[1])
    expect(await keptSecretKey(folder, () => new Uint8Array(32))).toEqual(keys[0])
  })
})
