// Measures what anonymous callers can cost: the CPU time of one large body in each shape; the slowdown for everyone
// else, relative to idle, when eight connections send such bodies without a pause; the share of a core for 200 unknown
// paths a second; and the time until silent connections are closed.
// Run: node trials/bench/strangers.ts [--seconds=20]
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { type Figure, inMs, report } from './load/figures.ts'
import { countOf } from './load/flags.ts'
import { processorMs } from './load/process.ts'
import { type Client, createClient, quantile, startProduct } from '../product.ts'

const SECONDS = countOf('seconds', 20)
const CONNECTIONS = 8
const MIB = 2 ** 20
/** Limit for the CPU time of one body, in ms. */
const LIMIT_MS = 40
/** Limit for the p99 under load, as a multiple of the idle p99. */
const LIMIT_RATIO = 3
const ROUNDS = 20
const PATHS_A_SECOND = 200
const SILENT_SOCKETS = 3000

/** A list that repeats one part, in the given number of bytes. */
const listOf = (part: string, bytes: number): string =>
  `[${Array.from({ length: Math.floor(bytes / (part.length + 1)) - 1 }, () => part).join()}]`

/** Address, description and text of each body: over a limit, or the largest that the address reads. */
const BODIES: readonly (readonly [path: string, what: string, text: string])[] = [
  ['/api/v1/auth/login', '1 MiB of [0,0,…]', listOf('0', MIB)],
  ['/api/v1/auth/login', '1 MiB of [{},{},…]', listOf('{}', MIB)],
  ['/api/v1/auth/login', '16 KiB of [{},{},…]', listOf('{}', 16 * 1024)],
  ['/api/v1/games/treasure/check-numbers', '256 KiB of lists', `{"lines":${listOf('[]', 255 * 1024)}}`],
  ['/api/v1/contact', '800 KiB of [0,0,…]', listOf('0', 800 * 1024)],
  ['/api/v1/contact', '800 KiB of members', `{${membersOf(799 * 1024)}}`],
  ['/api/v1/contact', '800 KiB of members of 40 letters', `{${membersOf(799 * 1024, 40)}}`],
  ['/api/v1/contact', '800 KiB of one text', `"${'\\u0041'.repeat(133 * 1024)}"`],
]

function membersOf(bytes: number, letters = 1): string {
  const members: string[] = []
  for (let length = 0; length < bytes; length += (members.at(-1)?.length ?? 0) + 1)
    members.push(`"${members.length.toString(36).padStart(letters, 'k')}":0`)
  return members.slice(0, -1).join()
}

if (isMainThread) await main()
else await flood(workerData as { port: number; seconds: number; path: string; text: string })

async function main(): Promise<void> {
  const product = await startProduct()
  const client = createClient(product.port, 4)
  try {
    await gamesMs(client, 3) // warms up
    const figures: Figure[] = []
    for (const [path, what, text] of BODIES) {
      const before = await processorMs(product.pid)
      for (let round = 0; round < ROUNDS; round += 1) await send(product.port, path, text)
      const ms = ((await processorMs(product.pid)) - before) / ROUNDS
      figures.push({
        id: 'S1',
        what: `processor time of ${what} to ${path}`,
        figure: inMs(ms),
        goal: `≤ ${LIMIT_MS} ms`,
        isMet: ms <= LIMIT_MS,
      })
    }
    const idle = await gamesMs(client, SECONDS)
    for (const [path, what, text] of BODIES) {
      const flooded = floodElsewhere(product.port, path, text)
      const busy = await gamesMs(client, SECONDS)
      const [idleMs, busyMs] = [quantile(idle, 0.99), quantile(busy, 0.99)]
      figures.push({
        id: 'S1',
        what: `GET /games beside ${CONNECTIONS} connections with ${what} to ${path} (${await flooded} bodies)`,
        figure: `p99 ${inMs(busyMs)}, p50 ${inMs(quantile(busy, 0.5))}`,
        baseline: `idle p99 ${inMs(idleMs)}`,
        ratio: busyMs / idleMs,
        goal: `p99 ≤ ${LIMIT_RATIO} × idle`,
        isMet: busyMs <= LIMIT_RATIO * idleMs,
      })
    }
    figures.push(await unknownPaths(product.pid, client), await silentSockets(product.port))
    report(figures)
  } finally {
    client.close()
    await product.stop()
  }
}

/** Requests 200 paths a second that no page has. */
async function unknownPaths(pid: number, client: Client): Promise<Figure> {
  const before = await processorMs(pid)
  const sinceMs = performance.now()
  const asked: Promise<unknown>[] = []
  for (let index = 0; index < SECONDS * PATHS_A_SECOND; index += 1) {
    const waitMs = sinceMs + (index * 1000) / PATHS_A_SECOND - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    asked.push(client.call({ method: 'GET', path: `/no/such/page/${index}`, headers: { 'accept-encoding': 'br' } }))
  }
  await Promise.all(asked)
  const cores = ((await processorMs(pid)) - before) / (performance.now() - sinceMs)
  return {
    id: 'S4',
    what: `${PATHS_A_SECOND} unknown paths a second`,
    figure: `${cores.toFixed(2)} cores, ${inMs((cores * 1000) / PATHS_A_SECOND)} each`,
    goal: '≤ half a core',
    isMet: cores <= 0.5,
  }
}

/** Opens silent connections, and waits until the product has closed them. */
async function silentSockets(port: number): Promise<Figure> {
  const sinceMs = performance.now()
  const closed = Array.from({ length: SILENT_SOCKETS }, () => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('error', () => undefined).resume()
    return once(socket, 'close')
  })
  await Promise.all(closed)
  const seconds = (performance.now() - sinceMs) / 1000
  return {
    id: 'S4',
    what: `${SILENT_SOCKETS} connections that say nothing are gone`,
    figure: `after ${seconds.toFixed(1)} s`,
    goal: '≤ 15 s',
    isMet: seconds <= 15,
  }
}

/** The response times of GET /games, twenty a second. */
async function gamesMs(client: Client, seconds: number): Promise<number[]> {
  const times: number[] = []
  for (const endsAt = performance.now() + seconds * 1000; performance.now() < endsAt;) {
    const { ms } = await client.call({ method: 'GET', path: '/api/v1/games' })
    times.push(ms)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return times
}

/** Floods from a separate thread, so that it does not distort the other timings. @returns the bodies sent */
async function floodElsewhere(port: number, path: string, text: string): Promise<number> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { port, seconds: SECONDS, path, text } })
  return await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

async function flood({ port, seconds, path, text }: { port: number; seconds: number; path: string; text: string }) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const endsAt = performance.now() + seconds * 1000
  let sent = 0
  const one = async (): Promise<void> => {
    for (; performance.now() < endsAt; sent += 1) await send(port, path, text, agent)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, one))
  agent.destroy()
  parentPort?.postMessage(sent)
}

/** Sends a body. Any status counts as an answer, and so does a closed connection. */
function send(port: number, path: string, text: string, agent?: Agent): Promise<void> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  return new Promise((resolve) => {
    const options = {
      host: '127.0.0.1',
      port,
      method: 'POST',
      path,
      headers,
      ...(agent === undefined ? {} : { agent }),
    }
    const sent = request(options, (response) => response.resume().on('close', resolve))
    sent.on('error', () => resolve())
    sent.end(text)
  })
}
