// G1 and G2 of the goals: what the pages cost that visitors share.
import { request } from 'node:http'
import { freePort } from '@fairball/server/testing/fixtures'
import { hasNginx, startNginx } from '../../nginx.ts'
import { addressOf } from '../../product.ts'
import { type Baselines, CONNECTIONS } from './baselines.ts'
import { type Figure, inMs, perSecond } from './figures.ts'
import { closedLoop, requestBytes } from './http-load.ts'
import { processorMs } from './process.ts'
import type { Stage } from './stage.ts'

const AS_BROWSERS = { 'accept-encoding': 'gzip, deflate, br' }
const LEAST_RATIO = 0.3
const MOST_RENDER_MS = 8
const MOST_UNKNOWN_MS = 1
const LEAST_BEHIND_NGINX = 20_000
const RENDERED = 200
const UNKNOWN = 2000

interface PageLoad {
  readonly gameKey: string
  readonly seconds: number
}

/** Measures pages as visitors ask for them, each beside a bare route that sends the same bytes. */
export async function pageFigures(stage: Stage, baselines: Baselines, load: PageLoad): Promise<Figure[]> {
  const { port } = stage.product
  const game = `/game/${load.gameKey}`
  const figures: Figure[] = []
  for (const path of ['/', game, `${game}/draws`, `${game}/draw/1`, '/winners-and-good-causes', '/how-to-claim']) {
    const { coding, body } = await fetched(port, path)
    await baselines.keep(body, coding)
    const before = await baselines.measure('kept', load.seconds)
    const result = await closedLoop({ ...loadOf(port, path), seconds: load.seconds })
    const after = await baselines.measure('kept', load.seconds)
    const baseline = (before.perSecond + after.perSecond) / 2
    const ratio = result.perSecond / baseline
    figures.push({
      id: 'G1',
      what: `GET ${path}, from the process's own cache`,
      figure: `${perSecond(result.perSecond)}, p99 ${inMs(result.latencies.quantile(0.99))}, ${result.errors.size} kinds of errors`,
      baseline: `A, ${body.length.toLocaleString('en')} bytes of ${coding}: ${perSecond(baseline)}`,
      ratio,
      goal: `≥ ${LEAST_RATIO.toFixed(2)} A`,
      isMet: ratio >= LEAST_RATIO && result.errors.size === 0,
    })
  }
  // A way back belongs to one visitor, so the page is rendered each time; each comes from an address of its own.
  const home = await costMs(stage, RENDERED, (nr) => `/?path=/terms/${nr}`)
  const unknown = await costMs(stage, UNKNOWN, (nr) => `/no/such/page/${nr}`)
  figures.push(
    cost('a fresh rendering of home', home, MOST_RENDER_MS),
    cost('an unknown address', unknown, MOST_UNKNOWN_MS),
    ...(await behindNginx(port, load)),
  )
  return figures
}

function cost(what: string, ms: number, most: number): Figure {
  return { id: 'G1', what: `CPU of ${what}`, figure: inMs(ms), goal: `≤ ${most} ms`, isMet: ms <= most }
}

function loadOf(port: number, path: string) {
  const bytes = requestBytes({ path, headers: AS_BROWSERS })
  return { port, connections: CONNECTIONS, next: () => bytes }
}

/** Home behind nginx with the project's configuration, and how much of it reached the product. */
async function behindNginx(port: number, { seconds }: PageLoad): Promise<Figure[]> {
  if (!hasNginx()) {
    process.stdout.write('nginx is not installed, so G2 is left out\n')
    return []
  }
  const listenPort = await freePort()
  const nginx = await startNginx({ listenPort, servers: [`server 127.0.0.1:${port};`] })
  try {
    const before = await pagesAnswered(port)
    const startedAt = performance.now()
    const result = await closedLoop({ ...loadOf(listenPort, '/'), seconds })
    const asked = ((await pagesAnswered(port)) - before) / ((performance.now() - startedAt) / 1000)
    const isMet = result.perSecond >= LEAST_BEHIND_NGINX && asked <= 1 && result.errors.size === 0
    return [
      {
        id: 'G2',
        what: 'GET / behind nginx',
        figure: `${perSecond(result.perSecond)}, p99 ${inMs(result.latencies.quantile(0.99))}; the product saw ${asked.toFixed(2)}/s`,
        goal: `≥ ${perSecond(LEAST_BEHIND_NGINX)}, of which the product sees ≤ 1/s`,
        isMet,
      },
    ]
  } finally {
    await nginx.stop()
  }
}

/** CPU time of the product for one request, from a different network address each. */
async function costMs({ client, product }: Stage, count: number, pathOf: (nr: number) => string): Promise<number> {
  const before = await processorMs(product.pid)
  for (let nr = 0; nr < count; nr += 1)
    await client.call({ method: 'GET', path: pathOf(nr), from: addressOf(nr), headers: AS_BROWSERS })
  return ((await processorMs(product.pid)) - before) / count
}

/** How many requests for pages the product has answered, by its own measurements. */
async function pagesAnswered(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const lines = text.split('\n').filter((line) => /^fairball_http_requests_total\{.*route="\/\*"/u.test(line))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

/** An answer as it is sent, still compressed. */
function fetched(port: number, path: string): Promise<{ coding: string; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers: AS_BROWSERS }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
      response.on('end', () =>
        resolve({ coding: response.headers['content-encoding'] ?? '', body: Buffer.concat(chunks) }),
      )
    })
    sent.on('error', reject).end()
  })
}
