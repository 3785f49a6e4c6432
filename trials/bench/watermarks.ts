// G9: the check of the ledger that is made each minute costs by what is new, not by what is in the books. A tenth of the
// postings is checked first, then all of them; each time the minute's check finds a thousand new ones. The check of
// everything, on the same books, shows what the minute's check would cost without its watermark.
// Run: node trials/bench/watermarks.ts [--postings=2000000]
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, type Db, migrate, startEmbeddedPostgres } from '@fairball/server/testing/database'
import { findViolations, lotteryInvariants } from '@fairball/server/testing/lottery'
import { systemRuntime } from '@fairball/server/testing/runtime'
import pg from 'pg'
import { inMs, judged, report, whole } from './load/figures.ts'
import { countOf } from './load/flags.ts'
import { fillLedger } from './load/postings.ts'

const GOAL_POSTINGS = 20_000_000
const POSTINGS = countOf('postings', 2_000_000)
const NEW_POSTINGS = 1000
const LIMIT_MS = 300
const LIMIT_PIECE_MS = 5000
/** The same cost whatever is in the books, within this factor, or within what a busy computer adds. */
const MOST_RATIO = 1.2
const MINUTES = 5

const runtime = systemRuntime({ logLevel: 'fatal' })
const { nowMs } = runtime.monotonic
let now = runtime.clock.now()

const folder = mkdtempSync(join(tmpdir(), 'fairball-bench-'))
chmodSync(folder, 0o711) // as root, the database runs as another user, which needs access
const server = await startEmbeddedPostgres({ dataFolder: folder, runtime })
const client = new pg.Client(server.address)
try {
  await migrate({ address: server.address, runtime })
  await client.connect()
  const db = createDatabase({ address: server.address, runtime, statementTimeoutMs: 600_000 })
  await fillLedger(client, POSTINGS / 10)
  await firstCheck(db)
  const few = await minuteMs(db)
  await fillLedger(client, POSTINGS - POSTINGS / 10)
  const first = await firstCheck(db)
  const many = await minuteMs(db)
  const sinceMs = nowMs()
  await findViolations(db)
  const everythingMs = nowMs() - sinceMs
  await db.close()
  report([
    {
      id: 'G9',
      what: `minute's check of the ledger, ${whole(NEW_POSTINGS)} new of ${whole(POSTINGS)} postings`,
      figure: inMs(many),
      baseline: `with a tenth of them: ${inMs(few)}`,
      ratio: many / few,
      goal: `≤ ${LIMIT_MS} ms, ≤ ${MOST_RATIO} × with ${whole(GOAL_POSTINGS)}`,
      isMet: judged(many <= LIMIT_MS && many / few <= MOST_RATIO, POSTINGS, GOAL_POSTINGS),
    },
    {
      id: 'G9',
      what: `its longest transaction while it reads ${whole(POSTINGS)} postings for the first time`,
      figure: inMs(first.longestMs),
      baseline: `all of its transactions: ${(first.allMs / 1000).toFixed(1)} s`,
      ratio: first.longestMs / first.allMs,
      goal: `≤ ${LIMIT_PIECE_MS} ms`,
      isMet: first.longestMs <= LIMIT_PIECE_MS,
    },
    {
      id: 'G9',
      what: 'the check of everything on these books, in one snapshot',
      figure: `${(everythingMs / 1000).toFixed(1)} s`,
      baseline: `minute's check: ${inMs(many)}`,
      ratio: everythingMs / many,
      isMet: null,
    },
  ])
} finally {
  await client.end()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** One check. @returns how long it took */
async function check(db: Db): Promise<number> {
  now += 60
  const sinceMs = nowMs()
  const found = await lotteryInvariants.checkNew(db, now)
  await found?.done()
  if (found === null || found.violations.length > 0) throw new Error(`found: ${JSON.stringify(found?.violations)}`)
  return nowMs() - sinceMs
}

/** Lets the watermark follow what was written: it is named by one check, and reached by the next. */
async function firstCheck(db: Db): Promise<{ longestMs: number; allMs: number }> {
  const took: number[] = []
  const timed: Db = {
    ...db,
    async transaction(work, options) {
      const sinceMs = nowMs()
      try {
        return await db.transaction(work, options)
      } finally {
        took.push(nowMs() - sinceMs)
      }
    },
  }
  await check(db)
  await check(timed)
  await check(db)
  return { longestMs: Math.max(...took), allMs: took.reduce((sum, ms) => sum + ms, 0) }
}

/** The median of some minutes with new postings. */
async function minuteMs(db: Db): Promise<number> {
  const took: number[] = []
  for (let minute = 0; minute < MINUTES; minute += 1) {
    await fillLedger(client, NEW_POSTINGS)
    took.push(await check(db))
  }
  return took.toSorted((one, other) => one - other)[Math.floor(MINUTES / 2)] ?? NaN
}
