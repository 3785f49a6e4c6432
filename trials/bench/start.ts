// G10: how long a start takes, and how much memory the process needs while nobody asks for anything: with an empty
// ledger, and with many postings in it. The baseline is a bare Node that ends at once. The first start, which makes the
// database, is not counted.
// Run: node trials/bench/start.ts [--postings=2000000]
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@fairball/server/testing/fixtures'
import { memoryMiB, type Process, quantile, startProcess } from '../product.ts'
import { connectTo } from './load/baselines.ts'
import { type Figure, judged, report, whole } from './load/figures.ts'
import { countOf } from './load/flags.ts'
import { fillLedger } from './load/postings.ts'

const GOAL_POSTINGS = 20_000_000
const POSTINGS = countOf('postings', 2_000_000)
const STARTS = 3
/** After a start, until nothing of it is left to do. */
const REST_MS = 20_000
const LIMIT_MS = 2000
const LIMIT_MIB = 200

const folder = mkdtempSync(join(tmpdir(), 'fairball-bench-'))
chmodSync(folder, 0o711) // as root, the database runs as another user, which needs access
const dataDir = join(folder, 'data')
const port = await freePort()
let running: Process | null = null
try {
  await start()
  const empty = await figureOf(0)
  const db = await connectTo(dataDir)
  await fillLedger(db, POSTINGS)
  await db.end()
  report([empty, await figureOf(POSTINGS)])
} finally {
  await stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Starts it some times; the last one then sits still. */
async function figureOf(postings: number): Promise<Figure> {
  const took: number[] = []
  for (let time = 0; time < STARTS; time += 1) {
    await stop()
    took.push(await start())
  }
  await sleep(REST_MS)
  const memory = running === null ? NaN : await memoryMiB(running.pid)
  const [ms, bareMs] = [quantile(took, 0.5), bareStartMs()]
  return {
    id: 'G10',
    what: `start, the middle of ${STARTS}, and memory ${REST_MS / 1000} s later; ${whole(postings)} postings`,
    figure: `${(ms / 1000).toFixed(2)} s, ${memory.toFixed(0)} MiB`,
    baseline: `bare Node: ${(bareMs / 1000).toFixed(2)} s`,
    ratio: ms / bareMs,
    goal: `≤ ${LIMIT_MS / 1000} s, ≤ ${LIMIT_MIB} MiB with ${whole(GOAL_POSTINGS)}`,
    isMet: judged(ms <= LIMIT_MS && memory <= LIMIT_MIB, postings, GOAL_POSTINGS),
  }
}

/** @returns how long it took until it served */
async function start(): Promise<number> {
  const sinceMs = performance.now()
  running = await startProcess({ dataDir, port, env: { LOG_LEVEL: 'error' } })
  return performance.now() - sinceMs
}

async function stop(): Promise<void> {
  await running?.stop()
  running = null
}

function bareStartMs(): number {
  const took = Array.from({ length: STARTS }, () => {
    const sinceMs = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    return performance.now() - sinceMs
  })
  return quantile(took, 0.5)
}
