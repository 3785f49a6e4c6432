import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Runtime } from '../runtime/runtime.ts'

const PROGRAM = join(import.meta.dirname, 'console-child-main.ts')
/** The pause before a console that ended is started again: twice as long each time, up to the last. */
const FIRST_PAUSE_MS = 1_000
const LAST_PAUSE_MS = 30_000
/** A console that lived so long had no trouble at its start. */
const STEADY_MS = 60_000
/** How long it may take to end in order. */
const END_LIMIT_MS = 10_000
/** Options of our own Node that hold for the child: those about memory. */
const PASSED_ON = /^--(?:max-|heap-)/u

/** What the console says to its parent once it serves. */
export const SERVES = 'serves'

/**
 * The console of the demo, a child of this process. It ends with its parent, however that dies, since the channel between
 * the two closes; and it is started again if it ends alone.
 */
export class ConsoleChild {
  readonly #runtime: Pick<Runtime, 'monotonic' | 'log'>
  readonly #env: Readonly<Record<string, string>>
  readonly #onFirst: () => void
  readonly #closing = new AbortController()
  #child: ChildProcess | null = null
  #living: Promise<void> | null = null
  #hasServed = false

  /**
   * @param env all of its environment: it inherits nothing
   * @param onFirst called once, when it serves for the first time
   */
  constructor(
    runtime: Pick<Runtime, 'monotonic' | 'log'>,
    env: Readonly<Record<string, string>>,
    onFirst: () => void = () => undefined,
  ) {
    this.#runtime = runtime
    this.#env = env
    this.#onFirst = onFirst
  }

  /** Its process; undefined while there is none. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  start(): void {
    this.#living ??= this.#live()
  }

  /** Ends it in order, or after a while without. */
  async close(): Promise<void> {
    this.#closing.abort()
    const child = this.#child
    if (child !== null) {
      const ended = new AbortController()
      void this.#runtime.monotonic.sleep(END_LIMIT_MS, ended.signal).then(
        () => child.kill('SIGKILL'),
        () => undefined,
      )
      child.kill('SIGTERM')
      await this.#living
      ended.abort()
    }
    await this.#living
  }

  async #live(): Promise<void> {
    const { monotonic, log } = this.#runtime
    const { signal } = this.#closing
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted;) {
      const startedMs = monotonic.nowMs()
      const reason = await this.#runOnce()
      if (signal.aborted) return
      if (monotonic.nowMs() - startedMs > STEADY_MS) pauseMs = FIRST_PAUSE_MS
      log.warn({ reason, pauseMs }, 'the console ended and is started again')
      await monotonic.sleep(pauseMs, signal).catch(() => undefined)
      pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)
    }
  }

  /** @returns why it ended */
  async #runOnce(): Promise<string> {
    const options = process.execArgv.filter((option) => PASSED_ON.test(option))
    const child = spawn(process.execPath, [...options, PROGRAM], {
      env: this.#env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child = child
    child.on('message', (message) => {
      if (message !== SERVES || this.#hasServed) return
      this.#hasServed = true
      this.#onFirst()
    })
    try {
      const [status, by] = (await once(child, 'exit')) as [number | null, string | null]
      return by ?? `status ${status}`
    } catch (error) {
      return (error as Error).message // it could not be started
    } finally {
      this.#child = null
    }
  }
}
