// Runs the real product for trials, with its own processes, data folder and ports. Everything is removed at the end.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@fairball/server/testing/fixtures'
import { printProfiles, profileOptions } from './bench/load/profile.ts'

const ROOT = join(import.meta.dirname, '..')

/** Options and variables for the product's Node, from a plain file that any Node can read. */
export const { SERVER_OPTIONS, SERVER_VARIABLES } = optionsOf(ROOT)

/** A password that satisfies every rule. */
export const PASSWORD = 'Correct-Horse-7-Battery'

/** The answer to a call, and its duration. */
export interface Answer {
  readonly status: number
  /** from the request's first byte to the answer's last byte */
  readonly ms: number
  readonly text: string
}

/** A running product. */
export interface Product {
  readonly pid: number
  readonly port: number
  /** its data folder; the database's socket is in its subfolder `postgres` */
  readonly dataDir: string
  stop(): Promise<void>
}

/** A request, as the benches make it. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** from the root: /healthz, /api/v1/games */
  readonly path: string
  readonly body?: unknown
  readonly bearer?: string
  /** The caller's network address as the product sees it: it trusts a proxy on this computer. */
  readonly from?: string
  /** further headers */
  readonly headers?: Readonly<Record<string, string>>
}

/** One running process of the product. */
export interface Process {
  readonly pid: number
  /** Resolves once it has ended, for whatever reason. */
  readonly ended: Promise<unknown>
  /** Shuts it down gracefully. */
  stop(): Promise<void>
  /** Kills it without notice, as a power cut does: `kill -9`. */
  kill(): Promise<void>
}

/** Settings of a process. Processes on one database share `publicUrl` and `dataDir`, because of its secret key. */
interface ProcessSettings {
  readonly dataDir: string
  /** 0 for a pure worker, which serves nothing */
  readonly port: number
  readonly role?: 'web' | 'worker' | 'both'
  /** the address players use; default: its own port */
  readonly publicUrl?: string
  /** further variables: DATABASE_URL, MONITOR_PORT, … */
  readonly env?: Readonly<Record<string, string>>
  /** further options for Node */
  readonly nodeOptions?: readonly string[]
  /** whether it starts the operator's console too, as the demo does */
  readonly hasConsole?: boolean
  /** the folder of another release, to start in place of this one */
  readonly release?: string | undefined
  /** receives its output, including its log */
  readonly onOutput?: (chunk: Buffer) => void
}

/** Starts one process of the product as a demo behind a trusted proxy, and waits until it is ready. */
export async function startProcess(settings: ProcessSettings): Promise<Process> {
  const { dataDir, port, role = 'both', publicUrl = `http://localhost:${port}`, onOutput = () => undefined } = settings
  const { release = ROOT } = settings
  const { SERVER_OPTIONS: own, SERVER_VARIABLES: variables } = optionsOf(release)
  const options = [...own, ...(settings.nodeOptions ?? [])]
  const main = join(release, 'packages/server/src/main/main.ts')
  const env = {
    ...variables,
    ...process.env,
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    ROLE: role,
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'silent',
    ...settings.env,
  }
  // The IPC channel tells the product when its parent has died, so that it exits too.
  const child = spawn(process.execPath, [...options, main, ...(settings.hasConsole ? [] : ['--no-console'])], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  if (child.stdout === null) throw new Error('the product has no output')
  child.stdout.on('data', onOutput)
  const ended = once(child, 'exit')
  await Promise.race([
    isReady(child.stdout),
    ended.then(() => Promise.reject(new Error('the product ended before it was ready'))),
  ])
  if (child.pid === undefined) throw new Error('the product has no process')
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    child.kill(signal)
    await ended
  }
  return { pid: child.pid, ended, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}

function optionsOf(release: string) {
  return createRequire(import.meta.url)(join(release, 'scripts/bootstrap.cjs')) as {
    SERVER_OPTIONS: string[]
    SERVER_VARIABLES: Record<string, string>
  }
}

/** Starts the product in a temporary folder, and waits until it serves. */
export async function startProduct(options: Pick<ProcessSettings, 'hasConsole'> = {}): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'fairball-bench-'))
  chmodSync(folder, 0o711) // as root, the database runs as another user, which needs access
  const dataDir = join(folder, 'data')
  const port = await freePort()
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const server = await startProcess({
    ...options,
    dataDir,
    port,
    nodeOptions: profileOptions(folder),
    env: { LOG_LEVEL: 'error' },
    onOutput: forwardErrors,
  }).catch((error: unknown) => {
    remove()
    throw error
  })
  const stop = async (): Promise<void> => {
    await server.stop()
    printProfiles(folder)
    remove()
  }
  process.once('SIGINT', () => void stop().then(() => process.exit(130)))
  return { pid: server.pid, port, dataDir, stop }
}

/** Forwards the product's errors, one JSON line each. Otherwise a missing figure would have no explanation. */
function forwardErrors(chunk: Buffer): void {
  const lines = chunk.toString().split('\n')
  for (const line of lines) if (line.startsWith('{')) process.stderr.write(`${line}\n`)
}

/** Keeps reading the output to its end: otherwise the product would fail on its last writes. */
function isReady(output: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve) => {
    output.on('data', (chunk: Buffer) => {
      if (/Fairball is ready|The worker is ready/.test(chunk.toString())) resolve()
    })
  })
}

/** A client of a product with its own connections, kept alive by default. */
export function createClient(port: number, connections = 8, keepAlive = true) {
  const agent = new Agent({ keepAlive, maxSockets: connections })

  /** Makes one call; any status counts as an answer. */
  function call({ method, path, body, bearer, from, headers: others }: Call): Promise<Answer> {
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const headers: Record<string, string | number> = {
      ...(payload === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(from === undefined ? {} : { 'x-forwarded-for': from }),
      ...others,
    }
    return new Promise((resolve, reject) => {
      const startedAt = performance.now()
      const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            ms: performance.now() - startedAt,
            text: Buffer.concat(chunks).toString(),
          }),
        )
      })
      sent.on('error', reject)
      sent.end(payload)
    })
  }

  return { call, close: () => agent.destroy() }
}

export type Client = ReturnType<typeof createClient>

/** A different network address for each number, out of 10.0.0.0/8. */
export function addressOf(index: number): string {
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
}

/** Opens an account and returns its tokens. */
export async function register(client: Client, email: string, from: string) {
  const body = { email, email_confirm: email, password: PASSWORD }
  const answer = await client.call({ method: 'POST', path: '/api/v1/auth/register', body, from })
  if (answer.status !== 201) throw new Error(`registering answered ${answer.status}: ${answer.text}`)
  return tokensOf(answer)
}

/** The pair of tokens in an answer. */
export function tokensOf(answer: Answer): { access: string; refresh: string } {
  const { access_token: access, refresh_token: refresh } = JSON.parse(answer.text) as Record<string, string> // by contract
  if (access === undefined || refresh === undefined) throw new Error(`no tokens in ${answer.text}`)
  return { access, refresh }
}

/** The value below which the given part of the values falls; 0.5 is the median. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN
}

/** Memory of a process, in MiB (Linux). */
export async function memoryMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) / 1024
}

/**
 * The number of a process's worker threads that are computing now; in this product, those that hash passwords. (Linux,
 * by the thread name that Node sets.)
 */
export async function busyWorkers(pid: number): Promise<number> {
  const tasks = (await readdir(`/proc/${pid}/task`)).filter((task) => task !== String(pid))
  const stats = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/stat`, 'utf8').catch(() => '')),
  )
  return stats.filter((stat) => /\(WorkerThread\) R /.test(stat)).length
}

/** Prints a Markdown table. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
  process.stdout.write(line(head) + line(head.map(() => '---')) + rows.map(line).join(''))
}
