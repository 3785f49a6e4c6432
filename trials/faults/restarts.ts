// The database is stopped hard (`-m immediate`) under load and started again. Meanwhile every answer is 503 in the
// exact error shape, or comes from memory, and none hangs. Afterwards the same processes serve again within ten
// seconds. With `--careless` the database confirms commits before they are on disk: then the trial must find a loss, or
// it proves nothing.
// Run: node trials/faults/restarts.ts [--count N | --full] [--careless]
import { randomInt, randomUUID } from 'node:crypto'
import { addressOf, type Answer, type Call, createClient, register } from '../product.ts'
import { type DatabaseServer, look, pause } from './database.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { countOf, problemsAtTheEnd, problemsNow, report, seenBy, tell, times } from './outcome.ts'
import { orderBody, problemOf, startCrowd } from './players.ts'
import { countOf as promised, noPromises } from './promises.ts'

const PLAYERS = 6
const LATEST_MS = 2_500
/** Longest time the database is down, in ms. */
const AWAY_MS = 4_000
/** Time after the database's return by which the processes must serve again, in ms. */
const BACK_MS = 10_000
/** Limit for an answer, in ms: longer than the wait for a connection, and shorter than a user's patience. */
const LONGEST_ANSWER_MS = 6_000
const PROBE_MS = 50

/** A probe that is repeated, and must be 503 while the database is down. */
const READINESS: Call = { method: 'GET', path: '/readyz' }

const count = countOf(10, 50)
const problems: string[] = []
const promises = noPromises()
const cluster = await startCluster({
  roles: ['web', 'worker'],
  ...(process.argv.includes('--careless') ? { prepare: answerTooEarly } : {}),
})
const { server } = cluster
try {
  if (server === null) throw new Error('this cluster has no separate database')
  const [port = 0] = cluster.webPorts
  const prober = createClient(port, 32)
  const crowd = startCrowd({ ports: cluster.webPorts, promises, players: PLAYERS })
  const back: number[] = []
  const workersBack: number[] = []
  const answered = { unavailable: 0, fromMemory: 0, slowestMs: 0 }
  for (let restart = 1; restart <= count; restart += 1) {
    await pause(randomInt(LATEST_MS))
    const { access } = await register(prober, `prober.${restart}@example.org`, addressOf(10_000 + restart))
    await server.crash()
    problems.push(...(await probeWhileAway(access)))
    await server.start()
    const upAt = performance.now()
    back.push(await backAfter(`restart ${restart}`, access, upAt))
    workersBack.push(await workerBackAfter(cluster, upAt))
    const now = await problemsNow(cluster, promises)
    problems.push(...now.map((what) => `restart ${restart}: ${what}`))
    if (restart % 10 === 0) tell(`${restart} restarts, ${promised(promises)} promises, ${problems.length} lost`)
  }
  prober.close()
  const end = await problemsAtTheEnd(cluster, crowd, promises)
  problems.push(...end.problems)
  report(
    [
      {
        fault: 'F3 database stopped with `-m immediate`',
        tried: `${count} restarts`,
        held: end.held,
        lost: problems.length,
        recovery: `an order taken: ${times(back)}; a worker ready: ${times(workersBack)}`,
        notes: `while away ${answered.unavailable} × 503 and ${answered.fromMemory} answers from memory, the slowest after ${Math.round(answered.slowestMs)} ms; ${seenBy(crowd)}`,
      },
    ],
    problems,
  )

  /** Sends requests continuously while the database is down. @returns answers that must not happen */
  async function probeWhileAway(bearer: string): Promise<string[]> {
    const wrong: string[] = []
    const untilMs = performance.now() + randomInt(200, AWAY_MS)
    const asked: Promise<void>[] = []
    const order = (): Call => orderCall(bearer)
    const reading = (path: string): Call => ({ method: 'GET', path, bearer })
    while (performance.now() < untilMs) {
      const probes = [
        { call: order(), mayBeKnown: false },
        { call: reading('/api/v1/profile'), mayBeKnown: false },
        { call: { method: 'GET', path: '/api/v1/games' } as const, mayBeKnown: true },
        { call: READINESS, mayBeKnown: false },
      ]
      asked.push(
        ...probes.map(async (probe) => {
          const problem = judged(await prober.call(probe.call), probe.mayBeKnown)
          if (problem !== null) wrong.push(`without a database ${probe.call.method} ${probe.call.path}: ${problem}`)
        }),
      )
      await pause(PROBE_MS)
    }
    // The database may be back before the last answers. The requests were sent while it was down, so they are awaited
    // here.
    await Promise.all(asked)
    return [...new Set(wrong)]
  }

  function judged(answer: Answer, mayBeKnown: boolean): string | null {
    answered.slowestMs = Math.max(answered.slowestMs, answer.ms)
    if (answer.ms > LONGEST_ANSWER_MS) return `took ${Math.round(answer.ms)} ms`
    if (answer.status === 200 && mayBeKnown) {
      answered.fromMemory += 1
      return null
    }
    // A ten-minute token is checked without the database, and the clock may just have jumped.
    if (answer.status === 401) return problemOf(answer)
    if (answer.status !== 503) return `answered ${answer.status}: ${answer.text.slice(0, 200)}`
    answered.unavailable += 1
    return problemOf(answer)
  }

  /** Waits until an order is accepted again. */
  async function backAfter(title: string, bearer: string, upAt: number): Promise<number> {
    for (;;) {
      const { status, text } = await prober.call(orderCall(bearer))
      const ms = performance.now() - upAt
      // Another game may be closed for a moment, or the clock may have ended the session: that is an answer too.
      if (status < 500) {
        if (ms > BACK_MS) problems.push(`${title}: back after ${Math.round(ms)} ms`)
        return ms
      }
      if (ms > 3 * BACK_MS) {
        problems.push(`${title}: not back after ${Math.round(ms)} ms: ${status} ${text.slice(0, 200)}`)
        return ms
      }
      await pause(PROBE_MS)
    }
  }

  /** Waits until the worker reports that it is ready. */
  async function workerBackAfter({ members }: Cluster, upAt: number): Promise<number> {
    const worker = members.find(({ role }) => role === 'worker')
    const client = createClient(worker?.monitorPort ?? 0, 2)
    try {
      while ((await client.call(READINESS)).status !== 200) {
        if (performance.now() - upAt > BACK_MS) {
          problems.push(`the worker was not ready ${BACK_MS / 1000} s after the database`)
          break
        }
        await pause(PROBE_MS)
      }
      return performance.now() - upAt
    } finally {
      client.close()
    }
  }
} finally {
  await cluster.close()
}

async function answerTooEarly({ url }: DatabaseServer): Promise<void> {
  await look(url, (client) => client.query('alter database fairball set synchronous_commit = off'))
}

function orderCall(bearer: string): Call {
  const headers = { 'idempotency-key': randomUUID() }
  return { method: 'POST', path: '/api/v1/payment', body: orderBody(), bearer, headers }
}
