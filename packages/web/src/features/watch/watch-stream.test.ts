import { beforeEach, describe, expect, it } from 'vitest'
import type { WatchData } from '@fairball/contract/schemas/game'
import { StreamStandIn } from '../../testing/stream-stand-in.ts'
import { followStream, pauseMs, SILENT_AFTER_MS } from './watch-stream.ts'
import type { FollowedStream } from './watch-stream.ts'

const BALLS: WatchData = { draw: [7, true], prizes: false }

let nowMs: number
let timers: { dueMs: number; call: () => void }[]
let sources: StreamStandIn[]
let refuses: boolean
let heard: unknown[]
let lives: boolean[]
let stream: FollowedStream

/** Lets time pass, and calls what is due. */
function pass(ms: number): void {
  nowMs += ms
  for (const timer of timers.filter(({ dueMs }) => dueMs <= nowMs)) {
    if (!timers.includes(timer)) continue // cancelled by an earlier one
    timers = timers.filter((one) => one !== timer)
    timer.call()
  }
}

function follow(): void {
  const runtime = {
    openStream: () => {
      if (refuses) throw new TypeError('EventSource is not a constructor')
      const source = new StreamStandIn()
      sources.push(source)
      return source.asEventSource()
    },
    after: (ms: number, call: () => void) => {
      const timer = { dueMs: nowMs + ms, call }
      timers.push(timer)
      return () => (timers = timers.filter((one) => one !== timer))
    },
    randomBytes: (count: number) => new Uint8Array(count).fill(255),
  }
  stream = followStream(runtime, '/stream', {
    onWatch: (data) => heard.push(data),
    onNow: (now) => heard.push(now),
    onLive: (isLive) => lives.push(isLive),
  })
}

beforeEach(() => {
  nowMs = 0
  timers = []
  sources = []
  refuses = false
  heard = []
  lives = []
})

describe('the stream of a draw', () => {
  it('the stream passes on balls and the server’s time, and is live from the first event, not from its opening', () => {
    follow()
    sources[0]?.tell('open')
    expect(lives).toEqual([])
    sources[0]?.send('watch', BALLS)
    sources[0]?.send('now', 1_800_000_000)
    expect(heard).toEqual([BALLS, 1_800_000_000])
    expect(lives).toEqual([true])
  })

  it('a stream silent for twelve seconds, as behind a buffering proxy, is no longer live and is reopened', () => {
    follow()
    sources[0]?.send('watch', BALLS)
    pass(SILENT_AFTER_MS - 1)
    sources[0]?.send('now', 1)
    pass(SILENT_AFTER_MS - 1)
    expect(lives).toEqual([true])
    pass(1)
    expect(lives).toEqual([true, false])
    expect(sources[0]?.isClosed).toBe(true)
    pass(2_000)
    expect(sources).toHaveLength(2)
    sources[1]?.send('watch', BALLS)
    expect(lives).toEqual([true, false, true])
  })

  it('a stream without events is never live', () => {
    follow()
    sources[0]?.tell('open')
    pass(SILENT_AFTER_MS)
    expect(lives).toEqual([])
    expect(sources[0]?.isClosed).toBe(true)
  })

  it('a refused stream is reopened after growing pauses, and after a short one once it has worked', () => {
    follow()
    for (const [tries, pause] of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
      sources.at(-1)?.tell('error')
      pass(pause - 1)
      expect(sources).toHaveLength(tries + 1)
      pass(1)
      expect(sources).toHaveLength(tries + 2)
    }
    sources.at(-1)?.send('watch', BALLS)
    sources.at(-1)?.tell('error')
    const before = sources.length
    pass(2_000)
    expect(sources).toHaveLength(before + 1)
  })

  it('the wait is a random part of the pause, from half to all of it', () => {
    expect([pauseMs(0, 0), pauseMs(0, 255), pauseMs(9, 0), pauseMs(99, 255)]).toEqual([1_000, 2_000, 15_000, 30_000])
  })

  it('a browser without streams is no error, and the stream is retried', () => {
    refuses = true
    follow()
    expect(lives).toEqual([])
    refuses = false
    pass(2_000)
    expect(sources).toHaveLength(1)
  })

  it('an event that is not JSON counts as a failure', () => {
    follow()
    sources[0]?.sendText('watch', '<html>')
    expect([heard, sources[0]?.isClosed]).toEqual([[], true])
  })

  it('the stream is reopened immediately after a sleep, and then after short pauses', () => {
    follow()
    sources[0]?.send('watch', BALLS)
    stream.restart()
    expect(sources.map(({ isClosed }) => isClosed)).toEqual([true, false])
  })

  it('a stopped stream stays closed', () => {
    follow()
    sources[0]?.send('watch', BALLS)
    stream.stop()
    pass(600_000)
    expect(sources).toHaveLength(1)
    expect([sources[0]?.isClosed, lives, timers]).toEqual([true, [true, false], []])
  })
})
