import { monotonicTime } from '../runtime/system-runtime.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { explanationOf } from './explain.ts'
import { PortTaken } from './ports.ts'

/** Time limit for the clean-up after a signal, in addition to `DRAIN_SECONDS`; then the process ends as it is. */
const SHUTDOWN_LIMIT_MS = 25_000

const SAME_SIGNAL_MS = 500

/** The clean-up at the end, last one first. */
type Cleanup = () => Promise<void> | void

/** A signal ended the start. */
class Stopped extends Error {}

/** The life of a process: start, serve until a signal, clean up, end. */
export class Life {
  readonly #cleanups: Cleanup[] = []
  readonly #stop = new AbortController()
  readonly #isChild: boolean
  #limitMs = SHUTDOWN_LIMIT_MS

  /** @param options.isChild whether a parent of ours tells the person who waits */
  constructor(options: { readonly isChild?: boolean } = {}) {
    this.#isChild = options.isChild ?? false
  }

  /** Aborted once the process was told to end. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** Has something put away at the end, before what was named earlier. */
  atEnd(cleanup: Cleanup): void {
    this.#cleanups.push(cleanup)
  }

  /** Lets the clean-up take longer, as requests are still answered for a while. */
  allowSeconds(seconds: number): void {
    this.#limitMs += seconds * 1000
  }

  /** Lives until a signal, or until the start fails; then the process ends. */
  async run(start: (life: Life) => Promise<void>): Promise<never> {
    let status = 0
    this.#stopOnSignals()
    try {
      await start(this)
      await new Promise<void>((resolve) => this.#onStop(resolve))
      if (!this.#isChild) process.stdout.write('Stopping …\n')
    } catch (error) {
      if (!this.#isStopped(error)) {
        explain(error)
        status = 1
      }
    }
    await this.#putAway()
    // What a library left open (a timer, a keep-alive socket) must not hold up the end.
    process.exit(status)
  }

  /** An uncaught failure leaves the process in an unknown state: report it and end. */
  endOnBugs({ log }: Runtime): void {
    process.on('unhandledRejection', (error) => {
      log.fatal({ err: error }, 'a promise was rejected and nobody looked')
      process.exit(1)
    })
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'an error was thrown and nobody caught it')
      process.exit(1)
    })
  }

  /**
   * The first signal ends in order; a second one, immediately (the embedded database's guard then stops the database).
   * A Ctrl-C comes twice, from the terminal and passed on by `npm start`: what follows within a moment is the same one.
   */
  #stopOnSignals(): void {
    let stoppedMs = 0
    const onStopWanted = (): void => {
      if (this.signal.aborted && monotonicTime.nowMs() - stoppedMs > SAME_SIGNAL_MS) process.exit(1)
      if (this.signal.aborted) return
      stoppedMs = monotonicTime.nowMs()
      this.#stop.abort(new Stopped())
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onStopWanted)
    process.on('disconnect', onStopWanted) // our parent, `npm start` or the demo, was killed
  }

  #isStopped(error: unknown): boolean {
    return this.signal.aborted && (error instanceof Stopped || error === this.signal.reason)
  }

  #onStop(action: () => void): void {
    if (this.signal.aborted) action()
    else this.signal.addEventListener('abort', () => action(), { once: true })
  }

  async #putAway(): Promise<void> {
    const all = async (): Promise<'done'> => {
      for (const cleanup of this.#cleanups.toReversed()) await Promise.resolve().then(cleanup).catch(explain)
      return 'done'
    }
    const outcome = await Promise.race([all(), monotonicTime.sleep(this.#limitMs).then(() => 'late' as const)])
    if (outcome === 'late') process.stderr.write(`Not everything could be put away within ${this.#limitMs / 1000} s.\n`)
  }
}

function explain(error: unknown): void {
  process.stderr.write(`\n${explanationOf(error, [PortTaken])}\n`)
}
