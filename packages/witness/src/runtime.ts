import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { dirname } from 'node:path'

/** The folder's files. When a method returns, its change is on the disk and survives a power failure. */
export interface Files {
  /** the whole file, or null if it does not exist */
  read(path: string): Uint8Array | null
  /** appends to a file, which is created if necessary */
  append(path: string, text: string): void
  /** replaces a file atomically: a reader finds the complete old text or the complete new one */
  replace(path: string, text: string): void
  /**
   * creates a file atomically that only its owner can read.
   *
   * @returns false if it exists already, and then it is unchanged
   */
  create(path: string, text: string): boolean
  /** truncates a file */
  truncate(path: string, bytes: number): void
  remove(path: string): void
  makeFolder(path: string): void
  /** the names in a folder; empty if it does not exist */
  names(path: string): string[]
}

/** An HTTP request. */
export interface WebRequest {
  readonly method: string
  /** the path without the query */
  readonly path: string
  /** null if it exceeds the server's limit */
  readonly body: Uint8Array | null
}

export interface WebAnswer {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** A listening server. */
export interface Listening {
  readonly port: number
  close(): Promise<void>
}

/** The program's access to the outside: clock, network, randomness, files, other programs, output. */
export interface Runtime {
  /** epoch milliseconds */
  nowMs(): number
  /** waits for a time or until the signal */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  readonly fetch: typeof fetch
  randomBytes(count: number): Uint8Array
  readonly files: Files
  /** answers HTTP requests, whose bodies are read up to a limit. @throws if the port is in use */
  listen(at: { host: string; port: number; mostBytes: number }, answer: Answering): Promise<Listening>
  /** runs a program with one argument, without a shell. @returns the problem, or null */
  run(program: string, argument: string): Promise<string | null>
  /** the id of this process */
  readonly pid: number
  /** whether a process is running */
  isRunning(pid: number): boolean
  /** writes a line, and adds the line feed */
  out(line: string): void
  err(line: string): void
}

export type Answering = (request: WebRequest) => Promise<WebAnswer>

/** Time limit of an alarm command, in ms. */
const COMMAND_TIMEOUT_MS = 60_000
/** Time limit for receiving a request, in ms, and maximum number of connections. */
const REQUEST_TIMEOUT_MS = 20_000
const MAX_CONNECTIONS = 256
const OWNER_ONLY = 0o600

/** The runtime of the system. */
export function systemRuntime(): Runtime {
  return {
    nowMs: () => Date.now(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve()
        const wake = (): void => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const timer = setTimeout(wake, ms)
        signal?.addEventListener('abort', wake)
      }),
    fetch: (input, init) => fetch(input, init),
    randomBytes: (count) => new Uint8Array(randomBytes(count)),
    files: systemFiles,
    listen,
    run: runProgram,
    pid: process.pid,
    isRunning(pid) {
      try {
        process.kill(pid, 0)
        return true
      } catch (error) {
        return codeOf(error) === 'EPERM' // it runs, as another user
      }
    },
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
  }
}

/** The files of this computer. */
export const systemFiles: Files = {
  read(path) {
    try {
      return readFileSync(path)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null
      throw error
    }
  },
  append(path, text) {
    writeWhole(path, 'a', text)
    syncFolder(dirname(path))
  },
  replace(path, text) {
    const besides = `${path}.new`
    writeWhole(besides, 'w', text)
    renameSync(besides, path)
    syncFolder(dirname(path))
  },
  create(path, text) {
    const besides = `${path}.${process.pid}`
    writeWhole(besides, 'w', text)
    try {
      linkSync(besides, path)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      throw error
    } finally {
      rmSync(besides, { force: true })
    }
    syncFolder(dirname(path))
    return true
  },
  truncate(path, bytes) {
    const file = openSync(path, 'r+')
    try {
      ftruncateSync(file, bytes)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  },
  remove: (path) => rmSync(path, { force: true }),
  makeFolder: (path) => void mkdirSync(path, { recursive: true, mode: 0o700 }),
  names(path) {
    try {
      return readdirSync(path).toSorted()
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return []
      throw error
    }
  },
}

function writeWhole(path: string, flags: string, text: string): void {
  const file = openSync(path, flags, OWNER_ONLY)
  try {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * A new file name is on the disk only after its folder is synced. Windows does not support this, and does not need it.
 */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function listen(
  { host, port, mostBytes }: { host: string; port: number; mostBytes: number },
  answer: Answering,
): Promise<Listening> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    void respond(request, response, mostBytes, answer)
  })
  server.maxConnections = MAX_CONNECTIONS
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : port,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            server.closeAllConnections()
          }),
      })
    })
  })
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  mostBytes: number,
  answer: Answering,
): Promise<void> {
  try {
    const body = await bodyOf(request, mostBytes)
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const { status, type, body: text } = await answer({ method: request.method ?? 'GET', path, body })
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
  } catch {
    response.destroy() // the connection was lost, or the program ends because its folder cannot be written
  }
}

async function bodyOf(request: IncomingMessage, mostBytes: number): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Uint8Array>) {
    bytes += part.length
    if (bytes <= mostBytes) parts.push(part)
    else if (bytes > 4 * mostBytes) break // a far too long body is not read to its end
  }
  return bytes > mostBytes ? null : Buffer.concat(parts, bytes)
}

function runProgram(program: string, argument: string): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, [argument], { stdio: 'ignore', timeout: COMMAND_TIMEOUT_MS })
    child.on('error', (error) => resolve(error.message))
    child.on('close', (status, signal) => {
      if (status === 0) resolve(null)
      else resolve(status === null ? `ended by ${signal}` : `ended with status ${status}`)
    })
  })
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code // errors of node:fs have a code, others have none
}
