import type { WatchData } from '@fairball/contract/schemas/game'
import { LotteryError } from '@fairball/domain/errors'
import { Overloaded } from '../../kernel/errors.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { dataOfPlayer, type ResultsContext, type WatchedDraw, watchedNow, wonMatches } from './service.ts'

/** Maximum number of watchers per process; each is an open connection. */
const MAX_WATCHERS = 10_000
/**
 * Maximum number of watchers per network address: whole offices and mobile networks share one. Refused browsers retry
 * from time to time.
 */
export const MAX_OF_ADDRESS = 100
/** Delay before a refused browser may retry, in seconds. */
const REFUSED_SECONDS = 30
/** Delay between checks of the draw while nothing is due: news of other processes can be missed. */
const IDLE_MS = 5_000
/**
 * How often a watcher gets the time while nothing changes. It keeps the connection alive through intermediaries, shows
 * the page that its events are not held back (watch-stream.ts of the web waits for two of them), and sets its clock
 * right. Real time, because theirs is.
 */
const HEARTBEAT_MS = 5_000
const RETRY_MS = 1_000
/**
 * Number of watchers served without a break, a few milliseconds: thousands in one go would keep every other caller
 * waiting.
 */
const TOLD_AT_ONCE = 200

/** A watcher of a game. */
interface Watcher {
  /** null for a visitor */
  readonly playerId: bigint | null
  /** the network address it comes from */
  readonly address: string
  /** Gets the data at the beginning and whenever it has changed, as JSON. */
  readonly send: (json: string) => void
  /** Called every few seconds. @param now the system's time in epoch seconds */
  readonly beat: (now: number) => void
  /** Called when the process ends the watching. */
  readonly end: () => void
}

/** The watchers of one game, each with the visitors' data it last got. */
interface Room {
  readonly watchers: Map<Watcher, string>
  /** ends the pause between two ticks */
  wakeUp: AbortController
  readonly emptied: AbortController
}

interface TickerDeps {
  readonly runtime: Pick<Runtime, 'clock' | 'monotonic' | 'log'>
  readonly results: ResultsContext
  readonly heartbeatMs?: number
}

/** Sends all watchers of a game what changes: the draw is read once per tick, however many watch. */
export class WatchTicker {
  readonly #deps: TickerDeps
  readonly #rooms = new Map<string, Room>()
  /** number of watchers from each address */
  readonly #fromAddress = new Map<string, number>()
  #isClosed = false

  constructor(deps: TickerDeps) {
    this.#deps = deps
  }

  async #tickWhileWatched(gameKey: string, room: Room): Promise<void> {
    while (room.watchers.size > 0) {
      const { signal } = room.wakeUp
      let pauseMs = RETRY_MS
      try {
        const shown = await watchedNow(this.#deps.results, gameKey)
        await this.#tell(room, shown)
        pauseMs = pauseAfter(shown, this.#deps.runtime.clock.nowMs())
      } catch (error) {
        this.#deps.runtime.log.warn({ err: error, gameKey }, 'a draw cannot be shown to its watchers')
      }
      await this.#deps.runtime.clock.sleep(pauseMs, signal).catch(() => undefined) // woken: there is news
    }
  }

  async #tell(room: Room, { data, draw }: WatchedDraw): Promise<void> {
    const json = JSON.stringify(data)
    const behind = [...room.watchers].filter(([, last]) => last !== json).map(([watcher]) => watcher)
    const players = new Set(behind.flatMap(({ playerId }) => (playerId === null ? [] : [playerId])))
    const hasWinners = draw !== null && data.prizes !== false && players.size > 0
    const won = hasWinners
      ? await wonMatches(this.#deps.results, draw.id, [...players])
      : new Map<bigint, Set<number>>()
    await this.#withBreaks(behind, (watcher) => {
      if (!room.watchers.has(watcher)) return // left meanwhile
      const matches = watcher.playerId === null ? undefined : won.get(watcher.playerId)
      room.watchers.set(watcher, json)
      watcher.send(matches === undefined ? json : JSON.stringify(dataOfPlayer(data, matches)))
    })
  }

  /** Does something for each watcher, and now and then lets other work of the process run. */
  async #withBreaks(watchers: Iterable<Watcher>, work: (watcher: Watcher) => void): Promise<void> {
    let done = 0
    for (const watcher of watchers) {
      if (done > 0 && done % TOLD_AT_ONCE === 0) await this.#deps.runtime.monotonic.sleep(0)
      work(watcher)
      done += 1
    }
  }

  async #beatWhileWatched(room: Room): Promise<void> {
    while (room.watchers.size > 0) {
      await this.#deps.runtime.monotonic
        .sleep(this.#deps.heartbeatMs ?? HEARTBEAT_MS, room.emptied.signal)
        .catch(() => undefined) // all have left
      await this.#withBreaks(room.watchers.keys(), (watcher) => watcher.beat(this.#deps.runtime.clock.now()))
    }
  }

  #wakeRoom(room: Room): void {
    const pausing = room.wakeUp
    room.wakeUp = new AbortController()
    pausing.abort()
  }

  #open(gameKey: string): Room {
    const room: Room = { watchers: new Map(), wakeUp: new AbortController(), emptied: new AbortController() }
    this.#rooms.set(gameKey, room)
    return room
  }

  /** Number of watchers now, over all games. */
  watching(): number {
    return [...this.#rooms.values()].reduce((sum, room) => sum + room.watchers.size, 0)
  }

  /**
   * Adds a watcher; the first data follows immediately.
   *
   * @param gameKey the game's own key
   * @returns a function that removes the watcher again
   * @throws Overloaded when too many watch already; LotteryError TOO_MANY_REQUESTS when too many of its address do
   */
  join(gameKey: string, watcher: Watcher): () => void {
    if (this.#isClosed || this.watching() >= MAX_WATCHERS) throw new Overloaded('the watch page')
    const { address } = watcher
    const others = this.#fromAddress.get(address) ?? 0
    if (others >= MAX_OF_ADDRESS)
      throw new LotteryError('TOO_MANY_REQUESTS', undefined, { retryAfterSeconds: REFUSED_SECONDS })
    this.#fromAddress.set(address, others + 1)
    const room = this.#rooms.get(gameKey) ?? this.#open(gameKey)
    room.watchers.set(watcher, '')
    if (room.watchers.size === 1) {
      void this.#tickWhileWatched(gameKey, room)
      void this.#beatWhileWatched(room)
    } else {
      this.#wakeRoom(room)
    }
    return () => {
      if (!room.watchers.delete(watcher)) return
      const left = (this.#fromAddress.get(address) ?? 1) - 1
      if (left === 0) this.#fromAddress.delete(address)
      else this.#fromAddress.set(address, left)
      if (room.watchers.size > 0) return
      this.#rooms.delete(gameKey)
      room.emptied.abort()
      this.#wakeRoom(room)
    }
  }

  /** Checks every watched draw now: after a notification that draws have changed. */
  wake(): void {
    for (const room of this.#rooms.values()) this.#wakeRoom(room)
  }

  /** Ends all watching and refuses new watchers. */
  close(): void {
    this.#isClosed = true
    for (const room of this.#rooms.values()) for (const watcher of room.watchers.keys()) watcher.end()
  }
}

/**
 * How long nothing will change by time alone, in milliseconds: around the show a second at a time, otherwise until it
 * begins. Other changes of a draw are notified.
 */
function pauseAfter({ draw, data }: { draw: WatchedDraw['draw']; data: WatchData }, nowMs: number): number {
  const isOver = data.prizes !== false
  if (draw === null || isOver) return IDLE_MS
  const untilStartMs = draw.startAt * 1000 - nowMs
  if (untilStartMs > 0) return Math.min(untilStartMs, IDLE_MS)
  return 1000 - (nowMs % 1000)
}
