// The machine of the primary dies under load, again and again, and its standby takes over: two PostgreSQL servers under
// Patroni, as in deploy/patroni. The standby hears nothing for a moment before, as over a bad line. Everything that was
// acknowledged is there afterwards, orders are taken again within thirty seconds, and the log has no fork. With
// `--careless` commits are acknowledged before the standby has them: then the trial must find a loss, or it proves
// nothing.
// Run: node trials/faults/standby.ts [--count N | --full] [--careless]
import { randomInt, randomUUID } from 'node:crypto'
import { missingForPatroni, startPatroniPair } from '../patroni.ts'
import { addressOf, createClient, register } from '../product.ts'
import { startCluster } from './cluster.ts'
import { pause } from './database.ts'
import { countOf, problemsAtTheEnd, problemsNow, report, seenBy, tell, times } from './outcome.ts'
import { orderBody, startCrowd } from './players.ts'
import { countOf as promised, noPromises } from './promises.ts'

const PLAYERS = 6
const LATEST_MS = 4_000
/** Longest time for which the standby hears nothing before the primary dies, in ms. */
const SILENCE_MS = 1_500
/** Time after the primary's death by which orders are taken again, in ms. */
const BACK_MS = 30_000
const PROBE_MS = 50

const missing = missingForPatroni()
if (missing !== null) throw new Error(missing)
const isCareless = process.argv.includes('--careless')
const count = countOf(3, 20)
const problems: string[] = []
const promises = noPromises()
const pair = await startPatroniPair(isCareless)
try {
  const cluster = await startCluster({ roles: ['web', 'worker'], databaseUrl: pair.url })
  try {
    const [port = 0] = cluster.webPorts
    const prober = createClient(port, 4)
    const crowd = startCrowd({ ports: cluster.webPorts, promises, players: PLAYERS })
    const back: number[] = []
    for (let failover = 1; failover <= count; failover += 1) {
      await pause(randomInt(LATEST_MS))
      const { access } = await register(prober, `prober.${failover}@example.org`, addressOf(10_000 + failover))
      const goOn = pair.holdStandby()
      await pause(randomInt(SILENCE_MS))
      const dead = pair.killPrimary()
      const diedAt = performance.now()
      goOn()
      back.push(await backAfter(`failover ${failover}`, access, diedAt))
      pair.start(dead)
      await pair.ready()
      const now = await problemsNow(cluster, promises)
      problems.push(...now.map((what) => `failover ${failover}: ${what}`))
      tell(`${failover} failovers, ${promised(promises)} promises, ${problems.length} lost`)
    }
    prober.close()
    const end = await problemsAtTheEnd(cluster, crowd, promises)
    problems.push(...end.problems)
    report(
      [
        {
          fault: 'the machine of the primary died, its standby took over',
          tried: `${count} failovers`,
          held: end.held,
          lost: problems.length,
          recovery: `an order taken: ${times(back)}`,
          notes: seenBy(crowd),
        },
      ],
      problems,
    )

    /** Waits until an order is accepted or refused with a reason. @returns the time since the death, in ms */
    async function backAfter(title: string, bearer: string, diedAt: number): Promise<number> {
      for (;;) {
        const headers = { 'idempotency-key': randomUUID() }
        const order = { method: 'POST', path: '/api/v1/payment', body: orderBody(), bearer, headers } as const
        const { status, text } = await prober.call(order)
        const ms = performance.now() - diedAt
        if (status < 500 || ms > 3 * BACK_MS) {
          if (ms > BACK_MS) problems.push(`${title}: ${status} after ${Math.round(ms)} ms: ${text.slice(0, 200)}`)
          return ms
        }
        await pause(PROBE_MS)
      }
    }
  } finally {
    await cluster.close()
  }
} finally {
  await pair.stop()
}
