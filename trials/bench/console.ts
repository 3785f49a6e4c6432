// How long people of the staff wait for each screen of the console, with the books of two busy years; and what reading
// them takes from players: public pages, a player's pages and orders, with and without somebody at work in the console.
// Run: node trials/bench/console.ts [--players=200000] [--orders=1000000] [--repetitions=40] [--seconds=6] [--pairs=11]
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { TestPasskey } from '@fairball/server/testing/fixtures'
import { type Answer, type Client, createClient, memoryMiB, quantile } from '../product.ts'
import { CONNECTIONS } from './load/baselines.ts'
import { type Figure, inMs, judged, perSecond, report, whole } from './load/figures.ts'
import { wholeFlag } from './load/flags.ts'
import { closedLoop, requestBytes } from './load/http-load.ts'
import { payOrders, writeOpenOrders } from './load/payments.ts'
import { headersOf, inTurn, orderBytes, seedPlayers, signIn } from './load/players.ts'
import { nextDraws, onStage, type Stage } from './load/stage.ts'
import { processorMs } from './load/process.ts'
import { type Filled, fillYears, YEARS_SECONDS } from './load/years.ts'

const GOAL = { players: 200_000, orders: 1_000_000 }
const PLAYERS = wholeFlag('players', GOAL.players)
const ORDERS = wholeFlag('orders', GOAL.orders)
const POSTINGS_AN_ORDER = 10
const REPETITIONS = wholeFlag('repetitions', 40)
const SECONDS = wholeFlag('seconds', 6)
/** How often each load is measured with somebody at work and without: short pairs, since a computer's speed drifts. */
const PAIRS = wholeFlag('pairs', 11)
const MOST_MS = 200
const MOST_SEARCH_MS = 100
const MOST_JOURNAL_MS = 30_000
const MOST_JOURNAL_MIB = 256
const JOURNAL_POSTINGS = 1_000_000
/** What players may lose while somebody works in the console. */
const LEAST_KEPT = 0.95
/** Time between two pages that somebody at work opens, in ms. */
const PAGE_EVERY_MS = 3000
/** How long the processor time of the console is measured, in ms. */
const WORK_MS = 60_000
/** Payments confirmed at once, whose orders are then waited for. */
const PAID_A_ROUND = 400
const LOOK_MS = 200
const MOST_LOOKS = 150
const GAME = 'bitcoin-hero'
/** Players who buy and read while the console is used: enough that nobody reaches the limit of unpaid orders. */
const BUYERS = 2000
const MOST_ORDER_SECONDS = 4
/** The encodings that every browser accepts. */
const AS_BROWSERS = { 'accept-encoding': 'gzip, deflate, br' }

interface Session {
  get(path: string): Promise<Answer>
}

await onStage(
  async (stage) => {
    const filled = await fillYears(stage.db, { players: PLAYERS, orders: ORDERS, now: stage.clock.now() })
    for (const what of (await stage.violations()).slice(0, 10)) process.stdout.write(`${what}\n`)
    const { session, client } = await enter(stage)
    try {
      report([
        ...(await screens(session, filled)),
        await journal(stage, session),
        await workTakes(stage, session, filled),
        ...(await besidePlayers(stage, session, filled)),
      ])
    } finally {
      client.close()
    }
  },
  { hasConsole: true },
)

/** Enrols the demo's owner with two passkeys, and signs in. */
async function enter({ client: site }: Stage): Promise<{ session: Session; client: Client }> {
  const { text } = await site.call({ method: 'GET', path: '/api/v1/dev/console' })
  const { url, invites } = JSON.parse(text) as { url: string; invites: readonly { url: string }[] }
  const post = async (path: string, body: unknown = {}): Promise<Response> => {
    const headers = { origin: url, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/console/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const optionsOf = async (path: string): Promise<Record<string, unknown>> =>
    ((await (await post(path)).json()) as { options: Record<string, unknown> }).options
  await serving(url)
  const invite = `/invites/${invites[0]?.url.split('/').at(-1) ?? ''}`
  const key = new TestPasskey()
  for (const one of [key, new TestPasskey()])
    await post(invite, { response: one.register(await optionsOf(`${invite}/options`), url), label: 'Bench' })
  const signedIn = await post('/auth/sign-in', { response: key.sign(await optionsOf('/auth/options'), url) })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const { port, host } = new URL(url)
  const client = createClient(Number(port), 1)
  const get = async (path: string): Promise<Answer> => {
    const headers = { origin: url, host, cookie }
    const answer = await client.call({ method: 'GET', path: `/console/api/v1${path}`, headers })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
    return answer
  }
  return { session: { get }, client }
}

/** Waits until the console serves, which starts after the site. */
async function serving(url: string): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const answer = await fetch(`${url}/console/api/v1/site`).catch(() => null)
    if (answer?.ok === true) return
    await sleep(LOOK_MS)
  }
  throw new Error('the console does not serve')
}

/** A place among many, another one each time, the same in every run. */
function placeOf(repetition: number, many: number): number {
  return (repetition * 7_368_787 + 12_345) % many
}

async function screens(session: Session, filled: Filled): Promise<Figure[]> {
  const number = (repetition: number): number => 1 + placeOf(repetition, ORDERS)
  const player = (repetition: number): number => filled.firstPlayer + placeOf(repetition, PLAYERS)
  const batch = (repetition: number): number => filled.firstBatch + placeOf(repetition, filled.batches)
  const paths: readonly (readonly [title: string, path: (repetition: number) => string])[] = [
    ['overview', () => '/overview'],
    ['requests', () => '/requests'],
    ['payouts', () => '/payouts'],
    ['payouts, a late page', (nr) => `/payouts?_page=${1 + (nr % 10)}`],
    ['payouts/{batch}', (nr) => `/payouts/${batch(nr)}`],
    ['treasury', () => '/treasury'],
    ['players/{id}', (nr) => `/players/${player(nr)}`],
    ['orders/{id}', (nr) => `/orders/${idOf(`order ${number(nr)}`)}`],
    ['games', () => '/games'],
    ['games/{key}', () => `/games/${GAME}`],
    ['draws/{game}/{number}', (nr) => `/draws/${GAME}/${1 + (nr % 2)}`],
    ['settings', () => '/settings'],
    ['webhooks', () => '/webhooks'],
    ['api-keys', () => '/api-keys'],
    ['staff', () => '/staff'],
    ['audit', () => '/audit'],
    ['audit/verify', () => '/audit/verify'],
    ['health', () => '/health'],
  ]
  const searches: readonly (readonly [title: string, path: (repetition: number) => string])[] = [
    ['an email address', (nr) => `year.${1 + placeOf(nr, PLAYERS)}@example.org`],
    ['a username', (nr) => `year-${1 + placeOf(nr, PLAYERS)}`],
    ['an order', (nr) => idOf(`order ${number(nr)}`)],
    ['a play', (nr) => idOf(`play ${number(nr)}`)],
    ['an outpoint', (nr) => `${hashOf(`pays ${number(nr)}`)}:0`],
    ['a transaction', (nr) => hashOf(`pays ${number(nr)}`)],
    ['an address', (nr) => `year-${number(nr)}`],
    ['a batch', (nr) => `#${batch(nr)}`],
    ['a draw', (nr) => `${GAME} ${1 + (nr % 2)}`],
    ['nothing', (nr) => `nobody-${nr}`],
  ]
  const figures: Figure[] = []
  for (const [title, path] of paths) figures.push(await timed(session, `GET ${title}`, path, MOST_MS))
  for (const [title, text] of searches)
    figures.push(
      await timed(session, `search for ${title}`, (nr) => `/search?q=${encodeURIComponent(text(nr))}`, MOST_SEARCH_MS),
    )
  return figures
}

async function timed(
  session: Session,
  what: string,
  path: (repetition: number) => string,
  mostMs: number,
): Promise<Figure> {
  const took: number[] = []
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1)
    took.push((await session.get(path(repetition))).ms)
  const p95 = quantile(took, 0.95)
  return {
    id: 'console',
    what,
    figure: `p95 ${inMs(p95)}, median ${inMs(quantile(took, 0.5))}`,
    goal: `p95 ≤ ${mostMs} ms with ${whole(GOAL.orders)} orders, ${whole(GOAL.players)} players`,
    isMet: judged(p95 <= mostMs, Math.min(ORDERS, PLAYERS * 5), GOAL.orders),
  }
}

/** A month's journal or more, as it is downloaded, and the console's memory meanwhile. */
async function journal({ product, clock }: Stage, session: Session): Promise<Figure> {
  const pid = await childOf(product.pid, 'console-child-main')
  const part = Math.min(1, JOURNAL_POSTINGS / (ORDERS * POSTINGS_AN_ORDER))
  const [to, seconds] = [clock.now(), Math.floor(YEARS_SECONDS * part)]
  let [mostMiB, isDone] = [0, false]
  const watching = (async () => {
    for (; !isDone; await sleep(50)) mostMiB = Math.max(mostMiB, await memoryMiB(pid))
  })()
  const { ms, text } = await session.get(`/reports/journal?format=csv&from=${to - seconds}&to=${to}`)
  isDone = true
  await watching
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return {
    id: 'console',
    what: `journal of ${whole(lines - 1)} postings`,
    figure: `${(ms / 1000).toFixed(1)} s, ${Math.round(mostMiB)} MiB`,
    goal: `≤ ${MOST_JOURNAL_MS / 1000} s, ≤ ${MOST_JOURNAL_MIB} MiB for ${whole(JOURNAL_POSTINGS)}`,
    isMet: judged(ms <= MOST_JOURNAL_MS && mostMiB <= MOST_JOURNAL_MIB, lines, 0.9 * JOURNAL_POSTINGS),
  }
}

/** The process that another one started with a program (Linux). */
async function childOf(parent: number, program: string): Promise<number> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [stat, command] = await Promise.all(
      ['stat', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    )
    if (Number(/\) \w (\d+) /.exec(stat ?? '')?.[1]) === parent && command?.includes(program) === true)
      return Number(pid)
  }
  throw new Error(`${parent} started no ${program}`)
}

/**
 * The processor time that somebody at work takes: of the console's process, and of the sessions of its database role. What
 * players get beside it cannot fall by more, and the rates below vary by more than that from one pair to the next.
 */
async function workTakes(stage: Stage, session: Session, filled: Filled): Promise<Figure> {
  const pid = await childOf(stage.product.pid, 'console-child-main')
  const used = async (): Promise<number> => {
    const { rows } = await stage.db.query<{ pid: number }>(
      `select pid from pg_stat_activity where usename = 'fairball_console'`,
    )
    const times = await Promise.all([pid, ...rows.map((row) => row.pid)].map(processorMs))
    return times.reduce((sum, ms) => sum + ms, 0)
  }
  await untilChecked(stage)
  const work = atWork(session, pagesOf(filled))
  await sleep(PAGE_EVERY_MS) // its sessions are open then
  const [before, sinceMs] = [await used(), performance.now()]
  await sleep(WORK_MS)
  const share = ((await used()) - before) / (performance.now() - sinceMs) / availableParallelism()
  await work.stop()
  return {
    id: 'console',
    what: 'processor time of the console in use',
    figure: `${(share * 100).toFixed(2)}% of ${availableParallelism()} cores`,
    goal: `≤ ${Math.round((1 - LEAST_KEPT) * 100)}%`,
    isMet: share <= 1 - LEAST_KEPT,
  }
}

/** The pages that somebody at work opens in turn. */
function pagesOf(filled: Filled): string[] {
  return ['/overview', '/payouts', `/players/${filled.firstPlayer}`, '/health', '/search?q=year-1']
}

/** What players get while somebody opens a page of the console every few seconds, against what they get otherwise. */
async function besidePlayers(stage: Stage, session: Session, filled: Filled): Promise<Figure[]> {
  const players = await signIn(stage, await seedPlayers(stage, BUYERS))
  const pages = pagesOf(filled)
  const figures: Figure[] = []
  for (const { id, what, rate } of await loadsOf(stage, players)) {
    const rates: { alone: number[]; beside: number[] } = { alone: [], beside: [] }
    for (let round = 0; round < 2 * PAIRS; round += 1) {
      await untilChecked(stage)
      // Without, with, with, without: what grows during the run counts on both sides.
      const isBeside = round % 4 === 1 || round % 4 === 2
      const work = isBeside ? atWork(session, pages) : null
      rates[isBeside ? 'beside' : 'alone'].push(await rate())
      await work?.stop()
    }
    const ratio = quantile(
      rates.beside.map((beside, round) => beside / (rates.alone[round] ?? 0)),
      0.5,
    )
    figures.push({
      id,
      what: `${what}, with the console in use`,
      figure: perSecond(quantile(rates.beside, 0.5)),
      baseline: `without: ${perSecond(quantile(rates.alone, 0.5))}`,
      ratio,
      goal: `≥ ${LEAST_KEPT}`,
      isMet: ratio >= LEAST_KEPT,
    })
  }
  return figures
}

/** What players do: each load is measured once by its `rate`, in answers or orders a second. */
async function loadsOf(stage: Stage, players: Awaited<ReturnType<typeof signIn>>) {
  const { db, clock } = stage
  const { port } = stage.product
  const answers = async (next: () => Buffer, expected = 200, seconds = SECONDS): Promise<number> => {
    const isGood = (status: number): boolean => status === expected
    const result = await closedLoop({ port, connections: CONNECTIONS, seconds, warmUpSeconds: 1, isGood, next })
    if (result.errors.size > 0) process.stdout.write(`failed: ${result.firstError}\n`)
    return result.perSecond
  }
  const games = inTurn([requestBytes({ path: '/api/v1/games', headers: AS_BROWSERS })])
  const plays = inTurn(
    players.map((one) => requestBytes({ path: `/api/v1/games/${GAME}/plays`, headers: headersOf(one) })),
  )
  const nextPlayer = inTurn(players)
  const order = { gameKey: GAME, days: [2, 5], lines: 3 }
  const draws = await nextDraws(stage, GAME)
  const playerIds = players.map(({ id }) => id)
  const paying = async (): Promise<number> => {
    const unpaid = { orders: PAID_A_ROUND, lines: 3, draws, playerIds, at: clock.now() }
    const ids = await writeOpenOrders(db, unpaid)
    const startMs = performance.now()
    await payOrders(db, ids, clock.now())
    for (;;) {
      const { rowCount } = await db.query(`select from orders where id = any($1) and status <> 'PAID' limit 1`, [ids])
      if (rowCount === 0) return (ids.length * 1000) / (performance.now() - startMs)
      await sleep(LOOK_MS / 10)
    }
  }
  return [
    { id: 'L1', what: 'GET /games', rate: () => answers(games) },
    { id: 'L2', what: 'GET /games/{key}/plays, signed in', rate: () => answers(plays) },
    {
      id: 'L3',
      what: 'POST /payment',
      rate: () => answers(() => orderBytes(nextPlayer(), order), 201, Math.min(SECONDS, MOST_ORDER_SECONDS)),
    },
    { id: 'L4', what: 'payment confirmed → PAID', rate: paying },
  ]
}

/** Waits until no check of invariants is in progress: those after so many new orders take minutes. */
async function untilChecked({ db }: Stage): Promise<void> {
  for (;;) {
    const { rows } = await db.query<{ is_checking: boolean }>(
      `select exists (select from pg_stat_activity where state = 'active' and query like '%'' as invariant, what from%'
         and pid <> pg_backend_pid()) or exists (select from invariant_passes where step is not null) as is_checking`,
    )
    if (rows[0]?.is_checking === false) return
    await sleep(LOOK_MS)
  }
}

/** Opens one page after the other, until it is stopped. */
function atWork(session: Session, pages: readonly string[]): { stop(): Promise<void> } {
  const ended = new AbortController()
  const nextPage = inTurn(pages)
  const working = (async () => {
    while (!ended.signal.aborted) {
      await session.get(nextPage())
      await sleep(PAGE_EVERY_MS, undefined, { signal: ended.signal }).catch(() => undefined)
    }
  })()
  return {
    async stop() {
      ended.abort()
      await working
    },
  }
}

/** The ids that `fillYears` gives. */
function idOf(text: string): string {
  const hex = createHash('md5').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
