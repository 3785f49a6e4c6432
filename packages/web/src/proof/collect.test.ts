import type { OwnReceipt } from '@fairball/domain/fairness/bundle'
import { fixedPlay } from '@fairball/domain/fairness/draw-fixture'
import { readLogged } from '@fairball/domain/fairness/log'
import { OperatorFixture } from '@fairball/domain/fairness/operator-fixture'
import { expect, it } from 'vitest'
import type { Api } from '../shared/api.ts'
import { collectDraw } from './collect.ts'
import type { CollectStage, CollectWanted } from './collect.ts'
import { keepLog } from './log-store.ts'
import type { LogStore } from './log-store.ts'
import { NOTHING_SEEN } from './memory.ts'
import type { Remembered } from './memory.ts'

const ME = 'player-abc123'
const ORDER = 'order-1-0'

/** A browser's cache that lasts as long as the test. */
function logStore(first: readonly string[] = []): LogStore & { notes: readonly string[] } {
  return {
    notes: first,
    async read() {
      return this.notes
    },
    async write(notes) {
      this.notes = notes
    },
    async forget() {
      this.notes = []
    },
  }
}

/** Gives another receipt than that of the play; null for its own. */
type ReceiptOf = (operator: OperatorFixture) => OwnReceipt | null

/** A server with one settled draw of bitcoin-lotto, in which the player has a play of two lines. */
function server(shown?: readonly (readonly number[])[], receiptOf?: ReceiptOf) {
  const operator = new OperatorFixture()
  const draw = operator.open(1, [fixedPlay(ME, 2, { pick: 6, pool: 49 })])
  const closeHash = operator.settle(draw)
  const bundle = operator.bundle(draw)
  const askedFrom: number[] = []
  const answers: Record<string, (input: { query: Record<string, string>; params: Record<string, string> }) => unknown> =
    {
      getFairnessRecord: () => ({
        notes: operator.notes.slice(2),
        witnesses: [],
        beacon: bundle.beacon === null ? null : { ...bundle.beacon, round: Number(bundle.beacon.round) },
      }),
      getFairnessLog: ({ query }) => {
        const from = Number(query['from'])
        askedFrom.push(from)
        return { notes: operator.notes.slice(from), next: null }
      },
      getRules: () => bundle.rules,
      getPlays: () => ({
        ok: true,
        data: {
          results: [
            { id: ORDER, date: 1, draw: { id: 1, number: 1, numbers: [] }, tickets: shown ?? draw.plays[0]?.lines },
          ],
          total_pages: 1,
        },
      }),
      getReceipt: () => receiptOf?.(operator) ?? operator.receipt(draw, 0, closeHash),
    }
  const call = async (name: string, input: never) => answers[name]?.(input)
  const api = { call, address: () => '/entries' } as unknown as Api
  const fetched: string[] = []
  const fetch = (async (address: string) => {
    fetched.push(address)
    return new Response(new Uint8Array(draw.entriesBytes))
  }) as typeof globalThis.fetch
  return { operator, draw, bundle, api, fetch, askedFrom, fetched, closeHash }
}

const wanted = (changes: Partial<CollectWanted> = {}): CollectWanted => ({
  game: 'bitcoin-lotto',
  draw: 1,
  username: null,
  seen: NOTHING_SEEN,
  withEntries: true,
  ...changes,
})

it('fetches for a visitor all that the operator publishes', async () => {
  const { api, bundle, fetch } = server()
  const stages: CollectStage[] = []
  const parts = { api, fetch, logStore: logStore() }
  const collected = await collectDraw(parts, wanted({ onStage: (stage) => stages.push(stage) }))
  const own = { key: null, username: null, sights: [], receipts: [] }
  expect(collected).toEqual({ bundle: { ...bundle, own }, headNow: null, lines: 0, areLinesInReceipts: true })
  expect(stages).toEqual(['draw', 'log', 'entries'])
})

it('fetches a player’s receipts of that draw, and counts the lines', async () => {
  const { api, closeHash, draw, fetch, operator } = server()
  const { bundle, lines, areLinesInReceipts } = await collectDraw(
    { api, fetch, logStore: logStore() },
    wanted({ username: ME }),
  )
  expect(lines).toBe(2)
  expect(areLinesInReceipts).toBe(true)
  expect(bundle.own).toMatchObject({ username: ME, receipts: [operator.receipt(draw, 0, closeHash)] })
})

it('notices lines that the results show and the receipts do not name', async () => {
  const { api, fetch } = server([
    [1, 2, 3, 4, 5, 6],
    [1, 2, 3, 4, 5, 7],
  ])
  const collected = await collectDraw({ api, fetch, logStore: logStore() }, wanted({ username: ME }))
  expect(collected.areLinesInReceipts).toBe(false)
})

it('asks once more where a receipt names another draw, since the play may have moved in between', async () => {
  const elsewhere = new OperatorFixture()
  const before = elsewhere.receipt(elsewhere.open(2, [fixedPlay(ME, 2, { pick: 6, pool: 49 })]), 0, null)
  let asked = 0
  const moving = server(undefined, () => ((asked += 1) === 1 ? before : null))
  const parts = { api: moving.api, fetch: moving.fetch, logStore: logStore() }
  const { bundle } = await collectDraw(parts, wanted({ username: ME }))
  expect(bundle.own?.receipts).toEqual([moving.operator.receipt(moving.draw, 0, moving.closeHash)])
  expect(asked).toBe(2)
})

it('gives a receipt that still names another draw as it is, for the proof to say so', async () => {
  const elsewhere = new OperatorFixture()
  const other = elsewhere.receipt(elsewhere.open(2, [fixedPlay(ME, 2, { pick: 6, pool: 49 })]), 0, null)
  const { api, fetch } = server(undefined, () => other)
  const { bundle } = await collectDraw({ api, fetch, logStore: logStore() }, wanted({ username: ME }))
  expect(bundle.own?.receipts).toEqual([other])
})

it('leaves out the plays of another draw that starts at the same time, since one of the two was put off', async () => {
  const operator = new OperatorFixture()
  const late = operator.open(1, [fixedPlay(ME, 1, { pick: 6, pool: 49 })])
  const draw = operator.open(2, [fixedPlay(ME, 2, { pick: 6, pool: 49 })])
  const { start } = operator.openOf(draw)
  operator.postpone(late, 'outage', start - 900)
  const receipts = new Map([late, draw].map((one) => [`order-${one.number}`, operator.receipt(one, 0, null)]))
  const plays = [late, draw].map(({ number, plays: [play] }) => ({
    id: `order-${number}`,
    date: start,
    draw: null,
    tickets: play?.lines,
  }))
  const answers: Record<string, (params: Record<string, string>) => unknown> = {
    getFairnessRecord: () => ({ notes: [operator.noteOf(draw.openHash)], witnesses: [], beacon: null }),
    getFairnessLog: () => ({ notes: operator.notes, next: null }),
    getRules: () => operator.textOfRules(draw),
    getPlays: () => ({ ok: true, data: { results: plays, total_pages: 1 } }),
    getReceipt: (params) => receipts.get(params['play_id'] ?? ''),
  }
  const call = async (name: string, input?: { params?: Record<string, string> }) => answers[name]?.(input?.params ?? {})
  const parts = { api: { call } as unknown as Api, fetch, logStore: logStore() }
  const { bundle, lines } = await collectDraw(parts, wanted({ draw: 2, username: ME }))
  expect(bundle.own?.receipts).toEqual([receipts.get('order-2')])
  expect(lines).toBe(2)
})

it('leaves the entries where they are when they are not wanted', async () => {
  const { api, fetch, fetched } = server()
  const { bundle } = await collectDraw({ api, fetch, logStore: logStore() }, wanted({ withEntries: false }))
  expect(bundle.entries).toBeNull()
  expect(fetched).toEqual([])
})

it('fetches of a log that it knows only the newest statement it knows, and what came after', async () => {
  const { api, askedFrom, bundle, fetch, operator } = server()
  const logged = readLogged(operator.notes[2] ?? '')
  if (typeof logged === 'string') throw new Error(logged)
  const seen: Remembered = { ...NOTHING_SEEN, head: { seq: 2, hash: logged.hash, note: logged.note } }
  const collected = await collectDraw({ api, fetch, logStore: logStore(operator.notes.slice(0, 3)) }, wanted({ seen }))
  expect(askedFrom).toEqual([2, 3])
  expect(collected.headNow).toBe(operator.notes[2])
  expect(collected.bundle.log).toEqual(bundle.log)
})

it('does not go on from a kept log that is not the one it has verified', async () => {
  const { api, askedFrom, fetch, operator } = server()
  const head = { seq: 2, hash: 'aa', note: 'another' }
  const store = logStore(operator.notes.slice(0, 3))
  await collectDraw({ api, fetch, logStore: store }, wanted({ seen: { ...NOTHING_SEEN, head } }))
  expect(askedFrom).toEqual([2, 0])
})

it('keeps the longer one of two logs that agree', async () => {
  const store = logStore(['a', 'b', 'c'])
  await keepLog(store, ['a', 'b'])
  expect(store.notes).toEqual(['a', 'b', 'c'])
  await keepLog(store, ['a', 'b', 'c', 'd'])
  expect(store.notes).toEqual(['a', 'b', 'c', 'd'])
})
