// The database is stopped hard (`-m immediate`) under load and started again. Meanwhile every answer is 503 in the exact shape
// of an error, or comes from what the process still knows, and none hangs; afterwards the same processes serve again within
// ten seconds. With `--careless` the database says yes before it has written anything down: then something has to be found lost, or
// this looks for nothing. Run: node trials/faults/restarts.ts [--count N | --full] [--careless]
import { randomInt, randomUUID } from 'node:crypto'
import { addressOf, type Answer, type Call, createClient, register } from '../product.ts'
import { type DatabaseServer, look, pause } from './database.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { countOf, problemsAtTheEnd, problemsNow, report, seenBy, tell, times } from './outcome.ts'
import { orderBody, problemOf, startCrowd } from './players.ts'
import { countOf as promised, noPromises } from './promises.ts'

const PLAYERS = 6
const LATEST_MS = 2_500
/** The longest time the database is away. */
const AWAY_MS = 4_000
/** Time after the database's return by which the processes have to be back. */
const BACK_MS = 10_000
/** Longer than a connection is waited for, and shorter than anybody waits. */
const LONGEST_ANSWER_MS = 6_000
const PROBE_MS = 50

/** What is asked all the time; what has to be 503 while there is no database. */
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
  if (server === null) throw new Error('this cluster has no database that stands apart')
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

  /** Asks without pause while there is no database. @returns what must not have been answered */
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
    // The last ones may be answered by a database that is back: they were asked while it was away, so they are waited for here.
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
    // A token of ten minutes is looked at without the database, and the clock may just have jumped.
    if (answer.status === 401) return problemOf(answer)
    if (answer.status !== 503) return `answered ${answer.status}: ${answer.text.slice(0, 200)}`
    answered.unavailable += 1
    return problemOf(answer)
  }

  /** Until an order is taken again. */
  async function backAfter(title: string, bearer: string, upAt: number): Promise<number> {
    for (;;) {
      const { status, text } = await prober.call(orderCall(bearer))
      const ms = performance.now() - upAt
      // Another game may be closed for a moment, or the session may have ended with the clock: that is an answer too.
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

  /** Until the worker says that it can do its work. */
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
