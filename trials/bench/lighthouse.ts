// Runs Lighthouse on the built pages as they are served, with its mobile profile (a simulated slow phone on a slow
// network). The pages are home, a game as a visitor sees it, the history of its draws, and one draw. Beforehand a
// player takes part in two weeks of draws. Every figure is the median of three runs. Other work on the computer only
// affects performance, so its load is printed too.
// Run: npm run bench lighthouse, which first installs Lighthouse into bench/lighthouse
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { get } from 'node:http'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Figures,
  figuresOf,
  LEAST_SCORES,
  mediansOf,
  missedLimits,
  MAX_SCRIPT_BYTES,
  type Report,
} from './lighthouse/judgement.ts'
import { type Call, type Client, createClient, printTable, register, startProduct } from '../product.ts'

const RUNS = 3
const GAME = 'bitcoin-hero'
/** The game's rules: numbers per line, and the pool they come from. */
const [PICK, POOL] = [5, 36]
const DAYS = 14
const DAY_SECONDS = 86_400
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
/** The player's lines in each draw. */
const LINES = 10
const FROM = '10.1.2.3'
/** Limit of one run, in ms. It takes a quarter of a minute on an idle computer. */
const RUN_TIMEOUT_MS = 240_000
/**
 * Tries of one run. Chromium sometimes omits the beginning of its recording, and Lighthouse then exits without figures.
 */
const MAX_ATTEMPTS = 3

const LIGHTHOUSE = join(import.meta.dirname, 'lighthouse/node_modules/lighthouse/cli/index.js')
/** Chromium's sandbox refuses to run as root. */
const BROWSER_ARGUMENTS = [
  '--headless=new',
  '--disable-dev-shm-usage',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

const folder = mkdtempSync(join(tmpdir(), 'fairball-lighthouse-'))
const product = await startProduct()
const client = createClient(product.port, 1)
try {
  const number = await playTwoWeeks(client)
  const pages = [
    ['home', '/'],
    ['play', `/game/${GAME}`],
    ['draw history', `/game/${GAME}/draws`],
    ['a draw', `/game/${GAME}/draw/${number}`],
  ] as const
  const measured = new Map<string, Figures>()
  for (const [name, path] of pages) measured.set(`${name} \`${path}\``, await measure(path))
  print(measured)
  await printFirstScripts()
} finally {
  client.close()
  await product.stop()
  rmSync(folder, { recursive: true, force: true })
}

/**
 * A player pays for lines in every draw of the next days, and the clock moves past them.
 *
 * @returns the last draw's number
 */
async function playTwoWeeks(by: Client): Promise<number> {
  const { access } = await register(by, 'player@example.org', FROM)
  const tickets = Array.from({ length: LINES }, (_, line) => ({ isLuckyDip: false, numbers: lineAt(line) }))
  const body = { type: 'lotto', key: GAME, days: EVERY_DAY, weeks: DAYS / 7, tickets }
  const order = await callOn(by, { method: 'POST', path: '/api/v1/payment', body, bearer: access })
  await callOn(by, { method: 'POST', path: '/api/v1/dev/pay', body: { transaction_id: order['transaction_id'] } })
  const { now } = await callOn(by, { method: 'GET', path: '/api/v1/dev/clock' })
  await callOn(by, { method: 'POST', path: '/api/v1/dev/clock', body: { to: Number(now) + DAYS * DAY_SECONDS } })
  const { results } = await callOn(by, { method: 'GET', path: `/api/v1/games/${GAME}/draws` })
  const [last] = results as readonly { number: number }[] // by contract
  if (last === undefined) throw new Error('no draw was held')
  return last.number
}

/** A distinct line for each place. */
function lineAt(place: number): number[] {
  return Array.from({ length: PICK }, (_, index) => ((place + index * 7) % POOL) + 1).toSorted((a, b) => a - b)
}

async function callOn(by: Client, call: Call): Promise<Record<string, unknown>> {
  const { status, text } = await by.call({ ...call, from: FROM })
  if (status !== 200 && status !== 201) throw new Error(`${call.path} answered ${status}: ${text}`)
  return JSON.parse(text) as Record<string, unknown> // an object by contract
}

/** The medians of a page's runs. */
async function measure(path: string): Promise<Figures> {
  const runs: Figures[] = []
  for (let run = 1; run <= RUNS; run += 1) {
    const before = loadavg()[0] ?? NaN
    const figures = figuresOf(await reportOn(path, MAX_ATTEMPTS))
    runs.push(figures)
    const { performance } = figures.scores
    const ms = [figures.firstPaintMs, figures.largestPaintMs, figures.blockedMs].map((time) => Math.round(time))
    process.stdout.write(
      `${path}, run ${run}: performance ${performance} (${ms.join(', ')} ms), load ${before.toFixed(1)}\n`,
    )
  }
  return mediansOf(runs)
}

/** One run of Lighthouse in its own process, with a fresh browser. A run without figures is repeated. */
async function reportOn(path: string, attempts: number): Promise<Report> {
  const file = join(folder, 'report.json')
  rmSync(file, { force: true })
  const args = [
    LIGHTHOUSE,
    `http://localhost:${product.port}${path}`,
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    `--only-categories=${Object.keys(LEAST_SCORES).join(',')}`,
    `--chrome-flags=${BROWSER_ARGUMENTS.join(' ')}`,
    '--no-enable-error-reporting',
  ]
  const env = { ...process.env, CHROME_PATH: process.env['CHROMIUM'] ?? '/usr/bin/chromium' }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit'], timeout: RUN_TIMEOUT_MS })
  const [status] = (await once(child, 'exit')) as [number | null]
  if (status !== 0) {
    if (attempts > 1) return await reportOn(path, attempts - 1)
    throw new Error(`Lighthouse ended with ${status} on ${path}`)
  }
  return JSON.parse(await readFile(file, 'utf8')) as Report // of the version in trials/bench/lighthouse/package.json
}

function print(measured: ReadonlyMap<string, Figures>): void {
  process.stdout.write(
    `\nLoad of the ${availableParallelism()} cores: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}\n\n`,
  )
  printTable(
    ['page', ...Object.keys(LEAST_SCORES), 'FCP', 'LCP', 'CLS', 'TBT', 'scripts as served', 'as it must be'],
    [...measured].map(([page, figures]) => {
      const missed = missedLimits(figures)
      if (missed.length > 0) process.exitCode = 1
      return [
        page,
        ...Object.values(figures.scores).map(String),
        `${(figures.firstPaintMs / 1000).toFixed(2)} s`,
        `${(figures.largestPaintMs / 1000).toFixed(2)} s`,
        figures.layoutShift.toFixed(3),
        `${figures.blockedMs.toFixed(0)} ms`,
        `${(figures.scriptBytes / 1000).toFixed(1)} kB`,
        missed.length === 0 ? 'yes' : `NO: ${missed.join(', ')}`,
      ]
    }),
  )
  process.stdout.write('\nAudits below 1:\n\n')
  for (const [page, { faults }] of measured)
    for (const { id, title } of faults) process.stdout.write(`- ${page}: ${id}: ${title}\n`)
}

/** The scripts named in home's HTML, with gzip: what a first visit loads before any interaction. */
async function printFirstScripts(): Promise<void> {
  const { text } = await client.call({ method: 'GET', path: '/' })
  const scripts = new Set([...text.matchAll(/\/assets\/[\w.-]+\.js(?=")/g)].map(([path]) => path))
  let bytes = 0
  for (const path of scripts) bytes += await zippedBytesOf(path)
  const isGood = scripts.size > 0 && bytes <= MAX_SCRIPT_BYTES
  if (!isGood) process.exitCode = 1
  process.stdout.write('\n')
  printTable(
    ['scripts of a first visit to home', 'files', 'after gzip', 'at most', 'as it must be'],
    [
      [
        'named by its HTML',
        String(scripts.size),
        `${(bytes / 1000).toFixed(1)} kB`,
        `${MAX_SCRIPT_BYTES / 1000} kB`,
        isGood ? 'yes' : 'NO',
      ],
    ],
  )
}

async function zippedBytesOf(path: string): Promise<number> {
  const sent = get({ host: '127.0.0.1', port: product.port, path, headers: { 'accept-encoding': 'gzip' } })
  const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer> & { statusCode?: number }] // the arguments of http's event
  let bytes = 0
  for await (const chunk of response) bytes += chunk.length
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`)
  return bytes
}
