import type { WatchData } from '@fairball/contract/schemas/game'
import type { Runtime } from '../../runtime/runtime.ts'
import { Overloaded } from '../../http/errors.ts'
import { dataOfPlayer, type Results, type WatchedDraw } from './service.ts'

/** The most watchers of one process; each is an open connection. */
const MOST_WATCHERS = 10_000
/** While nothing is due the draw is looked at this often all the same: news of other processes can be missed. */
const IDLE_MS = 5_000
/**
 * How often a watcher is told the time while nothing changes: it keeps the connection alive for those who stand between, shows the page
 * that nobody holds its events back (watch-stream.ts of the web waits for two of them), and sets its clock right. Real time, because theirs is.
 */
export const HEARTBEAT_MS = 5_000
const RETRY_MS = 1_000
/** So many are written to without a break, a few milliseconds: thousands in one go would keep every other caller waiting. */
const TOLD_AT_ONCE = 200

/** Somebody who watches a game. */
export interface Watcher {
  /** null for a visitor */
  readonly playerId: bigint | null
  /** Gets the data at the beginning and whenever it has changed, as JSON. */
  readonly send: (json: string) => void
  /** Called every few seconds. @param now the system's time in epoch seconds */
  readonly beat: (now: number) => void
  /** Called when the process ends the watching. */
  readonly end: () => void
}

export type WatchTicker = ReturnType<typeof createWatchTicker>

/** Tells all watchers of a game what changes: the draw is read once a tick, however many watch. */
export function createWatchTicker({
  runtime,
  results,
  heartbeatMs = HEARTBEAT_MS,
}: {
  runtime: Pick<Runtime, 'clock' | 'steady' | 'log'>
  results: Pick<Results, 'watchedNow' | 'wonMatches'>
  heartbeatMs?: number
}) {
  const rooms = new Map<string, Room>()
  let isClosed = false

  /** Those who watch one game, each with the visitors' data it was last told of. */
  interface Room {
    readonly watchers: Map<Watcher, string>
    /** ends the pause between two ticks */
    wakeUp: AbortController
    readonly emptied: AbortController
  }

  async function tickWhileWatched(gameKey: string, room: Room): Promise<void> {
    while (room.watchers.size > 0) {
      const { signal } = room.wakeUp
      let pauseMs = RETRY_MS
      try {
        const shown = await results.watchedNow(gameKey)
        await tell(room, shown)
        pauseMs = pauseAfter(shown, runtime.clock.nowMs())
      } catch (error) {
        runtime.log.warn({ err: error, gameKey }, 'a draw cannot be shown to its watchers')
      }
      await runtime.clock.sleep(pauseMs, signal).catch(() => undefined) // woken: there is news
    }
  }

  async function tell(room: Room, { data, draw }: WatchedDraw): Promise<void> {
    const json = JSON.stringify(data)
    const behind = [...room.watchers].filter(([, last]) => last !== json).map(([watcher]) => watcher)
    const players = new Set(behind.flatMap(({ playerId }) => (playerId === null ? [] : [playerId])))
    const hasWinners = draw !== null && data.prizes !== false && players.size > 0
    const won = hasWinners ? await results.wonMatches(draw.id, [...players]) : new Map<bigint, Set<number>>()
    await withBreaks(behind, (watcher) => {
      if (!room.watchers.has(watcher)) return // left meanwhile
      const matches = watcher.playerId === null ? undefined : won.get(watcher.playerId)
      room.watchers.set(watcher, json)
      watcher.send(matches === undefined ? json : JSON.stringify(dataOfPlayer(data, matches)))
    })
  }

  /** Does something for each watcher, and lets whoever else waits for the process have a turn now and then. */
  async function withBreaks(watchers: Iterable<Watcher>, work: (watcher: Watcher) => void): Promise<void> {
    let done = 0
    for (const watcher of watchers) {
      if (done > 0 && done % TOLD_AT_ONCE === 0) await runtime.steady.sleep(0)
      work(watcher)
      done += 1
    }
  }

  async function beatWhileWatched(room: Room): Promise<void> {
    while (room.watchers.size > 0) {
      await runtime.steady.sleep(heartbeatMs, room.emptied.signal).catch(() => undefined) // everybody has left
      await withBreaks(room.watchers.keys(), (watcher) => watcher.beat(runtime.clock.now()))
    }
  }

  function wakeRoom(room: Room): void {
    const pausing = room.wakeUp
    room.wakeUp = new AbortController()
    pausing.abort()
  }

  function open(gameKey: string): Room {
    const room: Room = { watchers: new Map(), wakeUp: new AbortController(), emptied: new AbortController() }
    rooms.set(gameKey, room)
    return room
  }

  /** How many watch now, over all games. */
  function watching(): number {
    return [...rooms.values()].reduce((sum, room) => sum + room.watchers.size, 0)
  }

  return {
    watching,

    /**
     * Adds a watcher; the first data follows at once.
     *
     * @param gameKey the game's own key
     * @returns a function that takes the watcher out again
     * @throws Overloaded when too many watch already
     */
    join(gameKey: string, watcher: Watcher): () => void {
      if (isClosed || watching() >= MOST_WATCHERS) throw new Overloaded('the watch page')
      const room = rooms.get(gameKey) ?? open(gameKey)
      room.watchers.set(watcher, '')
      if (room.watchers.size === 1) {
        void tickWhileWatched(gameKey, room)
        void beatWhileWatched(room)
      } else {
        wakeRoom(room)
      }
      return () => {
        if (!room.watchers.delete(watcher) || room.watchers.size > 0) return
        rooms.delete(gameKey)
        room.emptied.abort()
        wakeRoom(room)
      }
    },

    /** Looks at every watched draw now: after a notification that draws have changed. */
    wake(): void {
      for (const room of rooms.values()) wakeRoom(room)
    },

    /** Ends all watching and lets nobody in any more. */
    close(): void {
      isClosed = true
      for (const room of rooms.values()) for (const watcher of room.watchers.keys()) watcher.end()
    },
  }
}

/**
 * How long nothing will change by time alone, in milliseconds: around the show a second at a time, otherwise until it
 * begins. What else changes a draw is notified.
 */
function pauseAfter({ draw, data }: { draw: WatchedDraw['draw']; data: WatchData }, nowMs: number): number {
  const isOver = data.prizes !== false
  if (draw === null || isOver) return IDLE_MS
  const untilStartMs = draw.start_at * 1000 - nowMs
  if (untilStartMs > 0) return Math.min(untilStartMs, IDLE_MS)
  return 1000 - (nowMs % 1000)
}
