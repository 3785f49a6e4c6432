import { describe, expect, it } from 'vitest'
import { createLogger } from './logger.ts'
import { systemClock, systemRandom } from './system-runtime.ts'
import { seededRandom, TEST_START_AT, testClock, testRuntime } from './test-runtime.ts'

describe('the clock of tests', () => {
  it('the clock stands still until it is moved', () => {
    const clock = testClock(TEST_START_AT)
    expect([clock.now(), clock.nowMs()]).toEqual([1_735_732_800, 1_735_732_800_000])
    clock.set(TEST_START_AT + 60)
    expect([clock.now(), clock.offsetSeconds()]).toEqual([TEST_START_AT + 60, 60])
  })

  it('the clock wakes each sleeper at its own moment, and lets it sleep again before time moves on', async () => {
    const clock = testClock(0)
    const woken: string[] = []
    const sleeper = async (name: string, ms: number, times: number): Promise<void> => {
      for (let i = 0; i < times; i++) {
        await clock.sleep(ms)
        woken.push(`${name}@${clock.nowMs()}`)
      }
    }
    const all = Promise.all([sleeper('a', 2_000, 3), sleeper('b', 3_000, 1)])
    await clock.advance(6)
    await all
    expect(woken).toEqual(['a@2000', 'b@3000', 'a@4000', 'a@6000'])
    expect(clock.now()).toBe(6)
  })

  it('no sleeper sleeps past an abort', async () => {
    const clock = testClock(0)
    const stop = new AbortController()
    const sleeping = clock.sleep(1_000, stop.signal)
    stop.abort(new Error('stopped'))
    await expect(sleeping).rejects.toThrow('stopped')
    await expect(clock.sleep(1_000, stop.signal)).rejects.toThrow('stopped')
  })
})

describe('the clock of the system', () => {
  it('the clock runs ahead by its offset, and wakes every sleeper that is due by it', async () => {
    const clock = systemClock()
    const sleeping = clock.sleep(86_400_000)
    clock.setOffsetSeconds(86_400)
    await sleeping
    expect(clock.now() - Math.floor(Date.now() / 1000)).toBeGreaterThanOrEqual(86_400)
    expect(clock.offsetSeconds()).toBe(86_400)
  })

  it('the clock wakes in real time too, and takes a pause longer than any timer', async () => {
    const clock = systemClock()
    const stop = new AbortController()
    const long = clock.sleep(2 ** 40, stop.signal).catch(() => 'aborted')
    await clock.sleep(20)
    stop.abort()
    expect(await long).toBe('aborted')
  })

  it.each([-1, 1.5, NaN])('the clock has no offset of %s', (seconds) => {
    expect(() => systemClock().setOffsetSeconds(seconds)).toThrow(RangeError)
  })
})

describe('randomness', () => {
  it('the bytes of a seed are the same in every run, whatever the sizes requested', () => {
    const whole = seededRandom('a').bytes(100)
    const random = seededRandom('a')
    const pieces = [random.bytes(1), random.bytes(32), random.bytes(67)].flatMap((piece) => [...piece])
    expect(pieces).toEqual([...whole])
    expect(seededRandom('b').bytes(100)).not.toEqual(whole)
  })

  it('randomness gives UUIDs of version 4', () => {
    for (const random of [systemRandom, seededRandom('a')])
      expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})

describe('a log line', () => {
  it('a line is one object with its fields, and masks fields named like a secret', () => {
    const { log, logged } = testRuntime()
    log.child({ orderId: 'o1' }).info({ amountSats: 5n, password: 'x', nested: { accessToken: 'y' } }, 'paid')
    expect(logged).toEqual([
      {
        level: 'info',
        time: TEST_START_AT * 1000,
        orderId: 'o1',
        amountSats: '5',
        password: '[secret]',
        nested: { accessToken: '[secret]' },
        msg: 'paid',
      },
    ])
  })

  it('a line has an error with its causes, and a request without its query', () => {
    const { log, logged } = testRuntime()
    const request = { method: 'GET', url: '/verify?token=abc', ip: '::1', raw: {} }
    log.error({ err: new Error('outer', { cause: new TypeError('inner') }), req: request })
    expect(logged[0]).toMatchObject({
      err: { type: 'Error', message: 'outer', cause: { type: 'TypeError', message: 'inner' } },
      req: { method: 'GET', url: '/verify', remoteAddress: '::1' },
    })
  })

  it('a line below the level is not written', () => {
    const lines: string[] = []
    const log = createLogger({ level: 'warn', format: 'text', nowMs: () => 0, write: (line) => lines.push(line) })
    log.info('no')
    log.warn({ drawNumber: 7 }, 'yes')
    log.level = 'silent'
    log.fatal('no')
    expect(lines).toEqual(['00:00:00 WARN  yes drawNumber=7\n'])
  })
})

it('a test’s runtime never reaches the network', async () => {
  await expect(testRuntime().fetch('https://example.com/')).rejects.toThrow(
    'a test went to the network: https://example.com/',
  )
})
