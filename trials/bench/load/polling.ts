// Watchers who poll the same address each second, each over a connection of its own.
import { setTimeout as sleep } from 'node:timers/promises'
import { Asker, type RawAnswer, requestBytes } from './http-load.ts'
import { Latencies } from './latencies.ts'

interface Polling {
  readonly port: number
  readonly path: string
  readonly watchers: number
  /** Time in which they come one after the other, each with a request that is not counted, in ms. Default: none. */
  readonly comingMs?: number
  /** When the last request is sent, in ms of this computer's clock. */
  readonly untilMs: number
  /** Receives every good answer. */
  readonly onAnswer?: (answer: RawAnswer) => void
}

/**
 * All watchers poll every second, spread evenly over it. An answer's time counts from when its request was due.
 *
 * @returns errors by status: 0 for a cut connection, -1 for a request that was not sent because the one before it was
 *   not answered within the second
 */
export async function pollEachSecond(polling: Polling) {
  const { port, path, watchers, comingMs = 0, untilMs, onAnswer } = polling
  const bytes = requestBytes({ path })
  const askers = Array.from({ length: watchers }, () => new Asker(port))
  const latencies = new Latencies()
  const errors = new Map<number, number>()
  const fail = (status: number): void => void errors.set(status, (errors.get(status) ?? 0) + 1)
  if (comingMs > 0) await come(askers, bytes, comingMs)
  const startMs = performance.now()
  let asked = 0
  while (Date.now() < untilMs) {
    for (const wanted = ((performance.now() - startMs) / 1000) * watchers; asked < wanted; asked += 1) {
      const asker = askers[asked % watchers]
      if (asker === undefined || asker.isBusy) {
        fail(-1)
        continue
      }
      const dueMs = startMs + (asked * 1000) / watchers
      asker.ask(bytes, (answer) => {
        if (answer.status !== 200) return fail(answer.status)
        latencies.add(performance.now() - dueMs)
        onAnswer?.(answer)
      })
    }
    await sleep(1)
  }
  await untilIdle(askers)
  for (const asker of askers) asker.close()
  return { latencies, errors: [...errors.values()].reduce((sum, count) => sum + count, 0) }
}

/** Opens the connections evenly over a time: a server takes some hundreds at once, and others have to try again. */
async function come(askers: readonly Asker[], bytes: Buffer, comingMs: number): Promise<void> {
  const startMs = performance.now()
  for (const [nr, asker] of askers.entries()) {
    while (performance.now() < startMs + (nr * comingMs) / askers.length) await sleep(1)
    asker.ask(bytes, () => undefined)
  }
  await untilIdle(askers)
}

async function untilIdle(askers: readonly Asker[]): Promise<void> {
  while (askers.some(({ isBusy }) => isBusy)) await sleep(1)
}
