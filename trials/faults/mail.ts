// Under load, the mail server in turn refuses every connection, accepts connections without answering, cuts them in the
// middle of a mail, or reports that it is busy. Meanwhile orders are taken and paid and draws are held as usual. Every
// mail arrives once the server is back.
// Run: node trials/faults/mail.ts [--count N | --full]
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort, smtpRefusal, startSmtpServer } from '@fairball/server/testing/fixtures'
import { addressOf, createClient, register } from '../product.ts'
import { look, pause } from './database.ts'
import { startCluster } from './cluster.ts'
import { countOf, letTimePass, problemsAtTheEnd, problemsNow, report, seenBy, tell, times } from './outcome.ts'
import { orderBody, problemOf, startCrowd, verifyKeyIn } from './players.ts'
import { countOf as promised, noPromises } from './promises.ts'

/** States of the mail server. */
const TROUBLES = ['is not there', 'says nothing', 'cuts every connection', 'is busy'] as const
type Mood = 'works' | (typeof TROUBLES)[number]

const PLAYERS = 4
/** Duration of a trouble, in ms. */
const LEAST_MS = 3_000
const MAX_MS = 9_000
/** Limits meanwhile, in ms: an order becomes PAID, and the due work of draws is done, within these times. */
const PAID_MS = 10_000
const DRAWN_MS = 30_000
const LOOK_MS = 50
/** Lottery time per step, in seconds: more than the longest wait between a mail's first tries, half an hour. */
const STEP_SECONDS = 1200
/** A connection is cut after at most this many bytes: before, during or after a mail. */
const MAX_CUT = 12_000

/** Due jobs, to explain a delay. */
const WAITING = `
  select kind || ' ' || key || ' tried ' || attempts || ' times' || coalesce(': ' || last_error, '') as what from jobs
  where run_at < extract(epoch from now())::bigint + (select value::bigint from system_state where key = 'demo.clock-offset')
  order by run_at limit 8`

const count = countOf(8, 50)
const problems: string[] = []
const promises = noPromises()
const mail = await startMailServer()
const cluster = await startCluster({
  roles: ['web', 'worker'],
  env: { SMTP_URL: `smtp://127.0.0.1:${mail.port}?requireTLS=false`, MAIL_FROM: 'no-reply@example.org' },
})
const [port = 0] = cluster.webPorts
const prober = createClient(port, 64)
try {
  const { ports, players } = { ports: cluster.webPorts, players: PLAYERS }
  const crowd = startCrowd({ ports, promises, players, isTimeMoving: false, verifyKeyOf: mail.verifyKeyOf })
  const paid: number[] = []
  const drawn: number[] = []
  const back: number[] = []
  for (let time = 1; time <= count; time += 1) {
    const trouble = TROUBLES[time % TROUBLES.length] ?? 'is not there'
    const when = `mail server ${trouble}, time ${time}`
    await mail.become(trouble)
    const untilMs = performance.now() + randomInt(LEAST_MS, MAX_MS)
    for (let order = 1; order === 1 || performance.now() < untilMs; order += 1) {
      paid.push(await orderAndPay(`${time}.${order}@example.org`, time * 100 + order, when))
      await letTimePass(cluster, STEP_SECONDS)
      drawn.push(await untilDrawn(when))
    }
    const before = mail.taken.length
    await mail.become('works')
    const backAt = performance.now()
    while (mail.taken.length === before && performance.now() - backAt < DRAWN_MS) {
      await letTimePass(cluster, STEP_SECONDS) // the delay between tries of a mail grows
      await pause(LOOK_MS)
    }
    if (mail.taken.length === before) problems.push(`${when}: no mail arrived after the server was back`)
    back.push(performance.now() - backAt)
    problems.push(...(await problemsNow(cluster, promises)).map((what) => `${when}: ${what}`))
    tell(`${time} troubles, ${mail.taken.length} mails, ${promised(promises)} promises, ${problems.length} lost`)
  }
  const end = await problemsAtTheEnd(cluster, crowd, promises)
  problems.push(...end.problems)
  const { rows } = await look(cluster.database, (client) =>
    client.query<{ id: string }>(`select id::text from mail_outbox order by id`),
  )
  const arrived = mail.arrivals()
  const missing = rows.filter(({ id }) => !arrived.has(id))
  problems.push(...missing.map(({ id }) => `mail ${id} never arrived`))
  const twice = [...arrived.values()].filter((copies) => copies > 1).length
  report(
    [
      {
        fault: `F10 mail server ${TROUBLES.join(', ')}`,
        tried: `${count} times`,
        held: `${rows.length} mails; ${end.held}`,
        lost: problems.length,
        recovery: `the first mail: ${times(back)}`,
        notes:
          `meanwhile an order was PAID after ${times(paid)}, what draws had to do was done after ${times(drawn)}; ` +
          `${twice} mails arrived twice, cut off before the server accepted them; ${seenBy(crowd)}`,
      },
    ],
    problems,
  )
} finally {
  prober.close()
  await cluster.close()
  await mail.close()
}

/** A new player orders and pays while mail is in trouble. @returns the milliseconds from the order to PAID */
async function orderAndPay(email: string, place: number, when: string): Promise<number> {
  const startedAt = performance.now()
  const { access } = await register(prober, email, addressOf(40_000 + place))
  promises.accounts.add(email)
  const key = randomUUID()
  const made = await prober.call({
    method: 'POST',
    path: '/api/v1/payment',
    body: orderBody(),
    bearer: access,
    headers: { 'idempotency-key': key },
  })
  const problem = problemOf(made)
  if (problem !== null || made.status !== 201) {
    problems.push(`${when}: an order was ${problem ?? `answered ${made.status}: ${made.text.slice(0, 200)}`}`)
    return performance.now() - startedAt
  }
  const { transaction_id: id } = JSON.parse(made.text) as { transaction_id: string } // by contract
  promises.orders.set(key, id)
  // This control of the demo answers once all work is done, mails included, so it is not awaited.
  void prober.call({ method: 'POST', path: '/api/v1/dev/pay', body: { transaction_id: id } }).catch(() => undefined)
  while (performance.now() - startedAt < PAID_MS) {
    const { text } = await prober.call({ method: 'GET', path: `/api/v1/payment?transaction_id=${id}`, bearer: access })
    if (text.includes('"PAID"')) {
      promises.paid.add(id)
      return performance.now() - startedAt
    }
    await pause(LOOK_MS)
  }
  problems.push(`${when}: an order was not PAID after ${PAID_MS / 1000} s`)
  return performance.now() - startedAt
}

/** Waits until draws have no due work left. @returns the milliseconds it waited */
async function untilDrawn(when: string): Promise<number> {
  const startedAt = performance.now()
  const due = `select count(*)::int as draws from jobs where kind like 'draws.%'
    and run_at < extract(epoch from now())::bigint + (select value::bigint from system_state where key = 'demo.clock-offset')`
  while (performance.now() - startedAt < DRAWN_MS) {
    const { rows } = await look(cluster.database, (client) => client.query<{ draws: number }>(due))
    if (rows[0]?.draws === 0) return performance.now() - startedAt
    await pause(LOOK_MS)
  }
  const waiting = await look(cluster.database, (client) => client.query<{ what: string }>(WAITING))
  const jobs = waiting.rows.map(({ what }) => what).join('; ')
  problems.push(`${when}: the due work of draws was not done after ${DRAWN_MS / 1000} s; due jobs: ${jobs}`)
  return performance.now() - startedAt
}

/** A mail server behind a proxy that causes the trouble. */
async function startMailServer() {
  let mood: Mood = 'works'
  const server = await startSmtpServer({
    hideSTARTTLS: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) =>
      done(mood === 'is busy' ? smtpRefusal(451, '4.3.2 busy, come again later') : null),
  })
  const own = await freePort()
  const open = new Set<Socket>()
  const door = createServer((caller) => {
    open.add(caller)
    caller.on('close', () => open.delete(caller))
    caller.on('error', () => undefined) // cut
    if (mood === 'says nothing') return
    const inside = connect(server.port, '127.0.0.1')
    inside.on('error', () => undefined)
    caller.on('close', () => inside.destroy())
    inside.on('close', () => caller.destroy())
    let left = mood === 'cuts every connection' ? randomInt(MAX_CUT) : Infinity
    caller.on('data', (bytes) => {
      left -= bytes.length
      if (left < 0) caller.destroy()
      else inside.write(bytes)
    })
    inside.pipe(caller)
  })

  async function become(next: Mood): Promise<void> {
    mood = next
    for (const socket of open) socket.destroy()
    if (mood === 'is not there') return await shut()
    if (door.listening) return
    door.listen(own, '127.0.0.1')
    await once(door, 'listening')
  }

  async function shut(): Promise<void> {
    if (!door.listening) return
    const closed = once(door, 'close')
    door.close()
    for (const socket of open) socket.destroy()
    await closed
  }

  /** Number of copies of each mail that arrived, by its id in the outbox. */
  function arrivals(): Map<string, number> {
    const copies = new Map<string, number>()
    for (const { raw } of server.taken) {
      const id = /^Message-ID: <mail-(\d+)@/im.exec(raw)?.[1] ?? ''
      copies.set(id, (copies.get(id) ?? 0) + 1)
    }
    return copies
  }

  await become('works')
  return {
    port: own,
    taken: server.taken,
    become,
    arrivals,
    /** The key from the newest mail to an address that contains one. */
    verifyKeyOf(email: string): string | null {
      const mails = server.taken.filter(({ recipients }) => recipients.includes(email)).toReversed()
      const links = mails.flatMap(({ parsed }) => parsed.text?.match(/https?:\/\/\S+/g) ?? [])
      return verifyKeyIn(links)
    },
    async close() {
      await shut()
      await server.close()
    },
  }
}
