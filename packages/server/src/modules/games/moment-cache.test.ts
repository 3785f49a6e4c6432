import { expect, it } from 'vitest'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { momentCache } from './moment-cache.ts'

/** A runtime whose monotonic time moves only when told, and a cache that counts its readings. */
function counted() {
  const runtime = testRuntime()
  const time = { ms: 0 }
  let readings = 0
  const monotonic = { ...runtime.monotonic, nowMs: () => time.ms }
  const cache = momentCache({ clock: runtime.clock, monotonic }, () => Promise.resolve(++readings))
  return { runtime, time, cache }
}

it('all requests within a moment get the same reading', async () => {
  const { cache } = counted()
  expect(await Promise.all([cache.read(), cache.read()])).toEqual([1, 1])
  expect(await cache.read()).toBe(1)
})

it('the cache reads again in the next second of the clock, a quarter of a second later, and when told to', async () => {
  const { cache, runtime, time } = counted()
  await cache.read()
  runtime.clock.set(runtime.clock.now() + 1)
  expect(await cache.read()).toBe(2)
  time.ms += 249
  expect(await cache.read()).toBe(2)
  time.ms += 1
  expect(await cache.read()).toBe(3)
  cache.drop()
  expect(await cache.read()).toBe(4)
})

it('the cache does not keep a failure', async () => {
  let isDown = true
  const cache = momentCache(testRuntime(), () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve('up')))
  await expect(cache.read()).rejects.toThrow('down')
  isDown = false
  expect(await cache.read()).toBe('up')
})
