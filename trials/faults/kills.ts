// The real process is killed (`kill -9`) at random moments under load and started again. Half of the runs use one
// process with an embedded database, which goes down with it. The other half use a web process and a worker on one
// database, and kill one or both. After each kill everything acknowledged must be there, and every invariant must hold.
// After a quiet phase everything must be final.
// Run: node trials/faults/kills.ts [--count N | --full]
import { randomInt } from 'node:crypto'
import { pause } from './database.ts'
import { startCluster, type ClusterSettings } from './cluster.ts'
import {
  countOf,
  letTimePass,
  problemsAtTheEnd,
  problemsNow,
  reached,
  report,
  type Row,
  secondsToNextDrawWork,
  seenBy,
  tell,
  times,
} from './outcome.ts'
import { startCrowd } from './players.ts'
import { countOf as promised, noPromises } from './promises.ts'

const PLAYERS = 6
/** Longest time between the last check and a kill, in ms. */
const LATEST_MS = 2_500

const count = countOf(20, 200)
const problems: string[] = []
const rows: Row[] = []
await kills('one process and its own database', Math.ceil(count / 2), { roles: ['both'], isEmbedded: true })
if (count > 1) await kills('web and worker on one database', Math.floor(count / 2), { roles: ['web', 'worker'] })
report(rows, problems)

async function kills(title: string, times_: number, settings: ClusterSettings): Promise<void> {
  const found: string[] = []
  const starts: number[] = []
  const promises = noPromises()
  const cluster = await startCluster(settings)
  try {
    const crowd = startCrowd({ ports: cluster.webPorts, promises, players: PLAYERS, isTimeMoving: false })
    for (let kill = 1; kill <= times_; kill += 1) {
      // The kill hits the next step of a draw, three times out of four: players need time as well.
      if (randomInt(4) > 0) await letTimePass(cluster, await secondsToNextDrawWork(cluster))
      await pause(randomInt(LATEST_MS))
      const victims = cluster.members.filter(() => randomInt(cluster.members.length) === 0)
      const killed = victims.length > 0 ? victims : cluster.members
      await Promise.all(killed.map((member) => member.kill()))
      for (const member of killed) starts.push(await member.start())
      const now = await problemsNow(cluster, promises)
      found.push(...now.map((what) => `kill ${kill} of ${title}: ${what}`))
      if (kill % 10 === 0)
        tell(`${title}: ${kill} kills, ${promised(promises)} promises, ${found.length} lost; ${await reached(cluster)}`)
    }
    const meanwhile = await reached(cluster)
    const end = await problemsAtTheEnd(cluster, crowd, promises)
    found.push(...end.problems.map((what) => `after the kills of ${title}: ${what}`))
    rows.push({
      fault: `F2 \`kill -9\`, ${title}`,
      tried: `${times_} kills`,
      held: end.held,
      lost: found.length,
      recovery: times(starts),
      notes: `between the kills ${meanwhile}; ${seenBy(crowd)}`,
    })
  } finally {
    problems.push(...found)
    await cluster.close()
  }
}
