// Two tabs of one browser refresh at the same time, for many players at once. With the lock that the pages use, and the
// token read again under it, no player is ever logged out. Without it, two users of one token never both get a new one,
// and the session ends. It must, because the server cannot tell which of them stole the token.
// Run: node trials/bench/refresh-race.ts [rounds]
import { countOf } from './load/flags.ts'
import {
  addressOf,
  type Client,
  createClient,
  printTable,
  quantile,
  register,
  startProduct,
  tokensOf,
} from '../product.ts'

const ROUNDS = countOf('rounds', 1000)
/** Enough players that each refreshes 51 times: a session allows 60 an hour. */
const PLAYERS = Math.ceil(ROUNDS / 50)
const TABS = 2

/** State shared by the tabs of a browser: local storage and navigator.locks. */
interface Browser {
  refresh: string
  access: string
  lock: Promise<unknown>
}

const product = await startProduct()
const client = createClient(product.port, PLAYERS * TABS)
try {
  const browsers: Browser[] = []
  for (let index = 0; index < PLAYERS; index += 1) {
    const tokens = await register(client, `player.${index}@example.org`, addressOf(index))
    browsers.push({ ...tokens, lock: Promise.resolve() })
  }
  const locked = await raceWithLock(client, browsers)
  const bare = await raceWithout(client, browsers)
  printTable(
    ['two tabs at once', 'rounds', 'refreshes', 'p50', 'p99', 'sessions lost', 'as it must be'],
    [
      row('with the lock', locked, locked.lost === 0),
      row('without it', bare, bare.lost === bare.rounds && bare.winners <= bare.rounds),
    ],
  )
} finally {
  client.close()
  await product.stop()
}

interface Outcome {
  rounds: number
  times: number[]
  /** rounds after which the newest tokens were invalid */
  lost: number
  /** refreshes that returned new tokens */
  winners: number
}

/** Each tab requests the lock; the second one finds a new token and has nothing to do. */
async function raceWithLock(to: Client, browsers: Browser[]): Promise<Outcome> {
  const outcome: Outcome = { rounds: 0, times: [], lost: 0, winners: 0 }
  const refreshOnce = async (browser: Browser): Promise<void> => {
    const seen = browser.refresh
    const turn = browser.lock.then(async () => {
      if (browser.refresh !== seen) return
      const answer = await refresh(to, seen)
      outcome.times.push(answer.ms)
      if (answer.status !== 200) return
      outcome.winners += 1
      Object.assign(browser, tokensOf(answer))
    })
    browser.lock = turn
    await turn
  }
  for (let round = 0; round < ROUNDS / PLAYERS; round += 1) {
    await Promise.all(browsers.flatMap((browser) => Array.from({ length: TABS }, () => refreshOnce(browser))))
    for (const browser of browsers) {
      outcome.rounds += 1
      if (!(await isSignedIn(to, browser.access))) outcome.lost += 1
    }
  }
  return outcome
}

/** One round for each player; the session is gone after it. */
async function raceWithout(to: Client, browsers: Browser[]): Promise<Outcome> {
  const outcome: Outcome = { rounds: 0, times: [], lost: 0, winners: 0 }
  for (const browser of browsers) {
    const answers = await Promise.all(Array.from({ length: TABS }, () => refresh(to, browser.refresh)))
    outcome.rounds += 1
    outcome.times.push(...answers.map((answer) => answer.ms))
    const winners = answers.filter((answer) => answer.status === 200)
    outcome.winners += winners.length
    const newest = winners[0] === undefined ? browser.access : tokensOf(winners[0]).access
    if (!(await isSignedIn(to, newest))) outcome.lost += 1
  }
  return outcome
}

function refresh(to: Client, token: string) {
  return to.call({ method: 'POST', path: '/api/v1/auth/refresh', bearer: token })
}

async function isSignedIn(to: Client, access: string): Promise<boolean> {
  return (await to.call({ method: 'GET', path: '/api/v1/profile', bearer: access })).status === 200
}

function row(title: string, { rounds, times, lost }: Outcome, isGood: boolean): string[] {
  if (!isGood) process.exitCode = 1
  const shown = [quantile(times, 0.5), quantile(times, 0.99)].map((ms) => `${ms.toFixed(2)} ms`)
  return [title, String(rounds), String(times.length), ...shown, String(lost), isGood ? 'yes' : 'NO']
}
