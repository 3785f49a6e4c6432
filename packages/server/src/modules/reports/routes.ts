import { PassThrough, type Readable } from 'node:stream'
import { LotteryError } from '@fairball/domain/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../../db/pool.ts'
import type { ReportsContext } from './context.ts'
import { journalPieces } from './journal.ts'
import { verifyMonth } from './locks.ts'
import { type MonthOnWire, monthStatement, stretchOf, WHOLE, wordsOfDifferences } from './months.ts'
import { payoutsTable, playersTable, trialBalanceTable } from './other-tables.ts'
import { findMonthApart } from './queries.ts'
import { currencyOf, formatOf, momentOf, stretchOfQuery } from './report-query.ts'
import { csvOf, jsonOf, type Table } from './table.ts'

const BASE = '/console/api/v1/reports'
/** Where the remedy of a statement that does not add up is written down. */
const REMEDY = 'docs/operations.md#a-month-does-not-add-up'
/** Maximum number of reports at once: each holds a connection. */
const MAX_REPORTS = 2
const RETRY_SECONDS = 10
const TYPES = { csv: 'text/csv; charset=utf-8; header=present', json: 'application/json; charset=utf-8' } as const

type Query = Readonly<Record<string, unknown>>

/** The operator's reports. Each is read in one view of the database, and leaves as it is read. */
export function reportRoutes(app: FastifyInstance, ctx: ReportsContext): void {
  const turns = { taken: 0 }
  const table = (path: string, make: (tx: Tx, query: Query) => Promise<Table> | Table): void =>
    report(path, async function* pieces(tx, query, format) {
      yield* (format === 'csv' ? csvOf : jsonOf)(await make(tx, query))
    })
  const report = (
    path: string,
    pieces: (tx: Tx, query: Query, format: 'csv' | 'json') => AsyncIterable<string>,
  ): void => {
    app.get(`${BASE}/${path}`, async (request, reply) => {
      await ctx.requireStaff(request, 'reports:read')
      const query = request.query as Query
      const format = formatOf(query)
      const body = await inTurn(ctx, turns, (tx) => pieces(tx, query, format))
      return await send(reply, format, path, body)
    })
  }
  report('journal', (tx, query, format) => journalPieces(tx, stretchOfQuery(query), currencyOf(query), format))
  table('trial-balance', (tx, query) => {
    const at = momentOf(query, 'at', ctx.runtime.clock.now())
    return trialBalanceTable(tx, { at, currency: currencyOf(query), isDetailed: query['detail'] === '1' })
  })
  table('payouts', (tx, query) => payoutsTable(tx, stretchOfQuery(query), currencyOf(query)))
  table('players', (tx, query) => playersTable(tx, stretchOfQuery(query), currencyOf(query)))

  app.get<{ Params: { month: string } }>(`${BASE}/months/:month`, (request, reply) => answerMonth(ctx, request, reply))
  app.get<{ Params: { month: string } }>(`${BASE}/months/:month/verify`, async (request) => {
    await ctx.requireStaff(request, 'reports:read')
    const verified = await read(ctx, (tx) => verifyMonth(tx, request.params.month))
    if (verified === null) throw new LotteryError('NOT_FOUND', 'This month is not locked.')
    return verified
  })
}

async function answerMonth(
  ctx: ReportsContext,
  request: FastifyRequest<{ Params: { month: string } }>,
  reply: FastifyReply,
): Promise<unknown> {
  await ctx.requireStaff(request, 'reports:read')
  const { month } = request.params
  const stretch = stretchOf(month)
  if (stretch === null || stretch.from > ctx.runtime.clock.now())
    throw new LotteryError('NOT_FOUND', 'There is no statement of this month.')
  const query = request.query as Query
  const [currency, format] = [currencyOf(query), formatOf(query)]
  const { statement, differences } = await read(ctx, (tx) => monthStatement(tx, month, stretch, currency))
  const isApart = differences.length > 0
  if (isApart || (await ctx.db.maybeOne(findMonthApart, [month])) !== null) await ctx.noteMonth(month)
  if (isApart) {
    const message = `${wordsOfDifferences(month, differences)} It is an alarm now: see ${REMEDY}.`
    return await reply.code(500).send({ error: { code: 'INTERNAL_SERVER_ERROR', message }, differences })
  }
  if (format === 'json') return statement
  let text = ''
  for await (const piece of csvOf(monthTable(statement))) text += piece
  return await send(reply, format, month, text)
}

function monthTable({ opening, lines, closing }: MonthOnWire): Table {
  const balances = (part: string, rows: MonthOnWire['opening']) =>
    rows.map(({ account, sats, fiat }) => [part, account, sats, fiat, ''])
  return {
    about: {},
    columns: ['part', 'key', 'sats', 'fiat', 'events'],
    rows: [
      [
        ...balances('opening', opening),
        ...lines.map(({ key, sats, fiat, events }) => ['line', key, sats, fiat, events.join(' ')]),
        ...balances('closing', closing),
      ],
    ],
  }
}

async function send(reply: FastifyReply, format: 'csv' | 'json', name: string, body: Readable | string) {
  if (format === 'csv') void reply.header('content-disposition', `attachment; filename="${name}.csv"`)
  return await reply.type(TYPES[format]).send(body)
}

function read<T>({ db }: ReportsContext, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(work, WHOLE)
}

/**
 * Runs a reading that writes pieces. What fails before the first piece is an ordinary error; afterwards the connection
 * breaks off, so that no caller takes a part for the whole.
 *
 * @throws LotteryError TOO_MANY_REQUESTS while as many reports are read as may be
 */
async function inTurn(
  ctx: ReportsContext,
  turns: { taken: number },
  pieces: (tx: Tx) => AsyncIterable<string>,
): Promise<Readable> {
  if (turns.taken >= MAX_REPORTS)
    throw new LotteryError('TOO_MANY_REQUESTS', undefined, { retryAfterSeconds: RETRY_SECONDS })
  turns.taken += 1
  const out = new PassThrough()
  out.on('error', () => undefined) // thrown to the caller, or seen as an answer that breaks off
  const begun = Promise.withResolvers<void>()
  const copy = async (tx: Tx): Promise<void> => {
    for await (const piece of pieces(tx)) {
      if (out.destroyed) return // the caller has left, so there would never be room again
      const hasRoom = out.write(piece)
      begun.resolve()
      if (!hasRoom) await roomIn(out)
    }
  }
  void read(ctx, copy)
    .then(
      () => out.end(),
      (error: unknown) => {
        begun.reject(error)
        out.destroy(error as Error)
      },
    )
    .finally(() => {
      turns.taken -= 1
      begun.resolve()
    })
  await begun.promise
  return out
}

function roomIn(out: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      out.off('drain', done).off('close', done)
      resolve()
    }
    out.on('drain', done).on('close', done)
  })
}
