import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test as journey } from '@playwright/test'
import pg from 'pg'
import { freePort } from '../packages/server/test/free-port.ts'

const PROGRAMS = join(import.meta.dirname, '../packages/server/src/main')
const MAIN = join(PROGRAMS, 'main.ts')
const COMMANDS = join(PROGRAMS, 'operator.ts')
const START_MS = 60_000
const POLL_MS = 200

/** An operator with their own product: its commands, and everything in its database. */
export interface Operator {
  readonly url: string
  /** Runs a command beside the running product. @returns what it prints @throws with what it says if it is refused */
  command(...args: readonly string[]): string
  /** Writes a file for a command. @returns its path */
  file(name: string, content: unknown): string
  /** Runs a statement without triggers and foreign keys. */
  sql(text: string, values?: readonly unknown[]): Promise<void>
  /** Copies all present data of the product. */
  keepCopy(): Promise<void>
  /** Restarts from the copy, without the later changes. */
  restoreCopy(): Promise<void>
}

/** A journey with its own product, which its operator changes or corrupts. */
export const test = journey.extend<object, { operator: Operator }>({
  operator: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the needed fixtures from the pattern
    async ({}, use) => {
      const product = new OwnProduct(await freePort())
      await product.start()
      await use(product)
      await product.remove()
    },
    { scope: 'worker', timeout: START_MS },
  ],
  baseURL: async ({ operator }, use) => use(operator.url),
})

class OwnProduct implements Operator {
  readonly url: string
  readonly #port: number
  readonly #folder = mkdtempSync(join(tmpdir(), 'fairball-e2e-'))
  #process: ChildProcess | null = null

  constructor(port: number) {
    this.#port = port
    this.url = `http://localhost:${port}`
    chmodSync(this.#folder, 0o711) // as root the database runs as another user, who must be able to enter
  }

  async start(): Promise<void> {
    this.#process = spawn(process.execPath, [MAIN, '--no-console'], {
      env: this.#environment,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const lastMs = Date.now() + START_MS
    while (!(await this.#answers())) {
      if (Date.now() > lastMs) throw new Error('the product does not start')
      await sleep(POLL_MS)
    }
  }

  command(...args: readonly string[]): string {
    return execFileSync(process.execPath, [COMMANDS, ...args], { env: this.#environment, encoding: 'utf8' })
  }

  file(name: string, content: unknown): string {
    const path = join(this.#folder, name)
    writeFileSync(path, JSON.stringify(content))
    return path
  }

  async sql(text: string, values: readonly unknown[] = []): Promise<void> {
    const client = new pg.Client({
      host: join(this.#data, 'postgres'),
      port: 5432,
      user: 'fairball',
      database: 'fairball',
    })
    await client.connect()
    try {
      await client.query('set session_replication_role = replica')
      await client.query(text, [...values])
    } finally {
      await client.end()
    }
  }

  async keepCopy(): Promise<void> {
    await this.#stop()
    execFileSync('cp', ['-a', this.#data, this.#copy]) // files keep their owner, who may be the database's user
    await this.start()
  }

  async restoreCopy(): Promise<void> {
    await this.#stop()
    rmSync(this.#data, { recursive: true })
    execFileSync('cp', ['-a', this.#copy, this.#data])
    await this.start()
  }

  async remove(): Promise<void> {
    await this.#stop()
    rmSync(this.#folder, { recursive: true })
  }

  get #environment(): NodeJS.ProcessEnv {
    const own = { NODE_ENV: 'test', DATA_DIR: this.#data, PORT: String(this.#port), LOG_LEVEL: 'fatal' }
    return { ...process.env, ...own }
  }

  get #data(): string {
    return join(this.#folder, 'data')
  }

  get #copy(): string {
    return join(this.#folder, 'copy')
  }

  async #stop(): Promise<void> {
    const running = this.#process
    this.#process = null
    if (running === null || running.exitCode !== null) return
    running.kill('SIGTERM')
    await once(running, 'exit')
  }

  async #answers(): Promise<boolean> {
    return await fetch(`${this.url}/api/v1/games`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
}
