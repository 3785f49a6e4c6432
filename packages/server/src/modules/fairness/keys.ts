import { signingPublicKey } from '@fairball/domain/fairness/signed-note'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Renew, Seal } from '../../runtime/seal.ts'
import * as queries from './queries.ts'

const OPERATOR_NAME = 'fairness.operator'
export const OPERATOR_KEY = 'fairness.operator-key'
/** The secrets of an installation that are kept sealed. */
const KEPT_SECRETS = [OPERATOR_KEY, 'beacon.local-key', 'test-wallet.seed'] as const
/** What a draw's seed is sealed for. */
export const SEED_PURPOSE = 'fairness.seed'

/** A key of the operator. */
export interface SigningKey {
  /** the Ed25519 key's seed, 32 bytes (RFC 8032) */
  readonly secretSeed: Uint8Array
  /** 32 bytes */
  readonly publicKey: Uint8Array
}

/** Who signs the log (fairness section 3). */
export interface Operator {
  /** the host of `PUBLIC_URL` at the first start, kept for good */
  readonly name: string
  /**
   * The key in force. Read anew each time, so that all processes sign with a new one from its statement on; for whoever
   * holds the log's head it stays the same until the end of the transaction.
   */
  keyInForce(from: Queries): Promise<SigningKey>
  /** Puts another key in force, in the transaction of its statement. The one before is forgotten. */
  replaceKey(tx: Tx, secretSeed: Uint8Array): Promise<void>
}

/**
 * A secret of this installation, made at its first use and kept sealed in the database.
 *
 * @param length in bytes
 * @returns the same ever after, whoever asked first
 */
export async function keptSecret(
  deps: { readonly db: Db; readonly runtime: Runtime; readonly seal: Seal },
  name: (typeof KEPT_SECRETS)[number],
  length: number,
): Promise<Uint8Array> {
  const { db, runtime, seal } = deps
  const fresh = Buffer.from(seal.close(runtime.random.bytes(length), name)).toString('base64')
  return seal.open(Buffer.from(await keptText(db, name, fresh), 'base64'), name)
}

/** A fact of this installation that is fixed at its first start: what is stored, or `fresh` from now on. */
export async function keptText(db: Db, name: string, fresh: string): Promise<string> {
  const kept = await db.maybeOne(queries.findState, [name]) // most starts find it, and one that only serves may not write it
  if (kept !== null) return kept.value
  await db.execute(queries.insertState, [name, fresh])
  return (await db.one(queries.findState, [name])).value
}

/** The operator of this installation: its name and its first key are made at the first start. */
export async function keptOperator(
  deps: { readonly db: Db; readonly runtime: Runtime; readonly seal: Seal },
  publicUrl: string,
): Promise<Operator> {
  const name = await keptText(deps.db, OPERATOR_NAME, new URL(publicUrl).hostname)
  await keptSecret(deps, OPERATOR_KEY, 32)
  return operatorNamed(name, deps.seal)
}

/** The operator of an installation that was begun; null for one that was not. */
export async function knownOperator({ db, seal }: { readonly db: Db; readonly seal: Seal }): Promise<Operator | null> {
  const kept = await db.maybeOne(queries.findState, [OPERATOR_NAME])
  return kept === null ? null : operatorNamed(kept.value, seal)
}

function operatorNamed(name: string, seal: Seal): Operator {
  let known: { readonly sealed: string; readonly key: SigningKey } | null = null
  return {
    name,
    async keyInForce(from) {
      const { value: sealed } = await from.one(queries.findState, [OPERATOR_KEY])
      if (known?.sealed !== sealed) {
        const secretSeed = seal.open(Buffer.from(sealed, 'base64'), OPERATOR_KEY)
        known = { sealed, key: { secretSeed, publicKey: signingPublicKey(secretSeed) } }
      }
      return known.key
    },
    async replaceKey(tx, secretSeed) {
      const sealed = Buffer.from(seal.close(secretSeed, OPERATOR_KEY)).toString('base64')
      await tx.execute(queries.updateState, [OPERATOR_KEY, sealed])
    },
  }
}

/**
 * Renews the seals of the installation's secrets, and of the seeds of draws that are not over: the others' are published,
 * or of no more use.
 *
 * @returns how many were renewed
 * @throws Error when one does not open
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
    const fresh = renew(draw.seed_sealed, SEED_PURPOSE)
    return fresh === null ? [] : [{ id: draw.id, fresh }]
  })
  if (seeds.length > 0)
    await tx.execute(queries.renewSeeds, [seeds.map(({ id }) => id), seeds.map(({ fresh }) => fresh)])
  return renewed + seeds.length
}
