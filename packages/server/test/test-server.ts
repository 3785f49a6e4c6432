import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/db/embedded-postgres.ts'
import { testRuntime } from '../src/runtime/test-runtime.ts'

/** The prefix of every run's migrated template. */
export const TEMPLATE = 'fairball_template'

/** The address of another database on the same server. */
export function databaseAddress(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** A database server. */
export interface TestServer {
  /** `postgres://` of a database on it, as its owner */
  readonly url: string
  stop(): Promise<void>
}

/** Starts an embedded server that leaves nothing behind. */
export async function startTestServer(maxConnections?: number): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'fairball-test-'))
  await chmod(folder, 0o711)
  const limit = maxConnections === undefined ? {} : { maxConnections }
  const server = await startEmbeddedPostgres({
    dataFolder: folder,
    runtime: testRuntime(),
    isDurable: false,
    ...limit,
  })
  const { host, user, database } = server.address
  return {
    url: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** `postgres://` of the server's maintenance database. */
    databaseServer: string
    /** Distinguishes the databases of this run from those of another on the same server. */
    databaseRun: string
  }
}
