import { describe, expect, it } from 'vitest'
import { Clock } from './clock.ts'
import type { Runtime } from './runtime.ts'

/** A device whose time and ticks the test moves. */
function device(startMs: number) {
  let nowMs = startMs
  const ticks = new Set<() => void>()
  const runtime: Runtime = {
    nowMs: () => nowMs,
    every: (_ms, call) => {
      ticks.add(call)
      return () => ticks.delete(call)
    },
    after: () => () => {},
    openStream: () => {
      throw new Error('a clock opens no stream')
    },
    fetch: () => Promise.reject(new Error('no network')),
    randomBytes: (count) => new Uint8Array(count),
    randomId: () => '',
  }
  const pass = (ms: number) => {
    nowMs += ms
    for (const tick of ticks) tick()
  }
  return { runtime, pass, ticks }
}

describe('the clock', () => {
  it("starts at the server's time, however wrong the device's is, and carries it on", () => {
    const { runtime, pass } = device(5_000)
    const clock = new Clock(1_800_000_000, runtime)
    clock.subscribe(() => {})
    pass(3_000)
    expect(clock.now()).toBe(1_800_000_003)
  })

  it('follows the server when its clock is moved, and ignores the time an answer takes', () => {
    const { runtime } = device(0)
    const clock = new Clock(1000, runtime)
    clock.correct(1001)
    expect(clock.now()).toBe(1000)
    clock.correct(90_000)
    expect(clock.now()).toBe(90_000)
  })

  it('ticks only while somebody looks', () => {
    const { runtime, ticks } = device(0)
    const clock = new Clock(1000, runtime)
    const stop = clock.subscribe(() => {})
    expect(ticks.size).toBe(1)
    stop()
    expect(ticks.size).toBe(0)
  })
})
