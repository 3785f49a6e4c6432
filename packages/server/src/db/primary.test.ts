import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { testRuntime } from '../runtime/test-runtime.ts'
import { clientConfigs } from './connection-settings.ts'
import { createDatabase, DatabaseUnavailable } from './pool.ts'
import { connectToPrimary } from './primary.ts'
import { sql, t } from './sql.ts'

const backend = sql({ name: 'primary-test.backend', text: 'select pg_backend_pid() as pid', row: { pid: t.int } })

/** A server of one database: what it is asked goes to the test's server, while it is there. */
class Server {
  readonly #sockets = new Set<Socket>()
  readonly #folder: string
  #isSilent = false
  #server = createServer()
  port = 0

  constructor(databaseUrl: string) {
    this.#folder = new URL(databaseUrl).searchParams.get('host') ?? ''
    onTestFinished(() => this.die())
  }

  async start(): Promise<void> {
    this.#server = createServer((socket) => {
      const to = connect(`${this.#folder}/.s.PGSQL.5432`)
      for (const [from, other] of [
        [socket, to],
        [to, socket],
      ] as const) {
        this.#sockets.add(from)
        from.on('data', (bytes: Buffer) => this.#isSilent || other.write(bytes))
        from.on('error', () => undefined)
        from.on('close', () => other.destroy())
      }
    })
    this.#server.listen(this.port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.port = (this.#server.address() as AddressInfo).port // it listens on TCP
  }

  /** Its connections are cut, and nobody answers. */
  die(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  /** The connection that was made first is cut. */
  cutOldest(): void {
    const [oldest] = this.#sockets
    oldest?.destroy()
  }

  /** A cable is pulled: connections stay, and nothing arrives. */
  fallSilent(): void {
    this.#isSilent = true
  }
}

async function servers() {
  const { url } = await testDatabase()
  const [one, two] = [new Server(url), new Server(url)]
  for (const server of [one, two]) await server.start()
  const { username, pathname } = new URL(url)
  const address = `postgres://${username}@127.0.0.1:${one.port},127.0.0.1:${two.port}${pathname}`
  const db = createDatabase({ address, runtime: testRuntime(), poolSize: 2, connectionTimeoutMs: 300 })
  onTestFinished(() => db.close(0))
  return { one, two, db, address }
}

describe('a database of several servers', () => {
  it('the next server is used once the first one is gone, by statements, transactions and listeners', async () => {
    const { one, two, db } = await servers()
    const heard: string[] = []
    let gaps = 0
    await db.listen(
      'news',
      (text) => heard.push(text),
      () => (gaps += 1),
    )
    const before = await db.one(backend, [])
    one.die()
    // A statement that meets the cut connection fails, as with one server.
    await expect.poll(() => db.one(backend, []).catch(() => before)).not.toEqual(before)
    await db.transaction((tx) => tx.one(backend, []))
    await expect.poll(() => gaps).toBe(1)
    await db.notify('news', 'from the other server')
    await expect.poll(() => heard).toEqual(['from the other server'])
    expect(db.poolUse()).toMatchObject({ inUse: 0, idle: 1, waiting: 0, most: 2 })

    await one.start()
    two.die()
    await expect.poll(() => db.one(backend, []).catch(() => null)).not.toBeNull()
  })

  it('what was sent to a server that fell silent fails once the next one is used', async () => {
    const { one, db } = await servers()
    const asked = db.transaction(async (tx) => {
      await tx.one(backend, [])
      one.fallSilent()
      await Promise.all([tx.one(backend, []), db.one(backend, [])])
    })
    await expect(asked).rejects.toThrow(DatabaseUnavailable)
  })

  it('statements follow the connection that listens', async () => {
    const { one, db } = await servers()
    await db.listen('news', () => undefined)
    const asked = db.transaction(async (tx) => {
      await tx.one(backend, [])
      one.fallSilent()
      one.cutOldest()
      return await tx.one(backend, [])
    })
    await expect(asked).rejects.toThrow(DatabaseUnavailable)
    await db.one(backend, [])
  })

  it('a server whose connections are all in use stays the one in use', async () => {
    const { two, db } = await servers()
    two.die()
    await db.transaction(async (tx) => {
      await db.transaction(async () => {
        await expect(db.one(backend, [])).rejects.toThrow(DatabaseUnavailable)
      })
      await tx.one(backend, [])
    })
    await db.one(backend, [])
  })

  it('if no server is there, the error is that of the first one', async () => {
    const { one, two, db, address } = await servers()
    one.die()
    two.die()
    await expect(db.one(backend, [])).rejects.toThrow(DatabaseUnavailable)
    const connecting = connectToPrimary(clientConfigs({ address }))
    await expect(connecting).rejects.toThrow(`ECONNREFUSED 127.0.0.1:${one.port}`)
  })
})
