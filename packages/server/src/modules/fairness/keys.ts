import { toHex } from '@fairball/domain/protocol/bytes'
import { nobleHash } from '@fairball/domain/protocol/hash'
import { OLD_KEY_SECONDS } from '@fairball/domain/protocol/numbers'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { RandomSource, Runtime } from '../../runtime/runtime.ts'
import type { Renew, Seal } from '../../runtime/seal.ts'
import type { LogContext } from './context.ts'
import { KnownHead } from './known-head.ts'
import * as queries from './queries.ts'
import { type SigningKey, signingKey } from './signing.ts'

const ORIGIN = 'fairness.origin'
export const LOG_KEY = 'fairness.log-key'
const NEXT_KEY = 'fairness.next-key'
const OLD_KEY = 'fairness.old-key'
/** When the old key was replaced, in epoch seconds. */
const OLD_KEY_SINCE = 'fairness.old-key-since'
/** The secrets of an installation, stored encrypted. */
const KEPT_SECRETS = [LOG_KEY, NEXT_KEY, OLD_KEY, 'beacon.local-key', 'test-wallet.seed'] as const
type KeptSecret = (typeof KEPT_SECRETS)[number]
const SEED_BYTES = 32
/** The purpose that a draw's seed is encrypted for. */
export const SEED_PURPOSE = 'fairness.seed'

interface SecretsDeps {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'random'>
  readonly seal: Seal
}

/**
 * A secret of this installation, generated at its first use and stored encrypted in the database.
 *
 * @param length in bytes
 * @returns the same value ever after, whichever process asked first
 */
export async function keptSecret(deps: SecretsDeps, name: KeptSecret, length: number): Promise<Uint8Array> {
  const { db, runtime, seal } = deps
  const fresh = sealedText(seal, runtime.random.bytes(length), name)
  return seal.open(Buffer.from(await keptText(db, name, fresh), 'base64'), name)
}

/** A fact of this installation that is fixed at its first start: the stored value, or `fresh` from now on. */
export async function keptText(db: Db, name: string, fresh: string): Promise<string> {
  // most starts find it, and a process that only serves may not write it
  const kept = await db.maybeOne(queries.findState, [name])
  if (kept !== null) return kept.value
  await db.execute(queries.insertState, [name, fresh])
  return (await db.one(queries.findState, [name])).value
}

type NamedLog = Pick<LogContext, 'origin' | 'keys' | 'known'>

/**
 * The origin of this installation's log, by the host of `PUBLIC_URL`, and its keys: both are made at the first start.
 */
export async function keptLog(deps: SecretsDeps, publicUrl: string): Promise<NamedLog> {
  const origin = await keptText(deps.db, ORIGIN, `${new URL(publicUrl).hostname}/fairball`)
  await keptSecret(deps, LOG_KEY, SEED_BYTES)
  await keptSecret(deps, NEXT_KEY, SEED_BYTES)
  return logNamed(origin, deps)
}

/** The log of an installation that has begun; null before that. */
export async function knownLog(deps: SecretsDeps): Promise<NamedLog | null> {
  const kept = await deps.db.maybeOne(queries.findState, [ORIGIN])
  return kept === null ? null : logNamed(kept.value, deps)
}

function logNamed(origin: string, { seal, runtime }: SecretsDeps): NamedLog {
  return { origin, keys: new LogKeys(seal, runtime.random), known: new KnownHead() }
}

/**
 * The keys of the log (docs/fairness.md, section 13). They are read from the database each time, so all processes sign
 * with a new key from its statement on. While the log's head is held they do not change.
 */
export class LogKeys {
  readonly #seal: Seal
  readonly #random: RandomSource
  readonly #known = new Map<string, { readonly sealed: string; readonly key: SigningKey }>()

  constructor(seal: Seal, random: RandomSource) {
    this.#seal = seal
    this.#random = random
  }

  /** The key in force. */
  async inForce(from: Queries): Promise<SigningKey> {
    return await this.#read(from, LOG_KEY)
  }

  /** What the log commits to as `next`: the hash of the next public key, hex. */
  async nextHash(from: Queries): Promise<string> {
    return toHex(nobleHash((await this.#read(from, NEXT_KEY)).publicKey))
  }

  /**
   * The keys that sign a checkpoint: the one in force, and for 90 days also the previous one, for witnesses that only
   * know that.
   */
  async forCheckpoints(from: Queries, at: number): Promise<SigningKey[]> {
    const inForce = await this.inForce(from)
    const since = await from.maybeOne(queries.findState, [OLD_KEY_SINCE])
    if (since === null || at > Number(since.value) + OLD_KEY_SECONDS) return [inForce]
    return [inForce, await this.#read(from, OLD_KEY)]
  }

  /**
   * Puts the next key in force and makes a new next one, in the transaction of the `key` statement.
   *
   * @param at its time
   */
  async rotate(tx: Tx, at: number): Promise<void> {
    const old = await this.#seedOf(tx, LOG_KEY)
    const next = await this.#seedOf(tx, NEXT_KEY)
    await this.#put(tx, OLD_KEY, old)
    await this.#put(tx, LOG_KEY, next)
    await this.#put(tx, NEXT_KEY, this.#random.bytes(SEED_BYTES))
    await tx.execute(queries.putState, [OLD_KEY_SINCE, String(at)])
  }

  async #put(tx: Tx, name: KeptSecret, secretSeed: Uint8Array): Promise<void> {
    await tx.execute(queries.putState, [name, sealedText(this.#seal, secretSeed, name)])
  }

  async #seedOf(from: Queries, name: KeptSecret): Promise<Uint8Array> {
    const { value } = await from.one(queries.findState, [name])
    return this.#seal.open(Buffer.from(value, 'base64'), name)
  }

  async #read(from: Queries, name: KeptSecret): Promise<SigningKey> {
    const { value: sealed } = await from.one(queries.findState, [name])
    const known = this.#known.get(name)
    if (known?.sealed === sealed) return known.key
    const key = signingKey(this.#seal.open(Buffer.from(sealed, 'base64'), name))
    this.#known.set(name, { sealed, key })
    return key
  }
}

/**
 * Encrypts the installation's secrets again, and the seeds of unfinished draws. The other seeds are published or no
 * longer needed.
 *
 * @returns how many were encrypted again
 * @throws Error if one cannot be decrypted
 */
export async function renewSeals(tx: Tx, renew: Renew): Promise<number> {
  let renewed = 0
  for (const name of KEPT_SECRETS) {
    const kept = await tx.maybeOne(queries.findState, [name])
    const fresh = kept === null ? null : renew(Buffer.from(kept.value, 'base64'), name)
    if (fresh === null) continue
    await tx.execute(queries.updateState, [name, Buffer.from(fresh).toString('base64')])
    renewed += 1
  }
  const seeds = (await tx.run(queries.listSealedSeeds, [])).flatMap((draw) => {
    const fresh = renew(draw.seedSealed, SEED_PURPOSE)
    return fresh === null ? [] : [{ id: draw.id, fresh }]
  })
  if (seeds.length > 0)
    await tx.execute(queries.renewSeeds, [seeds.map(({ id }) => id), seeds.map(({ fresh }) => fresh)])
  return renewed + seeds.length
}

function sealedText(seal: Seal, secret: Uint8Array, name: string): string {
  return Buffer.from(seal.close(secret, name)).toString('base64')
}
