// Two web processes and two workers on one PostgreSQL, while one of each is killed now and then: an order asked for twice at
// once with one key, by different processes, is one order; two browsers that pay one order make it PAID once, and what came
// twice is given back; of two tabs that refresh one token at once by different processes at most one gets a new one, and the
// session ends; and work of every kind is done by both workers. Run: node trials/faults/two-of-each.ts [--count N | --full]
import { randomInt, randomUUID } from 'node:crypto'
import { addressOf, type Answer, type Call, type Client, createClient, register } from '../product.ts'
import { look, pause } from './database.ts'
import { type Cluster, type Member, startCluster } from './cluster.ts'
import { countOf, letTimePass, problemsAtTheEnd, problemsNow, report, seenBy, tell, times } from './outcome.ts'
import { orderBody, pick, problemOf, startCrowd } from './players.ts'
import { countOf as promised, noPromises } from './promises.ts'

const PLAYERS = 4
/** A process is killed about every so many rounds. */
const ROUNDS_A_KILL = 15
/** Seconds that go by at once, mostly few: a session lasts ten minutes. */
const STEPS = [20, 60, 120, 300, 3600, 14_400] as const
const LONGEST_STEP_MS = 1500
/** A question that came to nothing is asked again, for a minute. */
const TRIES = 600
const AGAIN_MS = 100

const count = countOf(60, 1000)
const problems: string[] = []
const promises = noPromises()
const cluster = await startCluster({ roles: ['web', 'web', 'worker', 'worker'] })
const clients = cluster.webPorts.map((port) => createClient(port, 32))
/** Kinds of job by the process that ran some. */
const ran = new Map<string, Set<string>>(cluster.members.map(({ name }) => [name, new Set()]))
try {
  const crowd = startCrowd({ ports: cluster.webPorts, promises, players: PLAYERS, isTimeMoving: false })
  let isOver = false
  const time = passTime()
  const told = { orders: 0, paid: 0, tabs: 0, winners: 0 }
  const starts: number[] = []
  let kills = 0
  let killing: Promise<void> = Promise.resolve()
  for (let round = 1; round <= count; round += 1) {
    // The kill falls into the round.
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
          `${told.orders} orders asked for twice at once, each made once; ${told.paid} paid by two browsers, ${paidTwice.rows[0]?.orders} of them with two payments; ` +
          `${told.tabs} tokens refreshed by two tabs, ${told.winners} times with one winner; ${jobsOf(cluster)}; ${seenBy(crowd)}`,
      },
    ],
    problems,
  )

  /** Time goes by for all of them, so that the work that comes due is the workers'. */
  async function passTime(): Promise<void> {
    while (!isOver) {
      await letTimePass(cluster, pick(STEPS))
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
    if (one === undefined || two === undefined) throw new Error('two processes serve')
    const from = addressOf(20_000 + round)
    const tokens = await signUp(`pair.${round}@example.org`, from)
    await orderTwice(one, two, tokens.access)
    await refreshTwice(one, two, tokens.refresh)
  }

  /** The same order from two windows, and both pay it. */
  async function orderTwice(one: Client, two: Client, bearer: string): Promise<void> {
    const headers = { 'idempotency-key': randomUUID() }
    const wanted: Call = { method: 'POST', path: '/api/v1/payment', body: orderBody(), bearer, headers }
    const answers = await Promise.all([one, two].map((client) => insist(client, wanted)))
    const ids = answers.filter(({ status }) => status === 201).map(({ text }) => idIn(text))
    const [id] = ids
    if (id === undefined) return // the clock jumped, and the session or the game is closed: both were refused
    if (new Set(ids).size > 1) problems.push(`one key made the orders ${ids.join(' and ')}`)
    told.orders += 1
    promises.orders.set(headers['idempotency-key'], id)
    const pay: Call = { method: 'POST', path: '/api/v1/dev/pay', body: { transaction_id: id } }
    const paid = await Promise.all([one, two].map((client) => insist(client, pay)))
    if (!paid.some(({ text }) => text.includes('"PAID"'))) return
    told.paid += 1
    promises.paid.add(id)
  }

  /** Two tabs without the lock that the pages take: who comes second has used a token that was used already. */
  async function refreshTwice(one: Client, two: Client, bearer: string): Promise<void> {
    const wanted: Call = { method: 'POST', path: '/api/v1/auth/refresh', bearer }
    const answers = await Promise.all([one, two].map((client) => tried(client, wanted)))
    const heard = answers.filter((answer) => answer !== null)
    const winners = heard.filter(({ status }) => status === 200)
    told.tabs += 1
    told.winners += winners.length === 1 ? 1 : 0
    if (winners.length > 1) problems.push('one refresh token was worth two sessions')
    // Where both were heard, the second use of the token has ended the session.
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

/** One call, null where the connection was cut or the process could not serve. */
async function tried(client: Client, wanted: Call): Promise<Answer | null> {
  const answer = await client.call(wanted).catch(() => null)
  if (answer === null) return null
  const problem = problemOf(answer)
  if (problem !== null) problems.push(`${wanted.method} ${wanted.path}: ${problem}`)
  return answer.status === 503 ? null : answer
}

/** Asks the process until it answers: it comes back. */
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

/** Remembers which kinds of job a process has run; what it measured is gone with it. */
async function noteJobs(member: Member): Promise<void> {
  const client = createClient(member.monitorPort, 1)
  const answer = await client.call({ method: 'GET', path: '/metrics' }).catch(() => null)
  client.close()
  const kinds = answer?.text.matchAll(/^fairball_job_duration_seconds_count\{kind="([^"]+)"\} [1-9]/gm) ?? []
  for (const [, kind] of kinds) if (kind !== undefined) ran.get(member.name)?.add(kind)
}

/** Of the kinds of job that were run by anybody, how many both workers have run. */
function jobsOf({ members }: Cluster): string {
  const all = new Set([...ran.values()].flatMap((kinds) => [...kinds]))
  const workers = members.filter(({ role }) => role === 'worker').map(({ name }) => ran.get(name) ?? new Set())
  const missing = [...all].filter((kind) => !workers.every((kinds) => kinds.has(kind)))
  const without = missing.length === 0 ? '' : `, but not ${missing.toSorted().join(', ')}`
  return `of ${all.size} kinds of job both workers ran ${all.size - missing.length}${without}`
}
