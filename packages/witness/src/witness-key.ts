import { join } from 'node:path'
import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { publicKeyOf } from '@fairball/domain/protocol/ed25519'
import { type NoteKey, verifierKey, WITNESS_KEY_TYPE } from '@fairball/domain/protocol/note'
import { FolderError, parseObject, textOf } from './journal.ts'
import type { Runtime } from './runtime.ts'

/** The witness's signing key. */
export interface WitnessKey extends NoteKey {
  /** Ed25519, 32 bytes; never leaves this computer */
  readonly secretSeed: Uint8Array
}

const KEY_FILE = 'key.json'
const FORMAT = 'fairball/witness-key/v2'
/** Names in the form that C2SP recommends: an address without its scheme, such as `witness.example/alice`. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._~/-]{0,127}$/

/** Whether a text can be the name of a witness. */
export function isWitnessName(name: string): boolean {
  return NAME.test(name)
}

/** The key in the form of policies, for operators and verifiers: `<name>+<id>+<base64>` of type 0x04. */
export function witnessVerifierKey(key: NoteKey): string {
  return verifierKey(key, WITNESS_KEY_TYPE)
}

/** Reads the key of a folder; null before it is created. @throws FolderError */
function readKey(files: Runtime['files'], folder: string): WitnessKey | null {
  const bytes = files.read(join(folder, KEY_FILE))
  if (bytes === null) return null
  const row = parseObject(new TextDecoder().decode(bytes))
  if (row === null || row['format'] !== FORMAT) throw damaged()
  const [name, secret] = [textOf(row, 'name'), textOf(row, 'secret_seed')]
  if (!isWitnessName(name) || !/^[0-9a-f]{64}$/.test(secret)) throw damaged()
  const secretSeed = fromHex(secret)
  return { name, secretSeed, publicKey: publicKeyOf(secretSeed) }
}

/**
 * The key of a folder. It is created on first use from the system's random source, and only its owner can read it.
 *
 * @param name needed if there is no key yet
 * @throws FolderError for another name than the key's, and if the name is missing
 */
export function keyOf(
  runtime: Pick<Runtime, 'files' | 'randomBytes'>,
  folder: string,
  name: string | null,
): { key: WitnessKey; isNew: boolean } {
  const known = readKey(runtime.files, folder)
  if (known === null) return { key: makeKey(runtime, folder, name), isNew: true }
  if (name !== null && name !== known.name) {
    throw new FolderError(
      `The key in ${folder} belongs to ${known.name}, not ${name}. Each witness has its own folder.`,
    )
  }
  return { key: known, isNew: false }
}

function damaged(): FolderError {
  return new FolderError(`${KEY_FILE} is damaged. Put back a copy; if no operator was ever given the key, delete it.`)
}

function makeKey(runtime: Pick<Runtime, 'files' | 'randomBytes'>, folder: string, name: string | null): WitnessKey {
  if (name === null) throw new FolderError(`There is no key in ${folder} yet: say with --name how you are called.`)
  const secretSeed = runtime.randomBytes(32)
  const publicKey = publicKeyOf(secretSeed)
  const content = { format: FORMAT, name, public_key: toHex(publicKey), secret_seed: toHex(secretSeed) }
  runtime.files.makeFolder(folder)
  if (!runtime.files.create(join(folder, KEY_FILE), `${JSON.stringify(content, null, 2)}\n`)) {
    throw new FolderError(`Another program has just made a key in ${folder}.`)
  }
  return { name, secretSeed, publicKey }
}
