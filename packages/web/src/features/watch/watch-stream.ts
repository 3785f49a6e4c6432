import type { WatchData } from '@fairball/contract/schemas/game'
import type { Runtime } from '../../shared/runtime.ts'

/**
 * Silence after which the stream is considered dead, in ms: a little more than twice the server's beat. A proxy may
 * hold its events back.
 */
export const SILENT_AFTER_MS = 12_000
/** The longest pause before the first try to open it again, and between two later ones, in ms. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 30_000

/** Handlers of a stream's events. */
interface StreamFollower {
  /** The draw has changed, or the stream was opened. */
  onWatch: (data: WatchData) => void
  /** @param now the server's time in epoch seconds */
  onNow: (now: number) => void
  /** Whether events arrive. While they do not, the draw has to be fetched. Called only when it changes; false at first. */
  onLive: (isLive: boolean) => void
}

/** A stream that is followed until it is stopped. */
export interface FollowedStream {
  /** Opens it again immediately: after a sleep the connection may be dead unnoticed. */
  restart: () => void
  /** Closes it until it is restarted. */
  stop: () => void
}

/**
 * Follows a stream of server-sent events and reconnects if it is refused, broken off or silent, after pauses that grow
 * to half a minute and differ from player to player, so that players do not all come back at the same moment.
 *
 * @param runtime opens the stream, waits, and gives the randomness of the pauses
 */
export function followStream(
  runtime: Pick<Runtime, 'openStream' | 'after' | 'randomBytes'>,
  address: string,
  { onWatch, onNow, onLive }: StreamFollower,
): FollowedStream {
  let source: EventSource | null = null
  let stopWaiting: () => void = () => {}
  let failures = 0
  let isLive = false

  function setLive(next: boolean): void {
    if (next === isLive) return
    isLive = next
    onLive(next)
  }

  function heard(): void {
    failures = 0
    stopWaiting()
    stopWaiting = runtime.after(SILENT_AFTER_MS, fail)
    setLive(true)
  }

  function fail(): void {
    close()
    setLive(false)
    stopWaiting = runtime.after(pauseMs(failures, runtime.randomBytes(1)[0] ?? 0), open)
    failures += 1
  }

  function open(): void {
    close()
    stopWaiting = runtime.after(SILENT_AFTER_MS, fail)
    try {
      source = runtime.openStream(address)
    } catch {
      // Missing in this browser, or forbidden: fetching replaces it.
      fail()
      return
    }
    source.addEventListener('error', fail)
    listen(source, 'watch', onWatch)
    listen(source, 'now', onNow)
  }

  /** Hands on an event's data. Anything but JSON is not from our server. */
  function listen<Data>(from: EventSource, name: string, call: (data: Data) => void): void {
    from.addEventListener(name, ({ data }: MessageEvent<string>) => {
      let parsed: Data
      try {
        // The contract guarantees the type of the server's data.
        parsed = JSON.parse(data) as Data
      } catch {
        fail()
        return
      }
      heard()
      call(parsed)
    })
  }

  function close(): void {
    stopWaiting()
    source?.close()
    source = null
  }

  open()
  return {
    restart() {
      failures = 0
      open()
    },
    stop() {
      close()
      setLive(false)
    },
  }
}

/**
 * @param failures number of failures in a row before
 * @param chance from 0 to 255
 * @returns the pause before the next try, in ms: between half and all of a length that doubles up to the longest
 */
export function pauseMs(failures: number, chance: number): number {
  const length = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)
  return Math.round(length * (0.5 + chance / 510))
}
