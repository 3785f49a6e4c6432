import { get, type IncomingMessage } from 'node:http'
import type { WatchData } from '@fairball/contract/schemas/game'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { NOON, openReadSide, type ReadSide } from '../../../test/read-side.ts'
import { dropGames } from '../games/service.ts'
import { MAX_OF_ADDRESS, WatchTicker } from './watch-ticker.ts'

let side: ReadSide
const open: IncomingMessage[] = []
beforeEach(async () => {
  side = await openReadSide()
})
afterEach(async () => {
  for (const stream of open.splice(0)) stream.destroy()
  await side.close()
})

const NUMBERS = [34, 2, 17, 9, 50]

interface Viewer {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  /** the data of the events so far */
  readonly events: WatchData[]
  /** everything sent so far */
  text: string
  isEnded: boolean
  leave(): void
}

/** Opens the stream of a game as a browser does. */
async function view(path: string, playerId?: bigint, localAddress = '127.0.0.1'): Promise<Viewer> {
  const headers = playerId === undefined ? {} : { authorization: `Bearer ${playerId}` }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${side.app.listeningOrigin}/api/v1${path}`, { headers, localAddress }, resolve).on('error', reject)
  })
  open.push(response)
  const viewer: Viewer = {
    status: response.statusCode,
    headers: response.headers,
    events: [],
    text: '',
    isEnded: false,
    leave: () => void response.destroy(),
  }
  response.setEncoding('utf8').on('data', (chunk: string) => {
    viewer.text += chunk
    const sent = [...viewer.text.matchAll(/event: watch\ndata: (.*)\n\n/g)]
    viewer.events.splice(0, Infinity, ...sent.map((match) => JSON.parse(match[1] ?? '') as WatchData)) // sent as such
  })
  response.on('end', () => (viewer.isEnded = true)).on('error', () => undefined)
  return viewer
}

async function drawnDraw(startAt: number): Promise<bigint> {
  await side.app.listen({ port: 0, host: '127.0.0.1' })
  const tiers = [
    { matches: 5, kind: 'jackpot', winners: 0, satsEach: '0' },
    { matches: 4, kind: 'fixed', winners: 1, satsEach: '3000000' },
  ] as const
  return await side.rows.draw({
    gameKey: 'treasure',
    number: 1,
    startAt,
    status: 'drawn',
    numbers: NUMBERS,
    tiers,
    partners: [],
    rateAt: NOON,
  })
}

/** What the program does on a notification of draws. */
function news(): void {
  dropGames(side.games)
  side.ticker.wake()
}

it('the stream sends the data immediately, again whenever a ball turns, and when the prizes arrive', async () => {
  const startAt = NOON + 60
  const drawId = await drawnDraw(startAt)
  const viewer = await view('/games/threasure/watch/stream')
  expect(viewer.status).toBe(200)
  expect(viewer.headers['content-type']).toBe('text/event-stream; charset=utf-8')
  expect(viewer.headers['cache-control']).toBe('no-store')
  expect(viewer.headers['x-content-type-options']).toBe('nosniff')
  await expect.poll(() => viewer.events).toEqual([{ draw: [false, false, false, false, false], prizes: false }])

  for (let ball = 0; ball <= 5; ball++) {
    side.runtime.clock.set(startAt + 20 * ball)
    await expect.poll(() => viewer.events.length).toBe(ball + 2)
    const shown = NUMBERS.map((number, place) => (place < ball ? number : place === ball))
    expect(viewer.events.at(-1)).toEqual({ draw: shown, prizes: false })
  }

  await side.rows.moveDraw(drawId, 'settled')
  news()
  await expect.poll(() => viewer.events.length).toBe(8)
  expect(viewer.events.at(-1)).toMatchObject({ draw: NUMBERS, prizes: [{ matches: [5] }, { matches: [4] }] })
})

it('the stream shows a player which prizes are theirs, and a visitor none', async () => {
  const startAt = NOON - 110
  const drawId = await drawnDraw(startAt)
  const playerId = await side.rows.player()
  const [playId = ''] = await side.rows.order({ playerId, gameKey: 'treasure', lines: [NUMBERS], drawIds: [drawId] })
  const player = await view('/games/treasure/watch/stream', playerId)
  const visitor = await view('/games/treasure/watch/stream')
  await expect.poll(() => [player.events.length, visitor.events.length]).toEqual([1, 1])
  await side.rows.win({ drawId, playerId, playId, matches: 4, winType: 'PRIZE', sats: 3_000_000n })
  await side.rows.moveDraw(drawId, 'settled')
  news()
  await expect.poll(() => [player.events.length, visitor.events.length]).toEqual([2, 2])
  expect(player.events[1]).toMatchObject({ prizes: [{ youWin: false }, { youWin: true }] })
  expect(visitor.events[1]).toMatchObject({ prizes: [{ youWin: false }, { youWin: false }] })
})

it('the stream sends nothing twice, reads a draw once for all who watch it, and stops when the last has left', async () => {
  await drawnDraw(NOON + 3600)
  const reads = vi.spyOn(side.games.boards, 'read')
  const viewers = [await view('/games/treasure/watch/stream'), await view('/games/treasure/watch/stream')]
  await expect.poll(() => viewers.map((viewer) => viewer.events.length)).toEqual([1, 1])
  const before = reads.mock.calls.length
  news()
  await expect.poll(() => reads.mock.calls.length).toBe(before + 1)
  await side.runtime.monotonic.sleep(20)
  expect(viewers.map((viewer) => viewer.events.length)).toEqual([1, 1])

  for (const viewer of viewers) viewer.leave()
  await expect.poll(() => side.ticker.watching()).toBe(0)
  const after = reads.mock.calls.length
  news()
  side.runtime.clock.set(NOON + 3600)
  await side.runtime.monotonic.sleep(20)
  expect(reads.mock.calls.length).toBe(after)
})

it('a caller that hangs up before its stream begins is not watching', async () => {
  await drawnDraw(NOON + 3600)
  const known = await side.games.known.read()
  const asked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  vi.spyOn(side.games.known, 'read').mockImplementationOnce(async () => {
    asked.resolve()
    await release.promise
    return known
  })
  const connections = () => new Promise<number>((resolve) => side.app.server.getConnections((_, open) => resolve(open)))
  const request = get(`${side.app.listeningOrigin}/api/v1/games/treasure/watch/stream`).on('error', () => undefined)
  await asked.promise
  request.destroy()
  await expect.poll(connections).toBe(0)
  release.resolve()
  await side.runtime.monotonic.sleep(20)
  expect(side.ticker.watching()).toBe(0)
})

it('every stream ends when the server closes', async () => {
  await drawnDraw(NOON + 3600)
  const viewer = await view('/games/treasure/watch/stream')
  await expect.poll(() => viewer.events.length).toBe(1)
  await side.app.close()
  await expect.poll(() => viewer.isEnded).toBe(true)
})

it('the stream sends the time while nothing changes, so that pages know that no events are held back', async () => {
  const ticker = new WatchTicker({ runtime: side.runtime, results: side.results, heartbeatMs: 5 })
  const times: number[] = []
  const leave = ticker.join('treasure', {
    address: '127.0.0.1',
    playerId: null,
    send: () => undefined,
    beat: (now) => times.push(now),
    end: () => undefined,
  })
  await expect.poll(() => times.length).toBeGreaterThan(1)
  side.runtime.clock.set(NOON + 90)
  await expect.poll(() => times).toContain(NOON + 90)
  leave()
  ticker.close()
  expect(times[0]).toBe(NOON)
})

it('the stream writes the time as an event of its own', async () => {
  await drawnDraw(NOON + 3600)
  const joined = vi.spyOn(side.ticker, 'join')
  const viewer = await view('/games/treasure/watch/stream')
  await expect.poll(() => viewer.events.length).toBe(1)
  joined.mock.calls[0]?.[1].beat(NOON + 5)
  await expect.poll(() => viewer.text).toContain(`event: now\ndata: ${NOON + 5}\n\n`)
  expect(viewer.events.length).toBe(1)
})

it('the stream shows the next draw, its balls hidden, when the one before it is over or void', async () => {
  const drawId = await drawnDraw(NOON - 100)
  await side.rows.draw({ gameKey: 'treasure', number: 2, startAt: NOON + 7200 })
  const viewer = await view('/games/treasure/watch/stream')
  await expect.poll(() => viewer.events).toEqual([{ draw: NUMBERS, prizes: false }])
  await side.rows.moveDraw(drawId, 'void')
  news()
  await expect.poll(() => viewer.events.length).toBe(2)
  expect(viewer.events[1]).toEqual({ draw: [false, false, false, false, false], prizes: false })
})

it('the stream resumes after the draw could not be read for a while', async () => {
  const startAt = NOON + 60
  await drawnDraw(startAt)
  vi.spyOn(side.games.boards, 'read').mockRejectedValueOnce(new Error('the database is away'))
  const viewer = await view('/games/treasure/watch/stream')
  expect(viewer.events).toEqual([])
  side.runtime.clock.set(NOON + 2)
  await expect.poll(() => viewer.events.length).toBe(1)
})

it('the stream is a 404 for an unknown game and a 401 with an invalid bearer token', async () => {
  await drawnDraw(NOON + 60)
  expect((await view('/games/nothing/watch/stream')).status).toBe(404)
  const base = side.app.listeningOrigin
  const status = await new Promise<number | undefined>((resolve) => {
    get(`${base}/api/v1/games/treasure/watch/stream`, { headers: { authorization: 'Bearer no' } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
  })
  expect(status).toBe(401)
})

it('the stream serves many watchers two hundred at a time, so that no one else waits for all of them', async () => {
  await drawnDraw(NOON + 60)
  const pauses: number[] = []
  let told = 0
  const monotonic = {
    ...side.runtime.monotonic,
    sleep: (ms: number, signal?: AbortSignal) => {
      if (ms === 0) pauses.push(told)
      return side.runtime.monotonic.sleep(ms, signal)
    },
  }
  const ticker = new WatchTicker({ runtime: { ...side.runtime, monotonic }, results: side.results })
  const watcher = (): Parameters<typeof ticker.join>[1] => ({
    address: side.runtime.random.uuid(),
    playerId: null,
    send: () => void (told += 1),
    beat: () => undefined,
    end: () => undefined,
  })
  const leave = Array.from({ length: 500 }, () => ticker.join('treasure', watcher()))
  await expect.poll(() => told).toBe(500)
  for (const one of leave) one()
  expect(pauses).toEqual(expect.arrayContaining([200, 400]))
  expect(ticker.watching()).toBe(0)
})

it('a hundred watchers of one address see a draw, and the next one only after another has left', async () => {
  await drawnDraw(NOON)
  const path = '/games/treasure/watch/stream'
  const viewers = await Promise.all(Array.from({ length: MAX_OF_ADDRESS }, () => view(path)))
  expect(new Set(viewers.map(({ status }) => status))).toEqual(new Set([200]))
  const refused = await view(path)
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '30'])
  expect((await view(path, undefined, '127.0.0.2')).status).toBe(200)
  viewers[0]?.leave()
  await expect.poll(async () => (await view(path)).status).toBe(200)
  expect((await view(path)).status).toBe(429)
})
