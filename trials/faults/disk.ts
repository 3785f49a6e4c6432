// The database's disk is filled to the last byte under load. The first runs fill only the disk of the tables, while the
// write-ahead log is on another one; PostgreSQL survives that. The other runs fill the disk of everything, and
// PostgreSQL shuts down. Orders are refused with a clear 503, nothing is half written, and the same processes continue
// once there is space again. This program plays the operator's supervisor, which restarts a PostgreSQL that has shut
// down.
// Run: npm run faults disk, which provides a small separate disk in FAULTS_DISK
import { randomInt, randomUUID } from 'node:crypto'
import { chmodSync, chownSync, closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { addressOf, type Call, type Client, createClient, register } from '../product.ts'
import { type DatabaseServer, look, pause } from './database.ts'
import { type ClusterSettings, startCluster } from './cluster.ts'
import {
  countOf,
  letTimePass,
  problemsAtTheEnd,
  problemsNow,
  report,
  type Row,
  seenBy,
  tell,
  times,
} from './outcome.ts'
import { orderBody, pick, problemOf, startCrowd } from './players.ts'
import { countOf as promised, noPromises } from './promises.ts'

const PLAYERS = 4
const LATEST_MS = 2_000
/** Time within which an order must be refused, in ms. */
const REFUSED_WITHIN_MS = 30_000
/** Longest time the disk stays full after that, in ms. */
const FULL_MS = 3_000
const BACK_MS = 10_000
const CHUNK_BYTES = 4 * 2 ** 20
const PROBE_MS = 20
/** Seconds of lottery time that pass before a disk is filled. */
const STEPS = [60, 900, 21_600, 86_400] as const

const disk = process.env['FAULTS_DISK'] ?? ''
if (disk === '') throw new Error('FAULTS_DISK must name an empty folder on a small separate disk: npm run faults disk')
const count = countOf(4, 50)
const problems: string[] = []
const rows: Row[] = []
await fill('the tables', Math.ceil(count / 2), { roles: ['web', 'worker'], prepare: putTablesOnDisk })
if (count > 1) {
  rmSync(join(disk, 'tables'), { recursive: true, force: true })
  const env = { DATA_DIR: join(disk, 'data') }
  const databaseFolder = join(disk, 'database')
  await fill('everything', Math.floor(count / 2), { roles: ['web', 'worker'], databaseFolder, env })
}
report(rows, problems)

async function fill(title: string, times_: number, settings: ClusterSettings): Promise<void> {
  const found: string[] = []
  const promises = noPromises()
  const back: number[] = []
  const refused = { orders: 0, ends: 0 }
  const cluster = await startCluster(settings)
  const [port = 0] = cluster.webPorts
  const prober = createClient(port, 8)
  try {
    const { server } = cluster
    if (server === null) throw new Error('this cluster has no separate database')
    const crowd = startCrowd({ ports: cluster.webPorts, promises, players: PLAYERS, isTimeMoving: false })
    for (let time = 1; time <= times_; time += 1) {
      const when = `full disk ${time} of ${title}`
      await look(server.url, (client) => client.query('checkpoint')) // frees the log of earlier writes
      await pause(randomInt(LATEST_MS))
      await letTimePass(cluster, pick(STEPS)) // due work runs while the disk fills
      const { access } = await registered(prober, `${title.slice(-6)}.${time}@example.org`, time)
      let hasEnded = false
      void server.ended().then(() => (hasEnded = true))
      fillUp()
      if (settings.databaseFolder !== undefined) await useUpLog(server)
      found.push(...(await refusals(prober, access, when)).map((what) => `${when}: ${what}`))
      await pause(randomInt(FULL_MS))
      rmSync(join(disk, 'ballast'))
      await restarted(server)
      const upAt = performance.now()
      if (hasEnded) refused.ends += 1
      back.push(await takesOrders(prober, access, upAt, (what) => found.push(`${when}: ${what}`)))
      found.push(...(await problemsNow(cluster, promises)).map((what) => `${when}: ${what}`))
      tell(`${title}: full ${time} times, ${promised(promises)} promises, ${found.length} lost`)
    }
    const end = await problemsAtTheEnd(cluster, crowd, promises)
    found.push(...end.problems.map((what) => `after the full disks of ${title}: ${what}`))
    rows.push({
      fault: `F10 disk of ${title} full`,
      tried: `${times_} times`,
      held: end.held,
      lost: found.length,
      recovery: times(back),
      notes: `${refused.orders} orders refused with 503 while full; PostgreSQL ended itself ${refused.ends} times; ${seenBy(crowd)}`,
    })
  } finally {
    problems.push(...found)
    prober.close()
    await cluster.close()
  }

  /** Orders until some are refused for lack of space. @returns answers that must not happen */
  async function refusals(client: Client, bearer: string, when: string): Promise<string[]> {
    const wrong = new Set<string>()
    let own = 0
    for (const startedAt = performance.now(); own < 5;) {
      if (performance.now() - startedAt > REFUSED_WITHIN_MS) {
        wrong.add(`no order was refused within ${REFUSED_WITHIN_MS / 1000} s`)
        break
      }
      const answer = await client.call(orderCall(bearer))
      const problem = problemOf(answer)
      if (problem !== null) wrong.add(`an order was ${problem}`)
      if (answer.status === 503) own += 1
      await pause(PROBE_MS)
    }
    refused.orders += own
    if (wrong.size > 0) tell(`${when}: ${[...wrong].join('; ')}`)
    return [...wrong]
  }
}

/** Writes until not one more byte fits. */
function fillUp(): void {
  const file = openSync(join(disk, 'ballast'), 'w')
  const bytes = Buffer.alloc(CHUNK_BYTES)
  try {
    for (let size = CHUNK_BYTES; size >= 1;) {
      try {
        if (writeSync(file, bytes, 0, size) < size) size = Math.floor(size / 2)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        size = Math.floor(size / 2)
      }
    }
  } finally {
    closeSync(file)
  }
}

/** Writes to the write-ahead log until it needs a file that no longer fits, at which point PostgreSQL shuts down. */
async function useUpLog(server: DatabaseServer): Promise<void> {
  const megabyte = `select pg_logical_emit_message(true, 'faults', repeat('x', 1000000))`
  await look(server.url, async (client) => {
    for (;;) await client.query(megabyte)
  }).catch(() => undefined) // the loop ends only with this error
}

/** Waits until the database takes connections: it restarts itself, or has to be started. */
async function restarted(server: DatabaseServer): Promise<void> {
  for (;;) {
    try {
      await server.start()
      await look(server.url, (client) => client.query('create temporary table probe (x int)'))
      return
    } catch {
      await pause(PROBE_MS)
    }
  }
}

/** Waits until an order is accepted again. @returns the milliseconds since `upAt` */
async function takesOrders(client: Client, bearer: string, upAt: number, wrong: (what: string) => void) {
  for (;;) {
    const { status, text } = await client.call(orderCall(bearer))
    const ms = performance.now() - upAt
    if (status < 500) {
      if (ms > BACK_MS) wrong(`back after ${Math.round(ms)} ms`)
      return ms
    }
    if (ms > 3 * BACK_MS) {
      wrong(`not back after ${Math.round(ms)} ms: ${status} ${text.slice(0, 200)}`)
      return ms
    }
    await pause(PROBE_MS)
  }
}

/** Registers a new player. */
async function registered(client: Client, email: string, place: number) {
  const address = email.replaceAll(' ', '')
  return await register(client, address, addressOf(30_000 + place))
}

/** A large order: small ones still fit into half-empty pages for a while. */
function orderCall(bearer: string): Call {
  const headers = { 'idempotency-key': randomUUID() }
  return { method: 'POST', path: '/api/v1/payment', body: orderBody([600]), bearer, headers }
}

/** Puts the tables on the small disk, and leaves the rest of the cluster elsewhere. */
async function putTablesOnDisk(server: DatabaseServer, clusterFolder: string): Promise<void> {
  const tables = join(disk, 'tables')
  mkdirSync(tables)
  const owner = statSync(clusterFolder)
  if (process.getuid?.() === 0) chownSync(tables, owner.uid, owner.gid)
  chmodSync(tables, 0o700)
  const url = new URL(server.url)
  url.pathname = '/postgres'
  await look(url.href, async (client) => {
    await client.query(`create tablespace small location '${tables.replaceAll("'", "''")}'`)
    await client.query('alter database fairball set tablespace small')
  })
}
