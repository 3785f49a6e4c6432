import { signingPublicKey } from '@fairball/domain/fairness/signed-note'
import type { Db } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Seal } from '../../runtime/seal.ts'
import { findState, insertState } from './queries.ts'

/** Who signs the log. */
export interface Operator {
  /** the host of `PUBLIC_URL` at the first start, kept for good */
  readonly name: string
  /** the Ed25519 key's seed, 32 bytes (RFC 8032) */
  readonly secretSeed: Uint8Array
  /** 32 bytes */
  readonly publicKey: Uint8Array
}

/**
 * A secret of this installation, made at its first use and kept sealed in the database.
 *
 * @param length in bytes
 * @returns the same ever after, whoever asked first
 */
export async function keptSecret(
  deps: { readonly db: Db; readonly runtime: Runtime; readonly seal: Seal },
  name: string,
  length: number,
): Promise<Uint8Array> {
  const { db, runtime, seal } = deps
  const fresh = Buffer.from(seal.close(runtime.random.bytes(length), name)).toString('base64')
  return seal.open(Buffer.from(await keptText(db, name, fresh), 'base64'), name)
}

/** A fact of this installation that is fixed at its first start: what is stored, or `fresh` from now on. */
export async function keptText(db: Db, name: string, fresh: string): Promise<string> {
  await db.execute(insertState, [name, fresh])
  return (await db.one(findState, [name])).value
}

/** The operator of this installation: its name and its key, both made at the first start. */
export async function keptOperator(
  deps: { readonly db: Db; readonly runtime: Runtime; readonly seal: Seal },
  publicUrl: string,
): Promise<Operator> {
  const name = await keptText(deps.db, 'fairness.operator', new URL(publicUrl).hostname)
  const secretSeed = await keptSecret(deps, 'fairness.operator-key', 32)
  return { name, secretSeed, publicKey: signingPublicKey(secretSeed) }
}
