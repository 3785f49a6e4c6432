import type { Db, Queries, Tx } from '../../db/pool.ts'
import { type KeyUse, LASTING_USES } from '../../runtime/keys.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { createSeal, type InstallationSeal } from '../../runtime/seal.ts'
import { LOG_KEY, renewSeals } from './keys.ts'
import * as queries from './queries.ts'

const KNOWN_WORD = 'installation.known-word'
const WORD = Buffer.from('fairball')
const keptKeyName = (use: KeyUse): string => `installation.key.${use}`

/** The database was created with another SECRET_KEY. */
export class WrongSecretKey extends Error {
  override readonly name = 'WrongSecretKey'

  constructor(cause: unknown) {
    super('SECRET_KEY is not the one this database was made with.', { cause })
  }
}

/**
 * Opens the installation with its key. The first start encrypts a known word in the database. For an older database the
 * log's key serves the same purpose, and what was encrypted before each use had a key of its own is encrypted again.
 *
 * @throws WrongSecretKey
 */
export async function openInstallation(deps: {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'random'>
  readonly secretKey: Uint8Array
}): Promise<InstallationSeal> {
  const { db, runtime, secretKey } = deps
  const seal = createSeal(secretKey, runtime.random)
  const isFromBefore = (await read(db, KNOWN_WORD)) === null
  const older = isFromBefore ? await read(db, LOG_KEY) : null
  if (older !== null) {
    openWith(seal, older, LOG_KEY)
    await renewOlderSeals(db, seal)
  }
  if (isFromBefore) await db.execute(queries.insertState, [KNOWN_WORD, sealed(seal, WORD, KNOWN_WORD)])
  // Of two first starts with different keys, the other may have been first.
  openWith(seal, (await read(db, KNOWN_WORD)) ?? '', KNOWN_WORD)
  const kept = new Map<KeyUse, Uint8Array>()
  for (const use of LASTING_USES) {
    const value = await read(db, keptKeyName(use))
    if (value !== null) kept.set(use, openWith(seal, value, keptKeyName(use)))
  }
  return createSeal(secretKey, runtime.random, kept)
}

/**
 * Encrypts this module's secrets with another key, in one transaction with all the rest. @throws Error if one cannot be
 * decrypted
 */
export async function changeInstallationKey(tx: Tx, seal: InstallationSeal, next: InstallationSeal): Promise<void> {
  await tx.one(queries.lockHead, [])
  await tx.execute(queries.putState, [KNOWN_WORD, sealed(next, WORD, KNOWN_WORD)])
  for (const use of LASTING_USES) {
    const name = keptKeyName(use)
    await tx.execute(queries.putState, [name, sealed(next, seal.keyFor(use), name)])
  }
  await renewSeals(tx, (secret, purpose) => next.close(seal.open(secret, purpose), purpose))
}

async function renewOlderSeals(db: Db, seal: InstallationSeal): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.one(queries.lockHead, []) // another signing key is put in force under this lock
    await renewSeals(tx, seal.renew)
  })
}

async function read(from: Queries, name: string): Promise<string | null> {
  return (await from.maybeOne(queries.findState, [name]))?.value ?? null
}

function sealed(seal: InstallationSeal, secret: Uint8Array, name: string): string {
  return Buffer.from(seal.close(secret, name)).toString('base64')
}

/** @throws WrongSecretKey */
function openWith(seal: InstallationSeal, value: string, name: string): Uint8Array {
  try {
    return seal.open(Buffer.from(value, 'base64'), name)
  } catch (error) {
    throw new WrongSecretKey(error)
  }
}
