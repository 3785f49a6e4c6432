// Runs two web processes and two workers on one PostgreSQL, while one of each is killed now and then. If two processes
// get the same order with the same key at once, it is one order. If two browsers pay one order, it becomes PAID once,
// and the second payment is returned. If two tabs refresh one token at once through different processes, at most one
// gets a new token, and the session ends. Both workers do work of every kind.
// Run: node trials/faults/two-of-each.ts [--count N | --full]
import { randomInt, randomUUID } from 'node:crypto'
import { addressOf, type Answer, type Call, type Client, createClient, register } from '../product.ts'
import { look, pause } from './database.ts'
import { type Cluster, type Member, startCluster } from './cluster.ts'
import { countOf, letTimePass, problemsAtTheEnd, problemsNow, report, seenBy, tell, times } from './outcome.ts'
import { orderBody, pick, problemOf, startCrowd } from './players.ts'
import { countOf as promised, noPromises } from './promises.ts'

const PLAYERS = 4
/** Average number of rounds between kills. */
const ROUNDS_A_KILL = 15
/** Steps of the lottery's time in seconds, mostly small: a session lasts ten minutes. */
const STEPS = [20, 60, 120, 300, 3600, 14_400] as const
const LONGEST_STEP_MS = 1500
/** Time until every process has heard of a step. */
const HEARD_MS = 1000
/** Tries of an unanswered request: one minute's worth. */
const TRIES = 600
const AGAIN_MS = 100

const count = countOf(60, 1000)
const problems: string[] = []
const promises = noPromises()
const cluster = await startCluster({ roles: ['web', 'web', 'worker', 'worker'] })
const clients = cluster.webPorts.map((port) => createClient(port, 32))
/** The kinds of job that each process ran. */
const ran = new Map<string, Set<string>>(cluster.members.map(({ name }) => [name, new Set()]))
let lastTurn: Promise<unknown> = Promise.resolve()
try {
  const crowd = startCrowd({ ports: cluster.webPorts, promises, players: PLAYERS, isTimeMoving: false })
  let isOver = false
  const time = passTime()
  const counts = { orders: 0, paid: 0, tabs: 0, winners: 0 }
  const starts: number[] = []
  let kills = 0
  let killing: Promise<void> = Promise.resolve()
  for (let round = 1; round <= count; round += 1) {
    // The kill happens during the round.
    if (randomInt(ROUNDS_A_KILL) === 0) killing = killing.then(() => killOne(pick(cluster.members)))
    await play(round)
    if (round % 50 === 0) {
      await killing
      problems.push(...(await problemsNow(cluster, promises)))
      tell(`${round} rounds, ${kills} kills, ${promised(promises)} promises, ${problems.length} lost`)
    }
  }
  await killing
  isOver = true
  await time
  for (const member of cluster.members) await noteJobs(member)
  const paidTwice = await look(cluster.database, (client) =>
    client.query<{ orders: number }>(
      `select count(*)::int as orders from (select order_id from payments group by order_id having count(*) > 1) twice`,
    ),
  )
  const end = await problemsAtTheEnd(cluster, crowd, promises)
  problems.push(...end.problems)
  report(
    [
      {
        fault: 'F9 two web and two worker processes on one PostgreSQL',
        tried: `${count} rounds, ${kills} kills`,
        held: end.held,
        lost: problems.length,
        recovery: times(starts),
        notes:
          `${counts.orders} orders requested twice at once, each made once; ${counts.paid} paid by two browsers, ${paidTwice.rows[0]?.orders} of them with two payments; ` +
          `${counts.tabs} tokens refreshed by two tabs, ${counts.winners} times with one winner; ${jobsOf(cluster)}; ${seenBy(crowd)}`,
      },
    ],
    problems,
  )

  /** Moves time for all of them, so that the workers do the work that becomes due. */
  async function passTime(): Promise<void> {
    while (!isOver) {
      await inTurn(() => letTimePass(cluster, pick(STEPS)).then(() => pause(HEARD_MS)))
      await pause(randomInt(LONGEST_STEP_MS))
    }
  }

  async function killOne(member: Member): Promise<void> {
    await noteJobs(member)
    kills += 1
    await member.kill()
    await pause(randomInt(1000))
    starts.push(await member.start())
  }

  async function play(round: number): Promise<void> {
    const [one, two] = randomInt(2) === 0 ? clients : clients.toReversed()
    if (one === undefined || two === undefined) throw new Error('there must be two web processes')
    const from = addressOf(20_000 + round)
    const tokens = await signUp(`pair.${round}@example.org`, from)
    await orderTwice(one, two, tokens.access)
    await inTurn(() => refreshTwice(one, two, tokens.refresh))
  }

  /**
   * Time does not step while two tabs refresh: for a moment the clocks of two processes would be hours apart, and a
   * session end that long before its newest token, as nowhere in production.
   */
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = lastTurn.then(work)
    lastTurn = mine.catch(() => undefined)
    return await mine
  }

  /** Sends the same order from two windows, and pays it from both. */
  async function orderTwice(one: Client, two: Client, bearer: string): Promise<void> {
    const headers = { 'idempotency-key': randomUUID() }
    const wanted: Call = { method: 'POST', path: '/api/v1/payment', body: orderBody(), bearer, headers }
    const answers = await Promise.all([one, two].map((client) => insist(client, wanted)))
    const ids = answers.filter(({ status }) => status === 201).map(({ text }) => idIn(text))
    const [id] = ids
    if (id === undefined) return // the clock jumped: the session or the game is closed, and both were refused
    if (new Set(ids).size > 1) problems.push(`one key made the orders ${ids.join(' and ')}`)
    counts.orders += 1
    promises.orders.set(headers['idempotency-key'], id)
    const pay: Call = { method: 'POST', path: '/api/v1/dev/pay', body: { transaction_id: id } }
    const paid = await Promise.all([one, two].map((client) => insist(client, pay)))
    if (!paid.some(({ text }) => text.includes('"PAID"'))) return
    counts.paid += 1
    promises.paid.add(id)
  }

  /** Two tabs without the lock that the pages use: the second one uses a token that was already used. */
  async function refreshTwice(one: Client, two: Client, bearer: string): Promise<void> {
    const wanted: Call = { method: 'POST', path: '/api/v1/auth/refresh', bearer }
    const answers = await Promise.all([one, two].map((client) => tried(client, wanted)))
    const heard = answers.filter((answer) => answer !== null)
    const winners = heard.filter(({ status }) => status === 200)
    counts.tabs += 1
    counts.winners += winners.length === 1 ? 1 : 0
    if (winners.length > 1) problems.push('one refresh token was worth two sessions')
    // If both were answered, the second use of the token has ended the session.
    const [winner] = winners
    if (winner === undefined || heard.length < 2) return
    const { access_token: access } = JSON.parse(winner.text) as { access_token: string } // by contract
    const profile = await insist(two, { method: 'GET', path: '/api/v1/profile', bearer: access })
    if (profile.status !== 401)
      problems.push(`a session continues although its token was used twice: ${profile.status}`)
  }
} finally {
  for (const client of clients) client.close()
  await cluster.close()
}

async function signUp(email: string, from: string) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await register(pick(clients), `${tries}.${email}`, from)
    } catch (error) {
      if (tries === TRIES) throw error
      await pause(AGAIN_MS)
    }
  }
}

/** One call; null if the connection was cut or the process was unavailable. */
async function tried(client: Client, wanted: Call): Promise<Answer | null> {
  const answer = await client.call(wanted).catch(() => null)
  if (answer === null) return null
  const problem = problemOf(answer)
  if (problem !== null) problems.push(`${wanted.method} ${wanted.path}: ${problem}`)
  return answer.status === 503 ? null : answer
}

/** Retries until the process answers: it restarts. */
async function insist(client: Client, wanted: Call): Promise<Answer> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const answer = await tried(client, wanted)
    if (answer !== null) return answer
    await pause(AGAIN_MS)
  }
  throw new Error(`${wanted.path} was not answered in ${TRIES} tries`)
}

function idIn(text: string): string {
  return (JSON.parse(text) as { transaction_id: string }).transaction_id // by contract
}

/** Records the kinds of job a process has run, because its metrics die with it. */
async function noteJobs(member: Member): Promise<void> {
  const client = createClient(member.monitorPort, 1)
  const answer = await client.call({ method: 'GET', path: '/metrics' }).catch(() => null)
  client.close()
  const kinds = answer?.text.matchAll(/^fairball_job_duration_seconds_count\{kind="([^"]+)"\} [1-9]/gm) ?? []
  for (const [, kind] of kinds) if (kind !== undefined) ran.get(member.name)?.add(kind)
}

/** How many of the kinds of job that ran at all were run by both workers. */
function jobsOf({ members }: Cluster): string {
  const all = new Set([...ran.values()].flatMap((kinds) => [...kinds]))
  const workers = members.filter(({ role }) => role === 'worker').map(({ name }) => ran.get(name) ?? new Set())
  const missing = [...all].filter((kind) => !workers.every((kinds) => kinds.has(kind)))
  const without = missing.length === 0 ? '' : `, but not ${missing.toSorted().join(', ')}`
  return `of ${all.size} kinds of job both workers ran ${all.size - missing.length}${without}`
}
