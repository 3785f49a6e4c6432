import { GAMES } from '@fairball/domain/seeds'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../src/db/pool.ts'
import { sql } from '../src/db/sql.ts'
import { createHttpApp } from '../src/http/app.ts'
import { RateLimits } from '../src/kernel/limits.ts'
import { gamesRoutes } from '../src/modules/games/routes.ts'
import { dropGames, gamesContext, type GamesContext } from '../src/modules/games/service.ts'
import { resultsRoutes } from '../src/modules/results/routes.ts'
import { resultsContext, type ResultsContext } from '../src/modules/results/service.ts'
import { WatchTicker } from '../src/modules/results/watch-ticker.ts'
import { testRuntime, type TestRuntime } from '../src/runtime/test-runtime.ts'
import { testDatabase } from './database.ts'
import { testRows, type TestRows } from './draw-rows.ts'

/** Friday 15 January 2027, 12:00 UTC. */
export const NOON = 1_800_014_400

type Answer = Awaited<ReturnType<FastifyInstance['inject']>>

/** The calls about games and results on a database of their own, where a token is a player's id. */
export interface ReadSide {
  readonly app: FastifyInstance
  readonly db: Db
  readonly runtime: TestRuntime
  readonly rows: TestRows
  readonly games: GamesContext
  readonly results: ResultsContext
  readonly ticker: WatchTicker
  get(path: string, playerId?: bigint): Promise<Answer>
  send(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, playerId?: bigint, body?: object): Promise<Answer>
  forgetRates(): Promise<void>
  /** Back to noon and no draws. Only the ledger and the log stay, since nothing can be removed from them. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** The tables that tests fill, referring tables first. */
const TABLES = [
  'payables',
  'payouts',
  'payout_batches',
  'wins',
  'plays',
  'order_lines',
  'orders',
  'draws',
  'free_tickets',
  'saved_numbers',
  'rates',
  'rate_counters',
  'winner_consents',
]
const deleteRows = TABLES.map((table) =>
  sql({
    name: `test-read-side.delete-${table.replaceAll('_', '-')}`,
    text: table === 'wins' ? 'truncate wins' : `delete from ${table}`, // a trigger keeps each of them
  }),
)
const deleteRates = sql({ name: 'test-read-side.forget-rates', text: 'delete from rates' })

/** Makes one; `close` it. Every answer is checked against the contract. The clock shows noon. */
export async function openReadSide(): Promise<ReadSide> {
  const runtime = testRuntime({ startAt: NOON })
  const database = await testDatabase({ runtime })
  const { db } = database
  const rows = testRows(db, runtime)
  await rows.ground()
  const games = gamesContext({
    db,
    runtime,
    salesState: async () => ({ games: GAMES.map(({ key }) => ({ gameKey: key, isOnSale: true, pauseNote: null })) }),
  })
  const results = resultsContext({
    db,
    runtime,
    games,
    payouts: { db, runtime, network: 'regtest', explorerUrl: null, lightning: null, returnSeconds: 3600 },
    statementsOf: async () => [],
  })
  const ticker = new WatchTicker({ runtime, results })
  const app = createHttpApp({
    runtime,
    isDemo: false,
    publicUrl: 'http://localhost',
    checksAnswers: true,
    authenticate: (token) =>
      Promise.resolve(
        /^\d+$/.test(token)
          ? {
              id: BigInt(token),
              sessionId: 'session',
              username: 'player',
              email: null,
              emailVerifiedAt: null,
              currencyId: 1,
              timezoneId: 202,
              isSocial: false,
            }
          : null,
      ),
  })
  gamesRoutes(app, games)
  resultsRoutes(app, {
    results,
    ticker,
    limits: new RateLimits({ db, clock: runtime.clock, callerKey: new Uint8Array(32) }),
  })

  const send: ReadSide['send'] = (method, path, playerId, body) => {
    // Tests write rows behind the caches' back; the program's own writers notify.
    dropGames(games)
    return app.inject({
      method,
      url: `/api/v1${path}`,
      ...(playerId === undefined ? {} : { headers: { authorization: `Bearer ${playerId}` } }),
      ...(body === undefined ? {} : { payload: body }),
    })
  }
  return {
    app,
    db,
    runtime,
    rows,
    games,
    results,
    ticker,
    send,
    get: (path, playerId) => send('GET', path, playerId),
    forgetRates: async () => void (await db.execute(deleteRates, [])),
    async reset() {
      for (const statement of deleteRows) await db.execute(statement, [])
      await rows.ground()
      runtime.clock.set(NOON)
    },
    async close() {
      await app.close()
      await database.drop()
    },
  }
}
