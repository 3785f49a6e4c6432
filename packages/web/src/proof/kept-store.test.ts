import { expect, it } from 'vitest'
import { BrowserDatabase } from '../testing/browser-database.ts'
import type { KeptLog } from './kept-records.ts'
import { KeptStore } from './kept-store.ts'

const LOG: KeptLog = { origin: 'a.example/fairball', keys: ['aa'], seenAt: 5, policy: null }

/** Two ends of one channel, as in two tabs. */
function twoTabs() {
  const listeners = new Set<() => void>()
  const tab = (): BroadcastChannel => {
    const own = new Set<() => void>()
    return {
      addEventListener: (_: string, listener: () => void) => {
        own.add(listener)
        listeners.add(listener)
      },
      postMessage: () => {
        for (const listener of listeners) if (!own.has(listener)) listener()
      },
    } as unknown as BroadcastChannel
  }
  return [tab(), tab()] as const
}

it('records are kept until they are deleted, for every page opened later', async () => {
  const { factory } = new BrowserDatabase()
  const store = new KeptStore(factory, null)
  await store.put('logs', LOG)
  await store.put('logs', { ...LOG, origin: 'b.example/fairball' })
  await store.put('logs', { ...LOG, keys: ['aa', 'bb'] })
  const later = new KeptStore(factory, null)
  expect(await later.all('logs')).toEqual([
    { ...LOG, keys: ['aa', 'bb'] },
    { ...LOG, origin: 'b.example/fairball' },
  ])
  await later.remove('logs', 'b.example/fairball')
  expect(await new KeptStore(factory, null).all('logs')).toHaveLength(1)
  await later.forget()
  expect(await new KeptStore(factory, null).all('logs')).toEqual([])
})

it('the store returns the same list until something changes, and then calls its subscribers', async () => {
  const store = new KeptStore(new BrowserDatabase().factory, null)
  let calls = 0
  const stop = store.subscribe(() => (calls += 1))
  expect(store.now('logs')).toEqual([])
  await store.put('logs', LOG)
  const now = store.now('logs')
  expect(now).toEqual([LOG])
  expect(store.now('logs')).toBe(now)
  const before = calls
  await store.put('logs', { ...LOG, seenAt: 6 })
  expect(calls).toBeGreaterThan(before)
  expect(store.now('logs')).not.toBe(now)
  stop()
  const stopped = calls
  await store.forget()
  expect(calls).toBe(stopped)
})

it('two records kept at the same moment are both there', async () => {
  const store = new KeptStore(new BrowserDatabase().factory, null)
  await store.all('logs')
  const other = { ...LOG, origin: 'b.example/fairball' }
  await Promise.all([store.put('logs', LOG), store.put('logs', other)])
  expect(await store.all('logs')).toEqual([LOG, other])
  await Promise.all([store.remove('logs', LOG.origin), store.remove('logs', other.origin)])
  expect(await store.all('logs')).toEqual([])
})

it('a record kept in one tab appears in another', async () => {
  const { factory } = new BrowserDatabase()
  const [here, there] = twoTabs()
  const [store, other] = [new KeptStore(factory, here), new KeptStore(factory, there)]
  expect(await other.all('logs')).toEqual([])
  await store.put('logs', LOG)
  expect(await other.all('logs')).toEqual([LOG])
})

it('without a database, or room in it, records are kept until the page is left', async () => {
  const full = new BrowserDatabase()
  const store = new KeptStore(full.factory, null)
  await store.all('logs')
  full.isFull = true
  for (const one of [store, new KeptStore(undefined, null)]) {
    await one.put('logs', LOG)
    expect(await one.get('logs', LOG.origin)).toEqual(LOG)
  }
  full.isFull = false
  expect(await new KeptStore(full.factory, null).all('logs')).toEqual([])
})
