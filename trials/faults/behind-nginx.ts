// Several web processes and workers on one PostgreSQL behind nginx, set up as in docs/operations.md, section 8, with
// deploy/nginx. While players play, processes are killed one at a time. Then every process is replaced in turn, without
// one failed request.
// Run: node trials/faults/behind-nginx.ts [--count N | --full] [--web N] [--workers N]; NGINX names the program
import { freePort } from '@fairball/server/testing/fixtures'
import { pause } from './database.ts'
import { startNginx } from '../nginx.ts'
import { type Cluster, type Member, startCluster } from './cluster.ts'
import {
  countOf,
  letTimePass,
  numberOf,
  problemsAtTheEnd,
  problemsNow,
  report,
  seenBy,
  tell,
  times,
} from './outcome.ts'
import { pick, type Seen, startCrowd } from './players.ts'
import { countOf as promised, noPromises } from './promises.ts'

const PLAYERS = 6
/** Real time in which players play, in ms. */
const BETWEEN_KILLS_MS = 1500
/**
 * Lottery time that passes per restarted process, in seconds: some of these steps contain draws, which the workers
 * hold.
 */
const STEP_SECONDS = 3 * 3600
/** Time limit for requests in flight, in seconds: nginx's old workers exit after the last of them, or then. */
const LONGEST_DRAIN_SECONDS = 120

const kills = countOf(6, 60)
const rounds = Math.ceil(kills / 6)
const roles = [
  ...Array.from({ length: numberOf('--web', 2) }, () => 'web' as const),
  ...Array.from({ length: numberOf('--workers', 2) }, () => 'worker' as const),
]
const problems: string[] = []
const promises = noPromises()
const port = await freePort()
const cluster = await startCluster({ roles, publicUrl: `http://localhost:${port}` })
const balance = await startBalance(cluster, port)
try {
  // Uses a new connection for each request. nginx may close a kept one while a request is on its way; browsers repeat
  // such a request.
  const crowd = startCrowd({ ports: [port], promises, players: PLAYERS, keepsConnections: false, isTimeMoving: false })
  await pause(BETWEEN_KILLS_MS)

  const outages: number[] = []
  const calm = { ...crowd.seen }
  for (let kill = 1; kill <= kills; kill += 1) {
    const member = pick(cluster.members)
    await letTimePass(cluster, STEP_SECONDS)
    await member.kill()
    await pause(BETWEEN_KILLS_MS)
    outages.push(await member.start())
    await pause(BETWEEN_KILLS_MS)
  }
  problems.push(...(await problemsNow(cluster, promises)))
  const killed = since(calm, crowd.seen)
  tell(`${kills} kills: ${failed(killed)} of ${killed.good + killed.refused} requests failed and were repeated`)

  const restarts: number[] = []
  const before = { ...crowd.seen }
  for (let round = 1; round <= rounds; round += 1)
    for (const member of cluster.members) {
      await letTimePass(cluster, STEP_SECONDS)
      restarts.push(await replace(member))
    }
  const replaced = since(before, crowd.seen)
  const failures = crowd.seen.failures.slice(before.cut + before.unavailable)
  problems.push(...failures.map((failure) => `while processes were replaced in order, ${failure}`))
  tell(
    `${restarts.length} restarts in order: ${failed(replaced)} of ${replaced.good + replaced.refused} requests failed`,
  )

  const seen = seenBy(crowd)
  const end = await problemsAtTheEnd(cluster, crowd, promises)
  problems.push(...end.problems)
  const what = `${roles.length} processes behind nginx`
  report(
    [
      {
        fault: `${what}, one killed at a time`,
        tried: `${kills} kills`,
        held: `${promised(promises)} in all`,
        lost: 0,
        recovery: times(outages),
        notes: `${killed.good + killed.refused} requests answered, ${failed(killed)} failed once and were repeated by their player`,
      },
      {
        fault: `${what}, replaced one after the other`,
        tried: `${restarts.length} restarts`,
        held: end.held,
        lost: problems.length,
        recovery: times(restarts),
        notes: `${replaced.good + replaced.refused} requests answered, ${failed(replaced)} failed; ${seen}`,
      },
    ],
    problems,
  )
} finally {
  await balance.stop()
  await cluster.close()
}

/**
 * Takes a process out of the balancing, shuts it down gracefully, restarts it and puts it back.
 *
 * @returns how long it was away, in ms
 */
async function replace(member: Member): Promise<number> {
  const startedAt = performance.now()
  if (member.role !== 'worker') await balance.without(member)
  await member.stop()
  await member.start()
  if (member.role !== 'worker') await balance.withAll()
  return performance.now() - startedAt
}

type Counts = Omit<Seen, 'wrong' | 'failures'>

/** What was seen between two moments. */
function since(before: Counts, after: Counts): Counts {
  const { good, refused, cut, unavailable, slowestMs } = after
  return {
    good: good - before.good,
    refused: refused - before.refused,
    cut: cut - before.cut,
    unavailable: unavailable - before.unavailable,
    slowestMs,
  }
}

function failed({ cut, unavailable }: Counts): number {
  return cut + unavailable
}

/** nginx before the web processes, with one of them taken out or with all. */
async function startBalance({ members }: Cluster, listenPort: number) {
  // With max_fails=0 an unreachable process is tried again with the next request, so it is back immediately.
  const servers = (out: Member | null) =>
    members
      .filter(({ role }) => role !== 'worker')
      .map((member) => `server 127.0.0.1:${member.port} max_fails=0${member === out ? ' down' : ''};`)
  const nginx = await startNginx({ listenPort, servers: servers(null), drainSeconds: LONGEST_DRAIN_SECONDS })
  return {
    without: (member: Member) => nginx.reload(servers(member)),
    withAll: () => nginx.reload(servers(null)),
    stop: nginx.stop,
  }
}
