// Players of a lottery whose processes crash and restart. They register, order, pay, change settings and retry, as a
// browser does after a failed request. They record what the product acknowledged, and every answer that breaks its
// rules.
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { luckyDip } from '@fairball/domain/lucky-dip'
import { isErrorCode } from '@fairball/domain/errors'
import { GAMES } from '@fairball/domain/seeds'
import { Address } from '@scure/btc-signer'
import { addressOf, type Answer, type Call, type Client, createClient, PASSWORD } from '../product.ts'
import { REGTEST } from '@fairball/server/testing/ports'
import { monotonicTime } from '@fairball/server/testing/runtime'
import { pause } from './database.ts'
import { acknowledge, ask, masksOf, type Promises } from './promises.ts'

/** An answer that takes longer counts as missing, in ms. */
const LONGEST_MS = 30_000
/** The demo's controls finish all due work before they answer, so they get longer. */
const LONGEST_CONTROL_MS = 180_000
/** Delay before a player retries, in ms. */
const AGAIN_MS = 200
/** Left out of the response times, because the controls do the work that is due. */
const CONTROLS = /\/dev\//

/** Outcome of a call: good, refused with a reason, or unknown to the caller. */
type Outcome = { readonly kind: 'good' | 'refused'; readonly status: number; readonly body: Body } | { kind: 'nothing' }
// The few fields that players read, each by name.
type Body = Record<string, unknown>

/** What the players observed of the product, besides what it promised them. */
export interface Seen {
  /** answers that must never happen: one line each */
  readonly wrong: string[]
  good: number
  refused: number
  /** no connection, or the connection was cut */
  cut: number
  /** the calls that were cut or answered 503 */
  readonly failures: string[]
  /** 503 in the required shape */
  unavailable: number
  /** the slowest answer of any kind, without the demo's controls */
  slowestMs: number
}

export interface Crowd {
  readonly seen: Seen
  /** Lets everyone finish what they are doing and start nothing new. */
  rest(): Promise<void>
  /** Everyone continues. */
  wake(): void
  /** Ends the load. Afterwards everyone has a verified email address and a payout address. */
  finish(): Promise<void>
  /** Moves the clock, and retries until it has moved. */
  moveClock(seconds: number): Promise<void>
  /** Reads the fairness log to its end, as a mirror does. */
  readLog(): Promise<void>
}

interface CrowdSettings {
  readonly ports: readonly number[]
  readonly promises: Promises
  readonly players: number
  /** Whether connections are kept alive. Default: true. */
  readonly keepsConnections?: boolean
  /** Whether the crowd moves the clock. Default: true. */
  readonly isTimeMoving?: boolean
  /** The key from the verification link sent to an address. Default: read from the demo's outbox. */
  readonly verifyKeyOf?: (email: string) => string | null
}

/** A page of the log. */
interface LogPage {
  readonly size: number
  readonly statements: readonly { readonly index: number; readonly text: string }[]
  readonly next: number | null
}

interface Player {
  readonly email: string
  readonly from: string
  access: string | null
  refresh: string | null
}

/** Starts players against the processes that listen on `ports`. */
export function startCrowd(settings: CrowdSettings): Crowd {
  const { promises, ports } = settings
  const seen: Seen = { wrong: [], failures: [], good: 0, refused: 0, cut: 0, unavailable: 0, slowestMs: 0 }
  const clients = ports.map((port) => createClient(port, 64, settings.keepsConnections))
  const run = randomBytes(3).toString('hex')
  let isResting = false
  let isOver = false
  let busy = 0

  async function call(wanted: Call): Promise<Outcome> {
    const isControl = CONTROLS.test(wanted.path)
    const limitMs = isControl ? LONGEST_CONTROL_MS : LONGEST_MS
    const answer = await answerOf(pick(clients), wanted, limitMs)
    if (answer === 'late') {
      seen.wrong.push(`${wanted.method} ${wanted.path} had no answer after ${limitMs / 1000} s`)
      return { kind: 'nothing' }
    }
    if (answer === 'cut') {
      seen.cut += 1
      seen.failures.push(`${wanted.method} ${wanted.path} was cut`)
      return { kind: 'nothing' }
    }
    if (!isControl) seen.slowestMs = Math.max(seen.slowestMs, answer.ms)
    const problem = problemOf(answer)
    if (problem !== null) seen.wrong.push(`${wanted.method} ${wanted.path}: ${problem}`)
    if (answer.status >= 500) {
      seen.unavailable += 1
      seen.failures.push(`${wanted.method} ${wanted.path} was answered ${answer.status}`)
      return { kind: 'nothing' }
    }
    const kind = answer.status < 300 ? 'good' : 'refused'
    seen[kind] += 1
    return { kind, status: answer.status, body: parsed(answer.text) ?? {} }
  }

  /** Retries until there is an answer; null if the load ends first. */
  async function insist(wanted: () => Call): Promise<Exclude<Outcome, { kind: 'nothing' }> | null> {
    for (let isFirst = true; isFirst || !isOver; isFirst = false) {
      const outcome = await call(wanted())
      if (outcome.kind !== 'nothing') return outcome
      await pause(AGAIN_MS)
    }
    return null
  }

  /** A call of a logged-in player, who logs in again if the session has ended. */
  async function signed(player: Player, wanted: Omit<Call, 'bearer' | 'from'>) {
    for (let tries = 0; tries < 3; tries += 1) {
      if (player.access === null) await signIn(player)
      const bearer = player.access
      if (bearer === null) return null
      const outcome = await insist(() => ({ ...wanted, bearer, from: player.from }))
      if (outcome?.kind !== 'refused' || outcome.status !== 401) return outcome
      player.access = null
    }
    return null
  }

  async function signIn(player: Player): Promise<void> {
    if (player.refresh !== null) {
      const bearer = player.refresh
      player.refresh = null // single use: a player who misses the answer logs in again
      const outcome = await call({ method: 'POST', path: '/api/v1/auth/refresh', bearer, from: player.from })
      if (keepTokens(player, outcome)) return
    }
    const { email, from } = player
    if (!promises.accounts.has(email)) {
      const body = { email, email_confirm: email, password: PASSWORD }
      const outcome = await insist(() => ({ method: 'POST', path: '/api/v1/auth/register', body, from }))
      if (keepTokens(player, outcome)) {
        promises.accounts.add(email)
        return
      }
      // Taken by an attempt whose answer was lost: the account exists.
    }
    const body = { email_or_username: email, password: PASSWORD }
    const outcome = await insist(() => ({ method: 'POST', path: '/api/v1/auth/login', body, from }))
    if (keepTokens(player, outcome)) promises.accounts.add(email)
    else if (outcome !== null) await pause(AGAIN_MS)
  }

  function keepTokens(player: Player, outcome: Outcome | null): boolean {
    if (outcome?.kind !== 'good') return false
    player.access = String(outcome.body['access_token'])
    player.refresh = String(outcome.body['refresh_token'])
    return true
  }

  async function settleIn(player: Player): Promise<void> {
    const { email } = player
    if (!promises.verified.has(email)) await verify(player)
    if (promises.addresses.has(email)) return
    const address = Address(REGTEST).encode({ type: 'wpkh', hash: randomBytes(20) })
    const body = { btc_address: address, password: PASSWORD }
    const outcome = await signed(player, { method: 'PUT', path: '/api/v1/settings/crypto-account-details', body })
    if (outcome?.kind === 'good') acknowledge(promises.addresses, email, address)
  }

  async function verify(player: Player): Promise<void> {
    if (player.access === null) await signIn(player)
    const key = settings.verifyKeyOf === undefined ? await keyFromOutbox(player) : settings.verifyKeyOf(player.email)
    if (key === null) return
    const { from, email } = player
    const outcome = await insist(() => ({ method: 'PUT', path: '/api/v1/auth/verify-email', body: { key }, from }))
    if (outcome?.kind === 'good') promises.verified.add(email)
    else
      await call({ method: 'GET', path: '/api/v1/auth/resend-verification-email', bearer: player.access ?? '', from })
  }

  async function keyFromOutbox({ email, from }: Player): Promise<string | null> {
    const path = `/api/v1/dev/mail?to=${encodeURIComponent(email)}`
    const outcome = await insist(() => ({ method: 'GET', path, from }))
    if (outcome?.kind !== 'good') return null
    // A list, as the contract has it.
    const mails = outcome.body as unknown as readonly { links: readonly string[] }[]
    return verifyKeyIn(mails.flatMap(({ links }) => links))
  }

  async function order(player: Player): Promise<void> {
    const key = randomUUID()
    const body = orderBody()
    const wanted = { method: 'POST', path: '/api/v1/payment', body, headers: { 'idempotency-key': key } } as const
    const outcome = await signed(player, wanted)
    if (outcome?.kind !== 'good') return
    const id = String(outcome.body['transaction_id'])
    promises.orders.set(key, id)
    if (randomInt(5) === 0) {
      const again = await signed(player, wanted)
      if (again?.kind === 'good' && again.body['transaction_id'] !== id) seen.wrong.push(`key ${key} made two orders`)
    }
    if (randomInt(10) > 0) await pay(player, id)
  }

  async function pay(player: Player, id: string): Promise<void> {
    const body = { transaction_id: id }
    const paid = await insist(() => ({ method: 'POST', path: '/api/v1/dev/pay', body, from: player.from }))
    if (paid?.kind === 'good' && paid.body['status'] === 'PAID') promises.paid.add(id)
    const outcome = await signed(player, { method: 'GET', path: `/api/v1/payment?transaction_id=${id}` })
    if (outcome?.kind === 'good' && outcome.body['status'] === 'PAID') promises.paid.add(id)
    if (outcome?.kind === 'refused' && outcome.status === 404) seen.wrong.push(`order ${id} is not found by its player`)
  }

  async function saveNumbers(player: Player): Promise<void> {
    const game = gameOf('bitcoin-hero')
    const lines = Array.from({ length: randomInt(1, 4) }, () => luckyDip(game, (count) => randomBytes(count)))
    ask(promises.numbers, player.email, masksOf(lines))
    const path = '/api/v1/games/bitcoin-hero/saved-numbers'
    const outcome = await signed(player, { method: 'PUT', path, body: { lines } })
    if (outcome?.kind === 'good') acknowledge(promises.numbers, player.email, masksOf(lines))
  }

  /** The log is public and comes newest first. A statement never changes once published. */
  async function readLog(): Promise<void> {
    const before = promises.notes.length
    for (let from: number | null = null; ;) {
      const path: string = `/api/v1/fairness/log${from === null ? '' : `?from=${from}`}`
      const outcome = await call({ method: 'GET', path })
      if (outcome.kind !== 'good') return
      const { size, statements, next } = outcome.body as unknown as LogPage // by contract
      if (size < before) seen.wrong.push(`the log had ${before} statements and has ${size}`)
      for (const { index, text } of statements) {
        const known = promises.notes[index]
        if (known !== undefined && known !== text) seen.wrong.push(`statement ${index} of the log was replaced`)
        promises.notes[index] = text
      }
      if (next === null || next < before - 1) return
      from = next
    }
  }

  async function visit(player: Player): Promise<void> {
    if (player.access === null) await signIn(player)
    await settleIn(player)
    const what = randomInt(10)
    if (what < 6) await order(player)
    else if (what < 8) await saveNumbers(player)
    else if (what < 9) await signed(player, { method: 'GET', path: '/api/v1/games/bitcoin-hero/plays' })
    else player.access = null // the next call refreshes the session
  }

  async function advance(seconds: number): Promise<boolean> {
    const wanted = { method: 'POST', path: '/api/v1/dev/clock', body: { advance: seconds } } as const
    const outcome = await call(wanted)
    if (outcome.kind !== 'good') return false
    promises.clockAt = Math.max(promises.clockAt, Number(outcome.body['now']))
    return true
  }

  /** Repeats `work` until the load ends, with a pause in between. */
  async function again(work: () => Promise<void>, breathMs: number): Promise<void> {
    while (!isOver) {
      if (isResting) {
        await pause(20)
        continue
      }
      busy += 1
      try {
        await work()
      } finally {
        busy -= 1
      }
      await pause(randomInt(breathMs))
    }
  }

  const players: Player[] = Array.from({ length: settings.players }, (_, index) => ({
    email: `player.${index}.${run}@example.org`,
    from: addressOf(index + 1),
    access: null,
    refresh: null,
  }))
  const lives = players.map((player) => again(() => visit(player), 120))
  lives.push(again(readLog, 2000))
  // Most steps are small. With six games, a step of a few hours contains draws.
  const steps = [20, 60, 300, 900, 3600, 14_400, 43_200] as const
  if (settings.isTimeMoving !== false) lives.push(again(async () => void (await advance(pick(steps))), 600))

  return {
    seen,
    async rest() {
      isResting = true
      while (busy > 0) await pause(10)
    },
    wake: () => void (isResting = false),
    async finish() {
      isOver = true
      await Promise.all(lives)
      isOver = false // so that the calls below are retried
      for (const player of players)
        for (let tries = 0; tries < 20; tries += 1) {
          if (promises.verified.has(player.email) && promises.addresses.has(player.email)) break
          await settleIn(player)
        }
    },
    readLog,
    async moveClock(seconds) {
      for (let tries = 0; tries < 50; tries += 1) {
        if (await advance(seconds)) return
        await pause(AGAIN_MS)
      }
      seen.wrong.push(`the clock did not move by ${seconds} s`)
    },
  }
}

/** The key of the newest verification link. */
export function verifyKeyIn(links: readonly string[]): string | null {
  const link = links.find((one) => one.includes('/verify-email/'))
  return link === undefined ? null : link.slice(link.lastIndexOf('/') + 1)
}

/** A random order of a few lines, or with one of the given line counts. */
export function orderBody(lines: readonly number[] = [1, 3, 10, 60]) {
  const game = pick(GAMES)
  const days = [...new Set(Array.from({ length: randomInt(1, 3) }, () => randomInt(1, 8)))]
  const playable = days.filter((day) => game.drawTimes.some((time) => time.day === day))
  const [first] = game.drawTimes
  if (first === undefined) throw new Error(`${game.key} is never drawn`)
  return {
    type: 'lotto',
    key: game.key,
    days: playable.length > 0 ? playable : [first.day],
    weeks: 1,
    tickets: Array.from({ length: pick(lines) }, () => ({
      isLuckyDip: true,
      numbers: luckyDip(game, (count) => randomBytes(count)),
    })),
  }
}

function gameOf(key: string) {
  const game = GAMES.find((one) => one.key === key)
  if (game === undefined) throw new Error(`there is no game ${key}`)
  return game
}

/** A random element. */
export function pick<T>(list: readonly T[]): T {
  return list[randomInt(list.length)] as T // the lists here are never empty
}

/** One call with a time limit. */
async function answerOf(client: Client, wanted: Call, limitMs: number): Promise<Answer | 'cut' | 'late'> {
  const late = new AbortController()
  const answer = client.call(wanted).catch(() => 'cut' as const)
  const limit = monotonicTime.sleep(limitMs, late.signal).then(
    () => 'late' as const,
    () => 'cut' as const, // the answer came first
  )
  const first = await Promise.race([answer, limit])
  late.abort()
  return first
}

/**
 * Describes a forbidden answer: a server error other than 503, or an error in the wrong shape. Null for an allowed one.
 */
export function problemOf({ status, text }: Answer): string | null {
  if (status < 400) return null
  const error = parsed(text)?.['error'] as Body | undefined
  const isInShape =
    typeof error === 'object' &&
    typeof error['message'] === 'string' &&
    (isErrorCode(String(error['code'])) || status === 401) &&
    Object.keys(error).every((key) => ['code', 'message', 'fields', 'reason'].includes(key))
  if (status > 500 && status !== 503) return `answered ${status}: ${text.slice(0, 200)}`
  if (status === 500) return `answered 500: ${text.slice(0, 200)}`
  return isInShape ? null : `answered ${status} in another shape: ${text.slice(0, 200)}`
}

function parsed(text: string): Body | null {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' ? (body as Body | null) : null
  } catch {
    return null
  }
}
