// Updates a running lottery from an older release to this one. Players order and draws are held on the older release; its
// processes are shut down or killed; this release starts on the same database, and the players continue. Everything that
// either release acknowledged must still be there, every invariant must hold, and everything must come to its end.
// Run by npm run upgrade-test: node trials/faults/upgrade.ts [--count N] with the old release's folder in OLD_RELEASE
import { randomInt } from 'node:crypto'
import { startCluster, type ClusterSettings } from './cluster.ts'
import { pause } from './database.ts'
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
import { noPromises } from './promises.ts'

const PLAYERS = 6
/** Longest time that players have between two steps, in ms. */
const LATEST_MS = 2_500
/** Longest step of the time, in seconds; every second step ends at the next work on a draw. */
const LONGEST_STEP = 8 * 3600
/** Steps of the time that each release goes through. */
const STEPS = countOf(40, 200)

const release = process.env['OLD_RELEASE']
if (release === undefined) throw new Error('OLD_RELEASE has to name the folder of another release.')
const problems: string[] = []
const rows = [
  await upgrade('one process and its own database', 'stop', { release, roles: ['both'], isEmbedded: true }),
  await upgrade('web and worker on one database', 'kill', { release, roles: ['web', 'worker'] }),
]
report(rows, problems)

async function upgrade(title: string, end: 'stop' | 'kill', settings: ClusterSettings): Promise<Row> {
  const found: string[] = []
  const starts: number[] = []
  const promises = noPromises()
  const cluster = await startCluster(settings)
  const step = async (): Promise<void> => {
    await letTimePass(cluster, randomInt(2) === 0 ? await secondsToNextDrawWork(cluster) : randomInt(LONGEST_STEP))
    await pause(randomInt(LATEST_MS))
  }
  try {
    const crowd = startCrowd({ ports: cluster.webPorts, promises, players: PLAYERS, isTimeMoving: false })
    for (let past = 0; past < STEPS; past += 1) await step()
    const before = await reached(cluster)
    tell(`${title}: with the old release ${before}`)
    for (const member of cluster.members) await member[end]()
    cluster.update()
    for (const member of cluster.members.toReversed()) starts.push(await member.start())
    found.push(...(await problemsNow(cluster, promises)).map((what) => `after the update of ${title}: ${what}`))
    for (let past = 0; past < STEPS; past += 1) await step()
    const last = await problemsAtTheEnd(cluster, crowd, promises)
    found.push(...last.problems.map((what) => `at the end of ${title}: ${what}`))
    return {
      fault: `an update, ${title}, ${end === 'stop' ? 'ended' : 'killed'}`,
      tried: `${STEPS} steps of the time before, ${STEPS} after`,
      held: last.held,
      lost: found.length,
      recovery: times(starts),
      notes: `before the update ${before}; ${seenBy(crowd)}`,
    }
  } finally {
    problems.push(...found)
    await cluster.close()
  }
}
