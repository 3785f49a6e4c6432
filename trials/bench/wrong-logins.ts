// Measures what 200 wrong logins a second from 50 addresses do to everyone else: the p99 of other calls under load,
// relative to idle; the memory before, after and at its peak; and the number of passwords hashed at once.
// Run: node trials/bench/wrong-logins.ts [seconds]
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { type Figure, inMs, report } from './load/figures.ts'
import { countOf } from './load/flags.ts'
import {
  addressOf,
  busyWorkers,
  type Call,
  createClient,
  memoryMiB,
  quantile,
  register,
  startProduct,
} from '../product.ts'

const SECONDS = countOf('seconds', 60)
const LOGINS_A_SECOND = 200
const ADDRESSES = 50
/** Accounts under attack; half of them exist. */
const ACCOUNTS = 100
/** Measured calls of each kind a second. */
const PROBES_A_SECOND = 20
/** Limit for the p99 under load, as a multiple of the idle p99. */
const LIMIT_RATIO = 3
/** Limit for passwords hashed at once: each takes 19 MiB and a core. */
const MAX_AT_ONCE = 2
const SAMPLE_MS = 25

if (isMainThread) await main()
else await flood(workerData as { port: number; seconds: number })

async function main(): Promise<void> {
  const product = await startProduct()
  const client = createClient(product.port, 16)
  try {
    for (let index = 0; index < ACCOUNTS / 2; index += 1) await register(client, emailOf(index), addressOf(index))
    const { access } = await register(client, 'bystander@example.org', '10.9.9.9')
    const probes: Record<string, Call> = {
      'GET /api/v1/games': { method: 'GET', path: '/api/v1/games', from: '10.9.9.9' },
      'GET /healthz': { method: 'GET', path: '/healthz', from: '10.9.9.9' },
      'GET /api/v1/profile, signed in': { method: 'GET', path: '/api/v1/profile', bearer: access, from: '10.9.9.9' },
    }
    await probe(client, probes, 5) // warms up
    const before = await memoryMiB(product.pid)
    const idle = await probe(client, probes, Math.min(SECONDS, 30))

    const flooded = floodElsewhere(product.port, SECONDS)
    const watched = watch(product.pid, SECONDS)
    const busy = await probe(client, probes, SECONDS)
    const counts = await flooded
    const most = await watched
    await new Promise((resolve) => setTimeout(resolve, 5000))
    const after = await memoryMiB(product.pid)

    report([
      ...Object.keys(probes).map((name) => figureOf(name, idle.get(name) ?? [], busy.get(name) ?? [])),
      {
        id: 'L8',
        what: 'passwords hashed at once',
        figure: `${most.workers} at most`,
        goal: `≤ ${MAX_AT_ONCE}`,
        // None at all would mean that the sampling does not work.
        isMet: most.workers > 0 && most.workers <= MAX_AT_ONCE,
      },
      {
        id: 'L8',
        what: 'memory after the flood, compared with before',
        figure: `${after.toFixed(0)} MiB, ${most.memory.toFixed(0)} MiB at most`,
        baseline: `${before.toFixed(0)} MiB`,
        ratio: after / before,
        goal: 'flat',
        isMet: null,
      },
    ])
    process.stdout.write(`
${LOGINS_A_SECOND} wrong logins a second from ${ADDRESSES} addresses for ${SECONDS} s: ${Object.entries(counts)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ')}.
`)
  } finally {
    client.close()
    await product.stop()
  }
}

function emailOf(index: number): string {
  return `tried.${index}@example.org`
}

/** Measures each call in turn, at a fixed pace however long the answers take. */
async function probe(client: ReturnType<typeof createClient>, probes: Record<string, Call>, seconds: number) {
  const times = new Map<string, number[]>(Object.keys(probes).map((name) => [name, []]))
  await atPace(seconds, PROBES_A_SECOND, async () => {
    for (const [name, call] of Object.entries(probes)) {
      const answer = await client.call(call)
      if (answer.status !== 200) throw new Error(`${name} answered ${answer.status}: ${answer.text}`)
      times.get(name)?.push(answer.ms)
    }
  })
  return times
}

/** Starts `work` at a fixed rate, without waiting for earlier calls, and ends when all calls have ended. */
async function atPace(seconds: number, timesASecond: number, work: (index: number) => Promise<void>): Promise<void> {
  const startedAt = performance.now()
  const pending: Promise<void>[] = []
  for (let index = 0; index < seconds * timesASecond; index += 1) {
    const waitMs = startedAt + (index * 1000) / timesASecond - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    pending.push(work(index))
  }
  await Promise.all(pending)
}

/** Floods from a separate thread, so that it does not distort the other timings. */
async function floodElsewhere(port: number, seconds: number): Promise<Record<string, number>> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { port, seconds } })
  return await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

async function flood({ port, seconds }: { port: number; seconds: number }): Promise<void> {
  const client = createClient(port, 256)
  const counts: Record<string, number> = {}
  await atPace(seconds, LOGINS_A_SECOND, async (index) => {
    const body = { email_or_username: emailOf(index % ACCOUNTS), password: `Wrong-Horse-${index}` }
    const from = addressOf((2 << 16) + (index % ADDRESSES))
    const { status } = await client.call({ method: 'POST', path: '/api/v1/auth/login', body, from })
    counts[status] = (counts[status] ?? 0) + 1
  })
  client.close()
  parentPort?.postMessage(counts)
}

async function watch(pid: number, seconds: number): Promise<{ memory: number; workers: number }> {
  const most = { memory: 0, workers: 0 }
  const endsAt = performance.now() + seconds * 1000
  while (performance.now() < endsAt) {
    most.memory = Math.max(most.memory, await memoryMiB(pid))
    most.workers = Math.max(most.workers, await busyWorkers(pid))
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS))
  }
  return most
}

function figureOf(name: string, idle: readonly number[], busy: readonly number[]): Figure {
  const [idleMs, busyMs] = [quantile(idle, 0.99), quantile(busy, 0.99)]
  return {
    id: 'L8',
    what: `${name}, beside ${LOGINS_A_SECOND} wrong logins a second for ${SECONDS} s`,
    figure: `p99 ${inMs(busyMs)}, p50 ${inMs(quantile(busy, 0.5))}`,
    baseline: `idle p99 ${inMs(idleMs)}`,
    ratio: busyMs / idleMs,
    goal: `p99 ≤ ${LIMIT_RATIO} × idle`,
    isMet: busyMs <= LIMIT_RATIO * idleMs,
  }
}
