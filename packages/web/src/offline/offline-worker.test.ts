import { beforeEach, describe, expect, it } from 'vitest'
import { LEAVE } from '../shared/offline/leave.ts'
import { offlinePage } from './offline-page.ts'
import { serveOffline } from './offline-worker.ts'
import type { PageEvent, WorkerScope } from './offline-worker.ts'

const ORIGIN = 'https://fairball.example'
const FONTS = { display: '/assets/anybody.woff2', text: '/assets/figtree.woff2' }

/** Caches that delete only on request. */
class MemoryCaches {
  readonly all = new Map<string, Map<string, Response>>()

  async open(name: string) {
    const kept = this.all.get(name) ?? new Map<string, Response>()
    this.all.set(name, kept)
    return {
      addAll: async (paths: string[]) => paths.forEach((path) => kept.set(path, new Response(path))),
      match: async (path: string) => kept.get(path)?.clone(),
      put: async (path: string, response: Response) => void kept.set(path, response),
    }
  }
  async keys() {
    return [...this.all.keys()]
  }
  async delete(name: string) {
    return this.all.delete(name)
  }
}

let caches: MemoryCaches
let asked: { address: string; init: RequestInit | undefined }[]
let isOnline: boolean
let isGone: boolean
let now: number
let listeners: Map<string, (event: never) => void>

beforeEach(() => {
  caches = new MemoryCaches()
  asked = []
  isOnline = true
  isGone = false
  now = 1_795_000_000
})

/** Starts a worker of a version, as a browser does: the same caches, new listeners. */
function start(version = 'one'): void {
  listeners = new Map()
  const scope = {
    addEventListener: (type: string, listen: (event: never) => void) => listeners.set(type, listen),
    skipWaiting: async () => {},
    clients: { claim: async () => {} },
    registration: { unregister: async () => (isGone = true) },
    caches,
    fetch: async (request: string | Request, init?: RequestInit) => {
      if (!isOnline) throw new TypeError('Failed to fetch')
      const address = typeof request === 'string' ? request : request.url
      asked.push({ address, init })
      if (address === '/api/v1/games')
        return Response.json(
          [
            { key: 'treasure', name: 'Treasure' },
            { key: 'bitcoin-hero', name: 'Bitcoin <Hero>' },
          ],
          { headers: { 'x-fairball-now': '1795000100' } },
        )
      if (address.startsWith('/api/v1/games/')) return Response.json({ results: drawsOf(address) })
      return new Response('from the network')
    },
  }
  // The stand-in has the members that the worker uses.
  serveOffline(scope as unknown as WorkerScope, { version, fonts: FONTS }, () => now)
}

const drawsOf = (address: string) =>
  address.includes('treasure')
    ? []
    : Array.from({ length: 9 }, (_, index) => ({ number: 9 - index, datetime: 1_794_000_000, numbers: [5, 3, 36] }))

/** Dispatches an event, and waits for its work. */
async function happen(type: string, event: object = {}): Promise<void> {
  const works: Promise<unknown>[] = []
  listeners.get(type)?.({ ...event, waitUntil: (work: Promise<unknown>) => works.push(work) } as never)
  await Promise.all(works)
}

/** Requests an address; null if the worker leaves it to the browser. */
async function open(path: string, mode = 'navigate', method = 'GET'): Promise<string | null> {
  let answer: Promise<Response> | null = null
  const request = { url: ORIGIN + path, mode, method } as Request
  const respondWith: PageEvent['respondWith'] = (response) => void (answer = response)
  await happen('fetch', { request, respondWith })
  // TypeScript does not know that the worker has called back.
  const given = answer as Promise<Response> | null
  return given === null ? null : await (await given).text()
}

const install = async (version?: string) => {
  start(version)
  await happen('install')
  await happen('activate')
}

describe('without a connection', () => {
  it('offline, a page shows the last results with their time, the requested game first', async () => {
    await install()
    isOnline = false
    const page = (await open('/game/bitcoin-hero/draws?x=1')) ?? ''
    expect(page).toContain('<h1>You are offline</h1>')
    expect(page).toMatch(/results kept on this device, from <time>Nov 18, 2026 at \d{1,2}:\d\d [AP]M<\/time>/u)
    expect(page.match(/<h2>(.*?)<\/h2>/gu)).toEqual(['<h2>Bitcoin &lt;Hero></h2>', '<h2>Treasure</h2>'])
    expect(page.match(/<strong>Draw \d<\/strong>/gu)).toHaveLength(5)
    expect(page).toContain('href="/game/bitcoin-hero/draws?x=1">Try again</a>')
    expect(page).toContain('No draw yet.')
  })

  it('offline, a page says so if nothing was kept yet', async () => {
    isOnline = false
    start()
    expect(await open('/')).toContain('No results are kept on this device yet.')
  })

  it('offline, the rings have the colour of their game, and only a colour', () => {
    const games = ['#22C58F', undefined, '}</style><b>'].map((color, place) => ({
      key: `game-${place}`,
      name: 'A game',
      draws: [],
      ...(color !== undefined && { color }),
    }))
    const page = offlinePage({ path: '/', results: { keptAt: now, games }, fonts: FONTS, dateTime: String })
    expect(page).toContain('#game-0{--g:#22C58F}#game-1{--g:#ff9a1f}#game-2{--g:#ff9a1f}</style>')
    expect(page).toContain('<section id="game-2">')
  })

  it('offline, the page escapes the requested address', () => {
    const page = offlinePage({ path: '/"><script>', results: null, fonts: FONTS, dateTime: String })
    expect(page).not.toContain('<script>')
  })
})

describe('with a connection', () => {
  it('online, the worker answers every page from the network', async () => {
    await install()
    expect(await open('/game/treasure')).toBe('from the network')
  })

  it.each([
    ['/api/v1/profile', 'cors', 'GET'],
    ['/api/v1/games/treasure/draws', 'cors', 'GET'],
    ['/assets/entry-client.js', 'no-cors', 'GET'],
    ['/', 'navigate', 'POST'],
  ])('the worker leaves %s (%s, %s) to the browser', async (path, mode, method) => {
    await install()
    expect(await open(path, mode, method)).toBeNull()
  })

  it('the worker fetches the results as a visitor without cookies or tokens, and again after ten minutes', async () => {
    await install()
    const calls = asked.filter(({ address }) => address.startsWith('/api/'))
    expect(calls.map(({ address }) => address)).toEqual([
      '/api/v1/games',
      '/api/v1/games/treasure/draws',
      '/api/v1/games/bitcoin-hero/draws',
    ])
    for (const { init } of calls) expect(init).toEqual({ credentials: 'omit', cache: 'no-store' })
    now += 599
    await open('/')
    expect(asked.filter(({ address }) => address === '/api/v1/games')).toHaveLength(1)
    now += 1
    await open('/')
    expect(asked.filter(({ address }) => address === '/api/v1/games')).toHaveLength(2)
  })

  it('the worker keeps its two fonts, the sign and the results, and no visited page', async () => {
    await install()
    await open('/settings/general/my-games')
    expect([...(caches.all.get('fairball-one')?.keys() ?? [])].toSorted()).toEqual([
      '/assets/anybody.woff2',
      '/assets/figtree.woff2',
      '/favicon.svg',
      '/offline-results.json',
    ])
  })
})

it('a new version deletes the caches of the old one, and no others', async () => {
  await install('one')
  await caches.open('somebody-else')
  await install('two')
  expect((await caches.keys()).toSorted()).toEqual(['fairball-two', 'somebody-else'])
})

it('the worker leaves with its caches if a page asks it to', async () => {
  await install()
  await happen('message', { data: 'something else' })
  expect(isGone).toBe(false)
  await happen('message', { data: LEAVE })
  expect([isGone, await caches.keys()]).toEqual([true, []])
})
