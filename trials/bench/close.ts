// Measures how fast a draw's plays are appended to its tree while it is sold, how long its close takes, and how much
// memory the process needs: from the end of sales to the commit of the close statement, on the real database, through the
// jobs that append and close in every draw. The baseline is the same number of leaves hashed in one thread, the least
// possible time. The orders are written by SQL, with a thousand lines each: the sale of a million tickets is not measured.
// Run: node trials/bench/close.ts [entries, or --million]
import { hash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { entriesPath } from '@fairball/domain/protocol/tiles'
import { judged, report, whole } from './load/figures.ts'
import { APPENDED_AFTER_SECONDS, fillDraw } from './load/fill.ts'
import { countOf, hasFlag } from './load/flags.ts'
import { mostMemoryMiB } from './load/process.ts'
import { type Draw, findDraw, onStage, type Stage } from './load/stage.ts'
import { memoryMiB, PASSWORD, printTable, type Product, register, tokensOf } from '../product.ts'

const ENTRIES = countOf('entries', hasFlag('million') ? 1_000_000 : 100_000)
/** Lines of an order: the product's maximum. */
const LINES_A_PLAY = 1000
/** The goals for a close of a million entries; a smaller one must meet them too. */
const GOAL_ENTRIES = 1_000_000
const LIMIT_SECONDS = 5
const GOAL_LINES_PER_SECOND = 40_000
const LIMIT_MIB = 300
/** Octets of a play's leaf (fairness.md section 6), and leaves served in one file. */
const LEAF_OCTETS = 89 + 8 * LINES_A_PLAY
const LEAVES_A_FILE = 256
/** The chosen draw closes at least this many seconds later, so that it stays open while it is filled. */
const LEAST_SECONDS_OPEN = 3600
/** The clock first moves to this many seconds before the close, so that nothing else is due at the close. */
const SECONDS_BEFORE_CLOSE = 20

const EMAIL = 'player@example.org'
const FROM = '10.1.2.3'

if (ENTRIES % LINES_A_PLAY !== 0) throw new Error(`The number of entries must be a multiple of ${LINES_A_PLAY}.`)

await onStage(async (stage) => {
  const { client, db, product, clock } = stage
  await register(client, EMAIL, FROM)
  const { rows } = await db.query<{ id: string }>('select id from players where email = $1', [EMAIL])
  const playerIds = rows.map(({ id }) => id)
  const draw = await findDraw(stage, { secondsOpen: LEAST_SECONDS_OPEN })
  const filled = await fillDraw(db, { draw, entries: ENTRIES, linesAPlay: LINES_A_PLAY, playerIds, at: clock.now() })
  const baselineSeconds = hashLeaves()
  const appendSeconds = (await stage.moveClock(clock.now() + APPENDED_AFTER_SECONDS)) / 1000
  await assertAppended(stage, draw)
  const linesPerSecond = Math.round(ENTRIES / appendSeconds)
  await stage.moveClock(draw.closes_at - SECONDS_BEFORE_CLOSE)
  const before = { now: await memoryMiB(product.pid), most: await mostMemoryMiB(product.pid) }
  const seconds = (await stage.moveClock(draw.closes_at)) / 1000
  const mostMiB = await mostMemoryMiB(product.pid)
  await assertClosed(stage, draw, filled.stakeSats)
  report([
    {
      id: 'G7',
      what: `${whole(ENTRIES)} lines appended, ${whole(linesPerSecond)} lines/s`,
      figure: `${appendSeconds.toFixed(1)} s`,
      baseline: `leaves hashed in one thread: ${baselineSeconds.toFixed(2)} s`,
      ratio: appendSeconds / baselineSeconds,
      goal: `≥ ${whole(GOAL_LINES_PER_SECOND)} lines/s`,
      isMet: judged(linesPerSecond >= GOAL_LINES_PER_SECOND, ENTRIES, GOAL_ENTRIES),
    },
    {
      id: 'L5',
      what: `close of a draw of ${whole(ENTRIES)} lines; memory before: ${before.now.toFixed(0)} MiB, at most ${before.most.toFixed(0)}`,
      figure: `${seconds.toFixed(1)} s, at most ${mostMiB.toFixed(0)} MiB`,
      baseline: `leaves hashed in one thread: ${baselineSeconds.toFixed(2)} s`,
      ratio: seconds / baselineSeconds,
      goal: `≤ ${LIMIT_SECONDS} s, ≤ ${LIMIT_MIB} MiB for 1,000,000`,
      isMet: judged(seconds <= LIMIT_SECONDS && mostMiB <= LIMIT_MIB, ENTRIES, GOAL_ENTRIES),
    },
  ])
  process.stdout.write('\n')
  await printCalls(stage, draw, filled.playIds)
})

/** Time to hash as many leaves in one thread, in seconds; batches do this before the close. */
function hashLeaves(): number {
  const leaf = randomBytes(LEAF_OCTETS)
  const startedAt = performance.now()
  for (let index = 0; index < ENTRIES / LINES_A_PLAY; index += 1) {
    leaf.writeUInt32BE(index, 0)
    hash('sha256', leaf, 'buffer')
  }
  return (performance.now() - startedAt) / 1000
}

async function assertAppended({ db }: Stage, draw: Draw): Promise<void> {
  const { rows } = await db.query<{ leaves: string }>('select leaves from draws where id = $1', [draw.id])
  const leaves = rows[0]?.leaves ?? 'no'
  if (leaves !== String(ENTRIES / LINES_A_PLAY)) throw new Error(`the draw has ${leaves} leaves`)
}

async function assertClosed({ db }: Stage, draw: Draw, staked: number): Promise<void> {
  const { rows } = await db.query<{ status: string; entries: number; stake_sats: string }>(
    'select status, entries, stake_sats from draws where id = $1',
    [draw.id],
  )
  const [found] = rows
  if (found?.status === 'closed' && found.entries === ENTRIES && found.stake_sats === String(staked)) return
  throw new Error(`the draw was not closed with its entries: ${JSON.stringify(found)}`)
}

/** Measures what outsiders and the player request after the close. */
async function printCalls({ client, product }: Stage, draw: Draw, plays: readonly string[]): Promise<void> {
  const download = await measureDownload(product, filesOf(draw))
  const wanted = (ENTRIES / LINES_A_PLAY) * (LEAF_OCTETS + 2) // each leaf with its length
  if (download.octets !== wanted) throw new Error(`the plays came as ${download.octets} octets`)
  const body = { email_or_username: EMAIL, password: PASSWORD }
  const { access } = tokensOf(await client.call({ method: 'POST', path: '/api/v1/auth/login', body, from: FROM }))
  const receipts: number[] = []
  for (const play of plays.slice(0, 5)) {
    const path = `/api/v1/plays/${play}/receipt`
    const answer = await client.call({ method: 'GET', path, bearer: access, from: FROM })
    if (answer.status !== 200) throw new Error(`a receipt answered ${answer.status}: ${answer.text}`)
    receipts.push(answer.ms)
  }
  const megabytes = download.octets / 1e6
  printTable(
    ['call', 'time', 'most memory afterwards'],
    [
      [
        'all plays',
        `${download.ms.toFixed(0)} ms for ${megabytes.toFixed(1)} MB`,
        `${download.mostMiB.toFixed(0)} MiB`,
      ],
      [
        `receipt of ${LINES_A_PLAY.toLocaleString('en')} lines, first and then`,
        receipts.map((ms) => `${ms.toFixed(0)} ms`).join(', '),
        `${(await mostMemoryMiB(product.pid)).toFixed(0)} MiB`,
      ],
    ],
  )
}

/** The paths of all files that hold the plays of a draw. */
function filesOf({ open_hash: openHash }: Draw): string[] {
  const plays = ENTRIES / LINES_A_PLAY
  return Array.from({ length: Math.ceil(plays / LEAVES_A_FILE) }, (_, index) => {
    const width = Math.min(LEAVES_A_FILE, plays - index * LEAVES_A_FILE)
    return `/fairball/draw/${openHash}/${entriesPath({ index, width })}`
  })
}

/** Downloads octets and discards them. */
async function measureDownload(
  product: Product,
  paths: readonly string[],
): Promise<{ ms: number; octets: number; mostMiB: number }> {
  const startedAt = performance.now()
  let octets = 0
  for (const path of paths) octets += await octetsAt(product, path)
  return { ms: performance.now() - startedAt, octets, mostMiB: await mostMemoryMiB(product.pid) }
}

function octetsAt({ port }: Product, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path }, (response) => {
      let read = 0
      response.on('data', (chunk: Buffer) => (read += chunk.length))
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(read)
        else reject(new Error(`${path} answered ${response.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}
