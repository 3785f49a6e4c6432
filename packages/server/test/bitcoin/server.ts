import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { monotonicTime } from '../../src/runtime/system-runtime.ts'

const MAIN = join(import.meta.dirname, '../../src/main/main.ts')
const WITHOUT_PAGES = join(import.meta.dirname, 'server-process.ts')
const BUILT_WEB = join(import.meta.dirname, '../../../web/dist/client/.vite/manifest.json')
const KEEP_COMPILED = new URL('../keep-compiled.ts', import.meta.url).href
const LONGEST_START_MS = 60_000
const PAUSE_MS = 20

/** What every program of the tests gets of our environment: where it finds others, and what they have compiled. */
export const PASSED_ON = {
  PATH: process.env['PATH'] ?? '',
  ...(process.env['NODE_COMPILE_CACHE'] === undefined ? {} : { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
}

/** The program in a process of its own. */
export interface Server {
  /** what it has written so far, including errors */
  said(): string
  hasEnded(): boolean
  /** Waits until it serves. @throws Error with what it said if it ends instead */
  ready(): Promise<void>
  /** Waits for its end. @returns its status; null after a signal */
  end(): Promise<number | null>
  /** Ends it as a power cut does. */
  kill9(): Promise<void>
}

const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/**
 * Starts the program as it runs in production: `main.ts`; if the web is not built, the same without its pages.
 *
 * @param env variables in addition to the search path
 * @param options.isMain uses `main.ts` in any case, for starts that end before the pages
 * @param options.isWithConsole lets it start the operator's console beside it
 */
export function startServer(
  env: Record<string, string>,
  options: { isMain?: boolean; isWithConsole?: boolean } = {},
): Server {
  const program = options.isMain === true || existsSync(BUILT_WEB) ? MAIN : WITHOUT_PAGES
  const args = options.isWithConsole === true ? [] : ['--no-console']
  const child = spawn(process.execPath, ['--import', KEEP_COMPILED, program, ...args], {
    env: { ...PASSED_ON, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const closed = once(child, 'close')
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (said += data.toString('utf8')))
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  return {
    said: () => said,
    hasEnded,
    async ready() {
      const untilMs = monotonicTime.nowMs() + LONGEST_START_MS
      while (!said.includes('Fairball is ready')) {
        if (hasEnded() || monotonicTime.nowMs() > untilMs) throw new Error(`the program did not start: ${said}`)
        await monotonicTime.sleep(PAUSE_MS)
      }
    },
    async end() {
      await closed
      return child.exitCode
    },
    async kill9() {
      child.kill('SIGKILL')
      await closed
    },
  }
}
