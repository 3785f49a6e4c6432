// L6 and G8: sealing and settling a draw of a million entries (or ten million), up to the last payout. Each stage is timed
// from the moment it is due, in the running product. The baselines are a loop in C over as many masks, and OpenSSL's
// SHA-256. The payouts go through the demo's wallet here; trials/bench/payouts.ts uses a real node.
// Run: node trials/bench/settle.ts [--entries=1000000] [--ten-million]
import { setTimeout as sleep } from 'node:timers/promises'
import { SECONDS_AFTER_LAST_BALL } from '@fairball/domain/draw-phase'
import type pg from 'pg'
import { connectTo } from './load/baselines.ts'
import { type Figure, judged, report, whole } from './load/figures.ts'
import { fillDraw } from './load/fill.ts'
import { countOf, hasFlag } from './load/flags.ts'
import { popcountMs, sha256PerSecond } from './load/native.ts'
import { seedPlayers } from './load/players.ts'
import { mostMemoryMiB, watchDatabaseMemory } from './load/process.ts'
import { type Draw, findDraw, onStage, type Stage } from './load/stage.ts'

const ENTRIES = countOf('entries', hasFlag('ten-million') ? 10_000_000 : 1_000_000)
/** The goals of L6 apply to a million entries. */
const GOAL_ENTRIES = 1_000_000
/**
 * Sealing many more takes longer than the five minutes between Bitcoin Hero's close and its draw, so the draw would be
 * postponed.
 */
const GAME = ENTRIES > GOAL_ENTRIES ? 'treasure' : 'bitcoin-hero'
/** Lines per player and order: a million entries belong to ten thousand players, most of whom win something. */
const LINES_A_PLAY = 100
const CLOSE_SECONDS = 5
const SETTLE_SECONDS = 120
const PAYOUT_SECONDS = 600
/** G8: ten million are settled within this time, and in this memory whatever the size. */
const LARGE_ENTRIES = 10_000_000
const LARGE_SETTLE_SECONDS = 20
const LARGE_MIB = 512
/**
 * The leaf of a play before hashing, in octets. Batches hash leaves before the close, which only extends their tree.
 */
const LEAF_OCTETS = 89 + 8 * LINES_A_PLAY
const LOOK_MS = 20
const SECONDS_BEFORE = 20
const BEFORE_LAST_BALL_SECONDS = 5

await onStage(async (stage) => {
  const { product, db, clock } = stage
  const players = await seedPlayers(stage, Math.max(1, ENTRIES / LINES_A_PLAY))
  const draw = await findDraw(stage, { secondsOpen: 7200, gameKey: GAME })
  const playerIds = players.map(({ id }) => id)
  await fillDraw(db, { draw, entries: ENTRIES, linesAPlay: LINES_A_PLAY, playerIds, at: clock.now() })
  const countMs = await popcountMs(ENTRIES)
  const hashes = await sha256PerSecond(LEAF_OCTETS)
  for (const [what, value] of [
    ['gcc', countMs],
    ['openssl', hashes],
  ] as const)
    if (value === null) process.stdout.write(`${what} is not installed, so its baseline is left out.\n`)

  await stage.moveClock(draw.closes_at - SECONDS_BEFORE)
  const sealed = await timeOf(stage, draw, { to: draw.closes_at, status: 'closed' })
  const sealedMiB = await mostMemoryMiB(product.pid)
  const lastBallAt = draw.end_at - SECONDS_AFTER_LAST_BALL
  await stage.moveClock(lastBallAt - BEFORE_LAST_BALL_SECONDS)
  const endWatch = watchDatabaseMemory(product.dataDir)
  const settled = await timeOf(stage, draw, { to: lastBallAt, status: 'settled' })
  const memory = { nodeMiB: await mostMemoryMiB(product.pid), databaseMiB: await endWatch() }
  const paid = await payoutsOf(stage, settled.sinceMs)
  const mostMiB = await mostMemoryMiB(product.pid)

  const { rows } = await db.query<{ wins: number }>('select count(*)::int as wins from wins where draw_id = $1', [
    draw.id,
  ])
  const problems = await stage.violations()
  for (const problem of problems.slice(0, 20)) process.stdout.write(`${problem}\n`)
  report([
    sealedFigure(sealed.ms, sealedMiB, hashes),
    settledFigure({ ms: settled.ms, mostMiB, wins: rows[0]?.wins ?? 0, countMs }),
    largeFigure(settled.ms, memory),
    {
      id: 'L6',
      what: `${whole(paid.payouts)} payouts of these prizes left (demo's wallet), winners notified`,
      figure: `${(paid.ms / 1000).toFixed(1)} s after the last ball`,
      goal: `≤ ${PAYOUT_SECONDS} s for 10,000, no invariant broken`,
      isMet: judgedHere(paid.ms <= PAYOUT_SECONDS * 1000 && problems.length === 0),
    },
  ])
})

/** Moves the clock to a moment. @returns the time until the draw had the wanted status, and when that began */
async function timeOf(
  stage: Stage,
  draw: Draw,
  wanted: { readonly to: number; readonly status: string },
): Promise<{ ms: number; sinceMs: number }> {
  const eye = await connectTo(stage.product.dataDir)
  if (await hasStatus(eye, draw, wanted.status)) throw new Error(`draw ${draw.number} is ${wanted.status} too early`)
  const sinceMs = performance.now()
  const moved = stage.moveClock(wanted.to)
  try {
    for (;;) {
      if (await hasStatus(eye, draw, wanted.status)) return { ms: performance.now() - sinceMs, sinceMs }
      const isDone = await Promise.race([moved.then(() => true), sleep(LOOK_MS).then(() => false)])
      if (isDone && !(await hasStatus(eye, draw, wanted.status)))
        throw new Error(`draw ${draw.number} is not ${wanted.status}`)
    }
  } finally {
    await moved
    await eye.end()
  }
}

async function hasStatus(eye: pg.Client, draw: Draw, status: string): Promise<boolean> {
  const { rows } = await eye.query('select from draws where id = $1 and status = $2', [draw.id, status])
  return rows.length === 1
}

/** Waits until nothing is due any more and every batch has left. */
async function payoutsOf({ db, clock }: Stage, sinceMs: number): Promise<{ payouts: number; ms: number }> {
  for (;;) {
    const { rows } = await db.query<{ payouts: number; left: number; due: number }>(
      `select count(*)::int as payouts, count(*) filter (where sent_at is null)::int as left,
         (select count(*)::int from jobs where run_at <= $1) as due from payouts`,
      [clock.now()],
    )
    const [found] = rows
    if (found !== undefined && found.payouts > 0 && found.left === 0 && found.due === 0)
      return { payouts: found.payouts, ms: performance.now() - sinceMs }
    if (performance.now() - sinceMs > 2 * PAYOUT_SECONDS * 1000 * Math.ceil(ENTRIES / GOAL_ENTRIES))
      throw new Error(`the payouts did not leave: ${JSON.stringify(found)}`)
    await sleep(LOOK_MS * 10)
  }
}

/** Ten million entries are beyond the goals. */
function judgedHere(isGood: boolean): boolean | null {
  return ENTRIES > GOAL_ENTRIES ? null : judged(isGood, ENTRIES, GOAL_ENTRIES)
}

function sealedFigure(ms: number, mostMiB: number, hashes: number | null): Figure {
  const hashMs = hashes === null ? null : ((ENTRIES / LINES_A_PLAY) * 1000) / hashes
  return {
    id: 'L6',
    what: `seal ${whole(ENTRIES)} lines: last batch, tree, money, statement`,
    figure: `${(ms / 1000).toFixed(1)} s, at most ${mostMiB.toFixed(0)} MiB`,
    ...(hashMs === null
      ? {}
      : { baseline: `OpenSSL, the leaf of each play: ${(hashMs / 1000).toFixed(2)} s`, ratio: ms / hashMs }),
    goal: `≤ ${CLOSE_SECONDS} s for 1,000,000`,
    isMet: judgedHere(ms <= CLOSE_SECONDS * 1000),
  }
}

function settledFigure(with_: { ms: number; mostMiB: number; wins: number; countMs: number | null }): Figure {
  const { ms, mostMiB, wins, countMs } = with_
  return {
    id: 'L6',
    what: `settle ${whole(ENTRIES)} lines: sections, ${whole(wins)} wins, postings, payables, statement`,
    figure: `${(ms / 1000).toFixed(1)} s, at most ${mostMiB.toFixed(0)} MiB`,
    ...(countMs === null ? {} : { baseline: `count alone in C: ${countMs.toFixed(2)} ms`, ratio: ms / countMs }),
    goal: `≤ ${SETTLE_SECONDS} s for 1,000,000`,
    isMet: judgedHere(ms <= SETTLE_SECONDS * 1000),
  }
}

/** @param memory the most that the product's process has had, and the database's processes of their own meanwhile */
function largeFigure(ms: number, memory: { readonly nodeMiB: number; readonly databaseMiB: number }): Figure {
  const { nodeMiB, databaseMiB } = memory
  const isGood = ms <= LARGE_SETTLE_SECONDS * 1000 && nodeMiB + databaseMiB <= LARGE_MIB
  return {
    id: 'G8',
    what: `settle ${whole(ENTRIES)} lines; memory of Node and of the database's processes`,
    figure: `${(ms / 1000).toFixed(1)} s, ${nodeMiB.toFixed(0)} + ${databaseMiB.toFixed(0)} MiB`,
    goal: `≤ ${LARGE_SETTLE_SECONDS} s for ${whole(LARGE_ENTRIES)}, ≤ ${LARGE_MIB} MiB`,
    isMet: judged(isGood, ENTRIES, LARGE_ENTRIES),
  }
}
