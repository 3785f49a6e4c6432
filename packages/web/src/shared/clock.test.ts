import { describe, expect, it } from 'vitest'
import { Clock } from './clock.ts'
import type { Runtime } from './runtime.ts'

/** A device with time and ticks moved by the test. */
function device(startMs: number) {
  let nowMs = startMs
  const ticks = new Set<() => void>()
  const runtime: Runtime = {
    nowMs: () => nowMs,
    sinceLoadMs: () => 0,
    every: (_ms, call) => {
      ticks.add(call)
      return () => ticks.delete(call)
    },
    after: () => () => {},
    isOnline: () => true,
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
  const sleep = (ms: number) => (nowMs += ms)
  return { runtime, pass, sleep, ticks }
}

describe('the clock', () => {
  it("the clock starts at the server's time, however wrong the device's is, and continues it", () => {
    const { runtime, pass } = device(5_000)
    const clock = new Clock(1_800_000_000, runtime)
    clock.subscribe(() => {})
    pass(3_000)
    expect(clock.now()).toBe(1_800_000_003)
  })

  it('the clock follows a jump of the server’s, and ignores the delay of an answer', () => {
    const { runtime } = device(0)
    const clock = new Clock(1000, runtime)
    clock.correct(1001)
    expect(clock.now()).toBe(1000)
    clock.correct(90_000)
    expect(clock.now()).toBe(90_000)
  })

  it.each([
    ['ahead', 7 * 60_000],
    ['behind', -7 * 60_000],
  ])('the next answer corrects the clock if the device’s own was set minutes %s meanwhile', (_, wrongMs) => {
    const { runtime, pass } = device(1_000_000)
    const clock = new Clock(5000, runtime)
    clock.subscribe(() => {})
    pass(1_000)
    pass(wrongMs)
    expect(clock.now()).toBe(5001 + wrongMs / 1000)
    clock.correct(5002)
    expect(clock.now()).toBe(5002)
  })

  it('a cached or slow answer never sets the clock back', () => {
    const { runtime, pass } = device(0)
    const clock = new Clock(1000, runtime)
    clock.subscribe(() => {})
    for (let second = 0; second < 60; second++) pass(1_000)
    clock.correct(1003)
    expect(clock.now()).toBe(1060)
  })

  it('the clock reports a sleep or a change of the device’s clock, but not a slightly late tick', () => {
    const { runtime, pass } = device(1_000_000)
    const clock = new Clock(1000, runtime)
    let jumps = 0
    clock.subscribe(() => {})
    const stop = clock.subscribeToJumps(() => (jumps += 1))
    pass(1_000)
    pass(3_000)
    expect(jumps).toBe(0)
    pass(90_000)
    expect(jumps).toBe(1)
    pass(-300_000)
    expect(jumps).toBe(2)
    stop()
    pass(90_000)
    expect(jumps).toBe(2)
  })

  it('the clock reports a jump even if an answer has corrected it before the tick', () => {
    const { runtime, pass, sleep } = device(0)
    const clock = new Clock(1000, runtime)
    let jumps = 0
    clock.subscribe(() => {})
    clock.subscribeToJumps(() => (jumps += 1))
    sleep(600_000)
    clock.correct(1600)
    pass(1_000)
    expect([clock.now(), jumps]).toEqual([1601, 1])
  })

  it('the clock ticks only while it has subscribers', () => {
    const { runtime, ticks } = device(0)
    const clock = new Clock(1000, runtime)
    const stop = clock.subscribe(() => {})
    expect(ticks.size).toBe(1)
    stop()
    expect(ticks.size).toBe(0)
  })
})
