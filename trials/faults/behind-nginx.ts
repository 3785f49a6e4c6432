// Several web processes and workers on one PostgreSQL behind nginx, set up as in docs/operations.md, section 8, with
// deploy/nginx. While players play, processes are killed one at a time. Then every process is replaced in turn, without
// one failed request.
// Run: node trials/faults/behind-nginx.ts [--count N | --full] [--web N] [--workers N]; NGINX names the program
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@fairball/server/testing/fixtures'
import { pause } from './database.ts'
import { type Cluster, type Member, startCluster, temporaryFolder } from './cluster.ts'
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
const LOOK_MS = 50
const CONFIG = join(import.meta.dirname, '../../deploy/nginx/fairball.conf')

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

/** nginx with the project's configuration, in a temporary folder and on a given port. */
async function startBalance({ members }: Cluster, listenPort: number) {
  const folder = temporaryFolder()
  const program = process.env['NGINX'] ?? 'nginx'
  const args = ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log']
  const upstream = (out: Member | null): void =>
    writeFileSync(
      join(folder, 'fairball-upstream.conf'),
      members
        .filter(({ role }) => role !== 'worker')
        // With max_fails=0 an unreachable process is tried again with the next request, so it is back immediately.
        .map((member) => `server 127.0.0.1:${member.port} max_fails=0${member === out ? ' down' : ''};\n`)
        .join(''),
    )
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(folder, name))
  cpSync(CONFIG, join(folder, 'fairball.conf'))
  const site = readFileSync(CONFIG, 'utf8').replace('listen 127.0.0.1:8080;', `listen 127.0.0.1:${listenPort};`)
  writeFileSync(join(folder, 'fairball.conf'), site)
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${name.replace('client_', '')};\n`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${user}daemon off;\nworker_processes 2;\nworker_shutdown_timeout ${LONGEST_DRAIN_SECONDS}s;\npid nginx.pid;\nevents {}\n` +
      `http {\naccess_log off;\n${paths.join('')}include fairball.conf;\n}\n`,
  )
  upstream(null)
  if (spawnSync(program, ['-v']).status !== 0)
    throw new Error(`There is no ${program}. Install it (apt-get install nginx), or set NGINX.`)
  const nginx: ChildProcess = spawn(program, args, { stdio: 'ignore' })
  const ended = once(nginx, 'exit')
  await Promise.race([
    untilAnswers(listenPort),
    ended.then(() => Promise.reject(new Error(`${program} ended, see ${folder}/error.log`))),
  ])

  /** Reloads the configuration, and waits until requests that started under the old one are answered. */
  async function reload(): Promise<void> {
    const old = workers()
    spawnSync(program, [...args, '-s', 'reload'])
    const until = performance.now() + LONGEST_DRAIN_SECONDS * 1000
    while (workers().some((pid) => old.includes(pid)) && performance.now() < until) await pause(LOOK_MS)
  }

  function workers(): string[] {
    return readFileSync(`/proc/${nginx.pid}/task/${nginx.pid}/children`, 'utf8').split(' ').filter(Boolean)
  }

  return {
    async without(member: Member): Promise<void> {
      upstream(member)
      await reload()
    },
    async withAll(): Promise<void> {
      upstream(null)
      await reload()
    },
    async stop(): Promise<void> {
      nginx.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilAnswers(listenPort: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${listenPort}/healthz`).catch(() => null)
    if (answer?.ok === true) return
    await pause(LOOK_MS)
  }
}
