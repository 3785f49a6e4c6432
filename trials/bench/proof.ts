// How long a browser takes to check a draw of a million lines itself: from opening the page of its proof to the verdict,
// with every file fetched from the running product. Of a draw with more plays than four sections hold, the browser
// fetches one section at random (docs/fairness.md, section 9), and the verdict says what was not checked. The baseline
// is OpenSSL's SHA-256 of the fetched leaves.
// Run: npm run bench proof [-- --lines=1000000 --lines-a-play=100]
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import { SECTION_LEAVES } from '@fairball/domain/protocol/numbers'
import { quantile } from '../product.ts'
import { startBrowser, WIDE } from './interactions/phone.ts'
import { type Figure, judged, report, whole } from './load/figures.ts'
import { fillDraw } from './load/fill.ts'
import { countOf } from './load/flags.ts'
import { sha256PerSecond } from './load/native.ts'
import { seedPlayers } from './load/players.ts'
import { type Draw, findDraw, onStage, type Stage } from './load/stage.ts'

const LINES = countOf('lines', 1_000_000)
const LINES_A_PLAY = countOf('lines-a-play', 100)
const PLAYS = LINES / LINES_A_PLAY
const SECTIONS = Math.ceil(PLAYS / SECTION_LEAVES)
/** Up to this number of sections the browser fetches all of them. */
const ALL_SECTIONS = 4
const GOAL_LINES = 1_000_000
const LIMIT_MS = 5000
const GAME = 'bitcoin-hero'
const CHECKS = 5
/** A play's leaf before hashing, in octets (docs/fairness.md, section 6). */
const LEAF_OCTETS = 89 + 8 * LINES_A_PLAY
/** Players who own the plays. */
const PLAYERS = 1000
const SECONDS_OPEN = 7200
const SECONDS_AFTER_END = 60
const PATIENCE_MS = 120_000
/** How long the database has to be idle, in seconds. */
const QUIET_SECONDS = 5

await onStage(async (stage) => {
  const players = await seedPlayers(stage, PLAYERS)
  const draw = await findDraw(stage, { secondsOpen: SECONDS_OPEN, gameKey: GAME })
  const playerIds = players.map(({ id }) => id)
  await fillDraw(stage.db, { draw, entries: LINES, linesAPlay: LINES_A_PLAY, playerIds, at: stage.clock.now() })
  const hashes = await sha256PerSecond(LEAF_OCTETS)
  await stage.moveClock(draw.end_at + SECONDS_AFTER_END)
  await untilQuiet(stage)
  const browser = await startBrowser()
  try {
    const took: number[] = []
    for (let check = 0; check < CHECKS; check += 1) took.push(await msOfCheck(stage, browser, draw))
    report([figureOf(quantile(took, 0.5), hashes)])
  } finally {
    await browser.close()
  }
})

/** Waits until the product's database has nothing to do: after a draw it mails, pays and checks for a while. */
async function untilQuiet({ db }: Stage): Promise<void> {
  for (let quiet = 0; quiet < QUIET_SECONDS;) {
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    quiet = rows[0]?.count === 0 ? quiet + 1 : 0
    await sleep(1000)
  }
}

/** Opens the proof in a new browser profile. @returns the time to its verdict, in ms */
async function msOfCheck({ product }: Stage, browser: Browser, { game_key: game, number }: Draw): Promise<number> {
  const context = await browser.newContext({ baseURL: `http://localhost:${product.port}`, viewport: WIDE })
  try {
    const page = await context.newPage()
    const sinceMs = performance.now()
    await page.goto(`/game/${game}/draw/${number}/proof`)
    const verdict = page.locator('section[data-tone]:not([data-tone="running"])')
    await verdict.waitFor({ timeout: PATIENCE_MS })
    const ms = performance.now() - sinceMs
    const tone = await verdict.getAttribute('data-tone')
    if (tone !== (SECTIONS > ALL_SECTIONS ? 'open' : 'holds')) throw new Error(`the browser found the draw ${tone}`)
    return ms
  } finally {
    await context.close()
  }
}

function figureOf(ms: number, hashes: number | null): Figure {
  const fetched = SECTIONS > ALL_SECTIONS ? SECTION_LEAVES : PLAYS
  const hashMs = hashes === null ? null : (fetched * 1000) / hashes
  return {
    id: 'L10',
    what: `check ${whole(LINES)} lines (${whole(fetched)} of ${whole(PLAYS)} plays) in a browser, the middle of ${CHECKS}`,
    figure: `${(ms / 1000).toFixed(1)} s from opening the page`,
    ...(hashMs === null
      ? {}
      : { baseline: `OpenSSL, the leaf of each play: ${hashMs.toFixed(0)} ms`, ratio: ms / hashMs }),
    goal: `≤ ${LIMIT_MS / 1000} s for ${whole(GOAL_LINES)}`,
    isMet: judged(ms <= LIMIT_MS, LINES, GOAL_LINES),
  }
}
