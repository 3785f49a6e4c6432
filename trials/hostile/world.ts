import type { AddressInfo } from 'node:net'
import type { OpenApiDocument } from '@fairball/contract/openapi'
import { gameByKey } from '@fairball/domain/seeds'
import { createDatabase, type Db } from '@fairball/server/testing/database'
import { createApplication } from '@fairball/server/testing/http'
import { findSealedViolations, findViolations, readConfig } from '@fairball/server/testing/lottery'
import { testRuntime } from '@fairball/server/testing/runtime'
import type { Bearer } from './draft.ts'
import { ADDRESS, knownValues, PASSWORD, USED_SECRET } from './known-values.ts'
import type { KnownValues } from './schema-values.ts'
import { textAt } from './told.ts'

/** The program on its own port, with players who own things, and a clock that stands still unless it is moved. */
export interface World {
  readonly port: number
  readonly document: OpenApiDocument
  readonly known: KnownValues
  /** The authorization header for a bearer; null for `nobody`. */
  authorizationOf(bearer: Bearer): Promise<string | null>
  /** Renews the player's token after a refusal or a rate limit, a quarter of an hour later. */
  renew(isNewPlayer: boolean): Promise<void>
  /** Holds and settles the draws of a week, then lists broken invariants. */
  violations(): Promise<string[]>
  /** Faults that the program logged as its own. */
  faults(): readonly Record<string, unknown>[]
  close(): Promise<void>
}

const QUARTER_HOUR = 900
/** Time for which a refresh token is used, in seconds, just under its seven idle days. */
const REFRESHABLE_SECONDS = 6 * 86_400
const WEEK = 7 * 86_400
const LOG_LEVEL_ERROR = 50

interface Tokens {
  access: string
  refresh: string
}

/** Starts the program on an empty, migrated database at `url`, and plays until there is something of everything. */
export async function createWorld(url: string): Promise<World> {
  const runtime = testRuntime()
  runtime.log.level = 'error' // hundreds of thousands of answers would flood the log
  const db: Db = createDatabase({ address: url, runtime, poolSize: 10 })
  const config = {
    ...readConfig({}),
    trustProxy: ['127.0.0.1'],
    publicUrl: 'http://localhost:3000',
    secretKey: new Uint8Array(32).fill(9),
  }
  const application = await createApplication({ config, runtime, db, checksAnswers: true, withPages: false })
  await application.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = application.http.server.address() as AddressInfo

  let players = 0
  let tokens: Tokens = { access: '', refresh: '' }
  let refreshing: Tokens = tokens
  let refreshableUntil = 0

  async function call(method: string, path: string, body?: unknown, bearer = tokens.access): Promise<unknown> {
    const answer = await application.http.inject({
      method: method as 'GET',
      url: path.startsWith('/api') ? path : `/api/v1${path}`,
      headers: {
        // A separate address, so that its limits are not those of the attack.
        'x-forwarded-for': `172.16.${Math.floor(players / 250)}.${players % 250}`,
        ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    const answered = answer.json<unknown>()
    if (answer.statusCode >= 300) throw new Error(`the world could not be set up at ${method} ${path}: ${answer.body}`)
    return answered
  }

  async function signUp(): Promise<{ email: string; tokens: Tokens }> {
    players += 1
    const email = `hostile${players}@example.org`
    const made = await call('POST', '/auth/register', { email, email_confirm: email, password: PASSWORD }, '')
    const mails = await call('GET', `/dev/mail?to=${encodeURIComponent(email)}`, undefined, '')
    const key = textAt(mails, 0, 'links', 0).split('/').at(-1)
    await call('PUT', '/auth/verify-email', { key }, '')
    return { email, tokens: tokensOf(made) }
  }

  async function becomePlayer(): Promise<string> {
    const player = await signUp()
    tokens = player.tokens
    await call('PUT', '/settings/crypto-account-details', { btc_address: ADDRESS, password: PASSWORD })
    return player.email
  }

  async function order(key: string, lines: number[][], days: number[], secret?: string): Promise<string> {
    const tickets = lines.map((numbers) => ({ isLuckyDip: false, numbers }))
    const made = await call('POST', '/payment', {
      type: 'lotto',
      key,
      days,
      weeks: 1,
      tickets,
      ...(secret === undefined ? {} : { secret }),
    })
    return textAt(made, 'transaction_id')
  }

  const now = (): number => runtime.clock.now()
  const moveBy = (seconds: number): Promise<unknown> => call('POST', '/dev/clock', { advance: seconds }, '')
  async function refresh(): Promise<void> {
    try {
      tokens = tokensOf(await call('POST', '/auth/refresh', undefined, tokens.refresh))
      await call('POST', '/verify', { password: PASSWORD }) // some endpoints require a recent password check
    } catch {
      await becomePlayer()
    }
  }
  async function newRefresher(): Promise<void> {
    refreshing = (await signUp()).tokens
    refreshableUntil = now() + REFRESHABLE_SECONDS
  }

  // Something of everything: a settled draw, an open one, paid and unpaid orders.
  const email = await becomePlayer()
  const game = gameByKey('bitcoin-hero') // drawn every day
  if (game === null) throw new Error('there is no game bitcoin-hero')
  const lines = Array.from({ length: 12 }, (_, at) =>
    Array.from({ length: game.pick }, (_each, nth) => 1 + at + nth * 2),
  )
  for (const numbers of [lines, lines.slice(0, 2)]) {
    const id = await order(game.key, numbers, [3, 4])
    await call('POST', '/dev/pay', { transaction_id: id }, '')
  }
  await moveBy(2 * 86_400)
  await refresh()
  const paid = await order(game.key, lines.slice(0, 1), [1, 2, 3, 4, 5, 6, 7], USED_SECRET)
  await call('POST', '/dev/pay', { transaction_id: paid }, '')
  const open = await Promise.all([1, 2, 3].map(() => order(game.key, lines.slice(0, 1), [6, 7])))
  const plays = await call('GET', `/games/${game.key}/plays`)
  const messages = await call('GET', '/settings/messages')
  const sessions = await call('GET', '/auth/tokens')
  const username = textAt(await call('GET', '/profile'), 'username')
  const log = await call('GET', '/fairness/log')
  const hint = await call('GET', `/fairness/draws/${game.key}/1`)
  const hashes = JSON.stringify([hint, log]).match(/\b[0-9a-f]{64}\b/g) ?? []
  await newRefresher()

  const known = knownValues({
    email,
    username,
    game,
    lines,
    paid,
    open,
    plays,
    messages,
    sessions,
    hashes,
    opened: textAt(hint, 'open'),
    now,
  })
  const document = (await call('GET', '/openapi.json', undefined, '')) as OpenApiDocument

  return {
    port,
    document,
    known,
    async authorizationOf({ of, change }) {
      if (of === 'nobody') return null
      const { access, refresh: once } = of === 'player' ? { ...tokens } : { access: '', refresh: refreshing.refresh }
      const token = of === 'player' ? access : once
      if (of === 'refresh' && change === null) await newRefresher() // a good one is single use
      return `Bearer ${change === null ? token : change(token)}`
    },
    async renew(isNewPlayer) {
      await moveBy(QUARTER_HOUR)
      if (isNewPlayer) await becomePlayer()
      else await refresh()
      if (now() > refreshableUntil) await newRefresher()
    },
    async violations() {
      await moveBy(WEEK)
      const found = [...(await findViolations(db)), ...(await findSealedViolations(db))]
      return found.map(({ invariant, what }) => `${invariant}: ${what}`)
    },
    faults: () => runtime.logged.filter(({ level }) => Number(level) >= LOG_LEVEL_ERROR),
    async close() {
      await application.close()
      await db.close(1000)
    },
  }
}

function tokensOf(answer: unknown): Tokens {
  return { access: textAt(answer, 'access_token'), refresh: textAt(answer, 'refresh_token') }
}
