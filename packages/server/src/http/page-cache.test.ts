import { expect, it } from 'vitest'
import { pageOf } from './page-answer.ts'
import { pageCache } from './page-cache.ts'

const page = (html: string, status = 200) => ({ page: pageOf({ status, html, policy: '' }) })

it('a page is fresh for a second of the lottery’s time, and not after the clock was set back', async () => {
  let nowMs = 10_000
  const cache = pageCache<never>(() => nowMs)
  const made = await cache.make('/', async () => page('one'))
  nowMs += 999
  expect([made]).toEqual([{ page: cache.present('/') }])
  nowMs += 1
  expect(cache.present('/')).toBeNull()
  nowMs -= 5000
  expect(cache.present('/')).toBeNull()
})

it('all who ask for an address while it is rendered wait for the same page, and a failure is not kept', async () => {
  const cache = pageCache<never>(() => 0)
  const first = cache.make('/', async () => page('one'))
  expect(cache.coming('/')).toBe(first)
  await first
  expect(cache.coming('/')).toBeUndefined()
  await expect(cache.make('/a', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect([cache.coming('/a'), cache.present('/a')]).toEqual([undefined, null])
})

it('a page with the same content as before keeps what was compressed', async () => {
  let nowMs = 0
  const cache = pageCache<never>(() => nowMs)
  const first = await cache.make('/', async () => page('one'))
  nowMs += 1000
  expect((await cache.make('/', async () => page('one'))) === first).toBe(false)
  expect([first]).toEqual([{ page: cache.present('/') }])
  nowMs += 1000
  await cache.make('/', async () => page('two'))
  expect(String(await cache.present('/')?.encoded('identity'))).toBe('two')
})

it('only pages with status 200 are kept, and of those the ones asked for last, up to a size', async () => {
  const cache = pageCache<string>(() => 0, 100)
  for (const made of [page('gone', 404), page('broken', 500), { other: 'elsewhere' }]) {
    expect(await cache.make('/', async () => made)).toBe(made)
    expect(cache.present('/')).toBeNull()
  }
  for (const address of ['/a', '/b']) await cache.make(address, async () => page('x'.repeat(50)))
  expect(cache.present('/a')).not.toBeNull()
  await cache.make('/c', async () => page('y'.repeat(50)))
  expect(['/a', '/b', '/c'].map((address) => cache.present(address) !== null)).toEqual([true, false, true])
  await cache.make('/d', async () => page('z'.repeat(101)))
  expect(['/a', '/c', '/d'].map((address) => cache.present(address) !== null)).toEqual([false, false, false])
})
