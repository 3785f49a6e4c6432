// Does the response time reveal whether an account exists? Measures 1,000 pairs of calls, one about a known account and
// one about an unknown one, in random order within a pair. They are interleaved, so that other work on the computer
// affects both alike.
// Run: node trials/bench/enumeration.ts [pairs]
import { countOf } from './load/flags.ts'
import {
  addressOf,
  createClient,
  type Answer,
  type Call,
  printTable,
  quantile,
  register,
  startProduct,
} from '../product.ts'

const PAIRS = countOf('pairs', 1000)
/** Tries per account: throttling starts at the fifth failure, and an address gets five mails a quarter hour. */
const TRIES = 4
/** Pairs used as warm-up. */
const WARM_UP = 40
/** Limit for the difference of the medians, in percent. */
const LIMIT_PERCENT = 5

const product = await startProduct()
const client = createClient(product.port, 1)
try {
  const accounts = Math.ceil((PAIRS + WARM_UP) / TRIES)
  for (let index = 0; index < accounts; index += 1) await register(client, known(index), addressOf(index))
  const rows: string[][] = []
  for (const [title, callOf, status] of [
    ['login with a wrong password', login, 400],
    ['forgotten password', forgotten, 200],
  ] as const) {
    const times = await measure(callOf, status)
    rows.push(rowOf(title, times.known, times.unknown))
  }
  printTable(['call', 'pairs', 'known, median', 'unknown, median', 'difference', 'within 5 %'], rows)
} finally {
  client.close()
  await product.stop()
}

function known(index: number): string {
  return `known.${index}@example.org`
}

function login(email: string, from: string): Call {
  const body = { email_or_username: email, password: 'Wrong-Horse-7-Battery' }
  return { method: 'POST', path: '/api/v1/auth/login', body, from }
}

function forgotten(email: string, from: string): Call {
  return { method: 'GET', path: `/api/v1/auth/forgotten-password?email=${encodeURIComponent(email)}`, from }
}

async function measure(callOf: (email: string, from: string) => Call, status: number) {
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let pair = 0; pair < PAIRS + WARM_UP; pair += 1) {
    const index = Math.floor(pair / TRIES)
    const emails = { known: known(index), unknown: `nobody.${index}@example.org` }
    const order = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const kind of order) {
      // Each call has its own address: the limit per address applies to both alike, and must not be reached.
      const from = addressOf((1 << 16) + pair * 2 + (kind === 'known' ? 1 : 0))
      const answer = await client.call(callOf(emails[kind], from))
      if (pair >= WARM_UP) times[kind].push(assertStatus(answer, status).ms)
    }
  }
  return times
}

function assertStatus(answer: Answer, status: number): Answer {
  if (answer.status !== status) throw new Error(`answered ${answer.status}, not ${status}: ${answer.text}`)
  return answer
}

function rowOf(title: string, knownMs: readonly number[], unknownMs: readonly number[]): string[] {
  const [one, other] = [quantile(knownMs, 0.5), quantile(unknownMs, 0.5)]
  const percent = (Math.abs(one - other) / Math.min(one, other)) * 100
  const isGood = percent < LIMIT_PERCENT
  if (!isGood) process.exitCode = 1
  return [
    title,
    String(knownMs.length),
    `${one.toFixed(2)} ms`,
    `${other.toFixed(2)} ms`,
    `${percent.toFixed(1)} %`,
    isGood ? 'yes' : 'NO',
  ]
}
