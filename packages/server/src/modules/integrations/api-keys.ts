import { createHash } from 'node:crypto'
import { CONSOLE_ERRORS } from '@fairball/contract/console/errors'
import { API_SCOPES, type ApiScope } from '@fairball/contract/console/integrations'
import { LotteryError } from '@fairball/domain/errors'
import type { Queries, Tx } from '../../db/pool.ts'
import { CodedRefusal, Refused } from '../../kernel/errors.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import * as queries from './api-key-queries.ts'

/** A key as its holder may use it. */
interface ApiKey {
  readonly id: bigint
  readonly name: string
  readonly scopes: readonly string[]
}

const SECRET_BYTES = 32
const LONGEST_SECONDS = 366 * 86_400
const LONGEST_NAME = 100
const KEY = /^Bearer (fbk_[1-9]\d{0,17}_[0-9a-f]{64})$/iu
/** Requests that a key may make in a second. */
const MOST_A_SECOND = 10

/**
 * Makes a key for a program of the operator.
 *
 * @returns the key, which is shown once; only its hash is kept
 * @throws Refused
 */
export async function createApiKey(
  { runtime }: { readonly runtime: Pick<Runtime, 'clock' | 'random'> },
  tx: Tx,
  wanted: { readonly name: string; readonly scopes: readonly string[]; readonly expiresAt: number },
): Promise<{ id: bigint; key: string }> {
  const now = runtime.clock.now()
  const name = wanted.name.trim()
  if (name === '' || name.length > LONGEST_NAME || /\p{Cc}/u.test(name))
    throw new Refused(`A key has a name of at most ${LONGEST_NAME} characters.`)
  const scopes = [...new Set(wanted.scopes)]
  const unknown = scopes.find((scope) => !(API_SCOPES as readonly string[]).includes(scope))
  if (scopes.length === 0 || unknown !== undefined)
    throw new Refused(`A key may read some of ${API_SCOPES.join(', ')}.`)
  if (wanted.expiresAt <= now || wanted.expiresAt > now + LONGEST_SECONDS)
    throw new Refused('A key lasts a year at most, and ends in the future.')
  const secret = Buffer.from(runtime.random.bytes(SECRET_BYTES)).toString('hex')
  const row = { createdAt: now, expiresAt: wanted.expiresAt, name, scopes, hash: hashOf(secret) }
  const { id } = await tx.one(queries.insertKey, row)
  const key = `fbk_${id}_${secret}`
  await tx.execute(queries.setHash, [id, hashOf(key)])
  return { id, key }
}

/** Ends a key. @throws Refused */
export async function revokeApiKey(
  { runtime }: { readonly runtime: Pick<Runtime, 'clock'> },
  tx: Tx,
  id: bigint,
): Promise<void> {
  if ((await tx.execute(queries.revokeKey, [id, runtime.clock.now()])) === 0)
    throw new Refused(`There is no key ${id}, or it is revoked.`)
}

/** Lets programs in by their keys, each for a limited number of requests. One per process of the console. */
export class ApiKeys {
  readonly #deps: { readonly db: Queries; readonly runtime: Pick<Runtime, 'clock' | 'monotonic'> }
  /** the moments of each key's last requests, by real time in ms */
  readonly #asked = new Map<bigint, number[]>()

  constructor(deps: { readonly db: Queries; readonly runtime: Pick<Runtime, 'clock' | 'monotonic'> }) {
    this.#deps = deps
  }

  /**
   * The key of an `Authorization` header.
   *
   * @returns null for a header that names none: then a person may be signed in
   * @param scope what is read; null for what no key may
   * @throws CodedRefusal SIGN_IN_NEEDED for a key that is unknown, expired or revoked
   * @throws LotteryError ACCESS_DENIED for another scope, TOO_MANY_REQUESTS beyond ten in a second
   */
  async of(header: string | undefined, scope: ApiScope | null): Promise<ApiKey | null> {
    if (header === undefined) return null
    const given = KEY.exec(header)?.[1]
    const found =
      given === undefined
        ? null
        : await this.#deps.db.maybeOne(queries.findKey, [given, this.#deps.runtime.clock.now()])
    if (found === null || found.id === null) throw signInNeeded()
    const key = { id: found.id, name: found.name ?? '', scopes: found.scopes ?? [] }
    this.#count(key.id)
    if (scope === null || !key.scopes.includes(scope)) throw new LotteryError('ACCESS_DENIED')
    return key
  }

  /** @throws LotteryError TOO_MANY_REQUESTS */
  #count(id: bigint): void {
    const nowMs = this.#deps.runtime.monotonic.nowMs()
    const lately = (this.#asked.get(id) ?? []).filter((ms) => ms > nowMs - 1000)
    if (lately.length >= MOST_A_SECOND) throw new LotteryError('TOO_MANY_REQUESTS', undefined, { retryAfterSeconds: 1 })
    this.#asked.set(id, [...lately, nowMs])
  }
}

function signInNeeded(): CodedRefusal {
  const { status, text } = CONSOLE_ERRORS.SIGN_IN_NEEDED
  return new CodedRefusal('SIGN_IN_NEEDED', status, text)
}

function hashOf(text: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(text).digest())
}
