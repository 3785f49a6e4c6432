import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import type { readCalls } from '@fairball/contract/console/read'
import type { Queries } from '../../db/pool.ts'
import { idOf } from './read-parts.ts'
import { findBatch, findLightningPayout } from './read-payouts-queries.ts'
import * as queries from './read-search-queries.ts'

type Found = ConsoleAnswerOf<typeof readCalls.search>['results'][number]

const MOST_FOUND = 50
/** Shorter beginnings of names and ids say nothing. */
const SHORTEST_NAME = 2

/** A way to find something: which texts it is for, and how those are looked up. */
interface Search {
  readonly shape: RegExp
  find(from: Queries, text: string): Promise<Found[]>
}

/** Every look-up is by an index, and only for texts that can be what it finds. */
const SEARCHES: readonly Search[] = [
  { shape: /^#?(ln:)?[1-9]\d{0,17}$/i, find: findPayoutBatch },
  { shape: /^[a-z][a-z0-9-]*[ /#]+\d{1,9}$/i, find: findDraw },
  { shape: /^[0-9a-f]{8}(-?[0-9a-f]{1,4})*/i, find: findByUuid },
  { shape: /^[1-9]\d{0,17}$/, find: findPlayerByNumber },
  { shape: /^(ln:)?[0-9a-f]{64}(:\d+)?$/i, find: findTransaction },
  { shape: /^[a-z0-9]{20,100}$/i, find: findAddress },
  { shape: /^[^\s#]+$/, find: findPlayers },
]

/** Whatever a text names: at most fifty things. */
export async function searchFor(from: Queries, q: string): Promise<ConsoleAnswerOf<typeof readCalls.search>> {
  const text = q.trim()
  const found = await Promise.all(SEARCHES.filter(({ shape }) => shape.test(text)).map(({ find }) => find(from, text)))
  return { results: found.flat().slice(0, MOST_FOUND) }
}

async function findPayoutBatch(from: Queries, text: string): Promise<Found[]> {
  const name = text.replace('#', '').toLowerCase()
  const isLightning = name.startsWith('ln:')
  const id = idOf(name.replace('ln:', ''))
  if (id === null || (!isLightning && !text.startsWith('#'))) return []
  const row = await from.maybeOne(isLightning ? findLightningPayout : findBatch, [id])
  if (row === null) return []
  const label = isLightning ? `Payout over Lightning ${row.id}` : `Batch ${row.id}`
  return [{ kind: 'payout', id: name, label, at: row.createdAt }]
}

async function findDraw(from: Queries, text: string): Promise<Found[]> {
  const [game = '', number = ''] = text.toLowerCase().split(/[ /#]+/)
  const row = Number(number) > MOST_INT ? null : await from.maybeOne(queries.findDrawOf, [game, Number(number)])
  if (row === null) return []
  return [{ kind: 'draw', id: `${row.gameKey}/${row.number}`, label: `${row.name} ${row.number}`, at: row.startAt }]
}

const MOST_INT = 2 ** 31 - 1

/** Orders and plays by their id, or by its first eight digits or more. */
async function findByUuid(from: Queries, text: string): Promise<Found[]> {
  const digits = text.replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{8,32}$/.test(digits)) return []
  const first = uuidOf(digits.padEnd(32, '0'))
  const last = uuidOf(digits.padEnd(32, 'f'))
  const [orders, plays] = await Promise.all([
    from.run(queries.findOrdersBetween, [first, last]),
    from.run(queries.findPlaysBetween, [first, last]),
  ])
  return [
    ...orders.map(({ id, username, name, createdAt }): Found => {
      return { kind: 'order', id, label: `Order ${id} of ${username}, ${name}`, at: createdAt }
    }),
    ...plays.map(({ id, orderId, username, name, number, receiptAt }): Found => {
      return { kind: 'play', id: orderId, label: `Play ${id} of ${username}, ${name} ${number}`, at: receiptAt }
    }),
  ]
}

function uuidOf(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

async function findPlayerByNumber(from: Queries, text: string): Promise<Found[]> {
  const id = idOf(text)
  const row = id === null ? null : await from.maybeOne(queries.findPlayerById, [id])
  return row === null ? [] : [playerFound(row)]
}

async function findPlayers(from: Queries, text: string): Promise<Found[]> {
  if (text.length < SHORTEST_NAME) return []
  // As in the database's keys: other signs that only look alike are kept apart.
  const folded = text.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
  return (await from.run(queries.findPlayersByName, [folded])).map(playerFound)
}

function playerFound(row: { id: bigint; username: string; email: string | null; createdAt: number }): Found {
  const label = row.email === null ? row.username : `${row.username}, ${row.email}`
  return { kind: 'player', id: String(row.id), label, at: row.createdAt }
}

/** A transaction by its id or one of its outputs, a payment over Lightning by its hash. */
async function findTransaction(from: Queries, text: string): Promise<Found[]> {
  const [txid = '', output] = text.toLowerCase().replace('ln:', '').split(':')
  const outpoint = output === undefined || text.toLowerCase().startsWith('ln:') ? null : `${txid}:${output}`
  const [payments, payouts, others] = await Promise.all([
    from.run(queries.findPaymentsIn, [txid]),
    from.run(queries.findPayoutsIn, [txid]),
    from.run(queries.findOthersIn, [txid]),
  ])
  return [
    ...payments
      .filter((payment) => outpoint === null || payment.outpoint === outpoint)
      .map(({ outpoint: label, orderId, seenAt }): Found => {
        return {
          kind: 'transaction',
          id: orderId,
          label: `Payment ${label} of order ${orderId.slice(0, 8)}`,
          at: seenAt,
        }
      }),
    ...payouts.map(({ batch, createdAt }): Found => {
      return { kind: 'payout', id: batch, label: `Transaction of batch ${batch}`, at: createdAt }
    }),
    ...others.map(({ label, at }): Found => ({ kind: 'transaction', id: null, label, at })),
  ]
}

/** An address: what orders are paid there, who saved it, and which payouts go there. */
async function findAddress(from: Queries, text: string): Promise<Found[]> {
  // Addresses of bech32 may be typed in capitals, others count as they are.
  const address = /^(bc|tb|bcrt)1/i.test(text) ? text.toLowerCase() : text
  const [orders, players, payouts] = await Promise.all([
    from.run(queries.findOrdersAt, [address]),
    from.run(queries.findPlayersAt, [address]),
    from.run(queries.findPayoutsTo, [address]),
  ])
  return [
    ...orders.map(({ orderId, createdAt }): Found => {
      return { kind: 'address', id: orderId, label: `Address of order ${orderId.slice(0, 8)}`, at: createdAt }
    }),
    ...players.map(({ id, username, createdAt }): Found => {
      return { kind: 'player', id: String(id), label: `${username} is paid at this address`, at: createdAt }
    }),
    ...payouts.map(({ id, batchId, createdAt }): Found => {
      const batch = batchId === null ? `ln:${id}` : String(batchId)
      return { kind: 'payout', id: batch, label: `Payout ${id} to this address, batch ${batch}`, at: createdAt }
    }),
  ]
}
