import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/**
 * A log's side of C2SP tlog-witness, written from the texts of C2SP and RFC 6962 without other code of this repository,
 * so that the tests show compatibility with other logs and witnesses.
 */

const PRIVATE_KEY = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_KEY = Buffer.from('302a300506032b6570032100', 'hex')

/** A key of a log. */
interface HandKey {
  readonly name: string
  readonly privateKey: KeyObject
  /** 32 bytes */
  readonly publicKey: Buffer
  /** `<name>+<id>+<base64(0x01 || public key)>` (signed-note) */
  readonly verifierKey: string
  /** 4 bytes */
  readonly id: Buffer
}

/** @param seed 32 bytes */
export function handKey(name: string, seed: Uint8Array): HandKey {
  const privateKey = createPrivateKey({ key: Buffer.concat([PRIVATE_KEY, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
  const typed = Buffer.concat([Buffer.of(1), publicKey])
  const id = sha256(Buffer.concat([Buffer.from(`${name}\n`), typed])).subarray(0, 4)
  return { name, privateKey, publicKey, id, verifierKey: `${name}+${id.toString('hex')}+${typed.toString('base64')}` }
}

/** MTH of RFC 6962, section 2.1. */
export function treeHash(leaves: readonly string[]): Buffer {
  const [only] = leaves
  if (only === undefined) return sha256(Buffer.alloc(0))
  if (leaves.length === 1) return sha256(Buffer.concat([Buffer.of(0), Buffer.from(only, 'latin1')]))
  const k = splitOf(leaves.length)
  return sha256(Buffer.concat([Buffer.of(1), treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k))]))
}

/** PROOF(m, D[n]) of RFC 6962, section 2.1.2. */
export function consistencyProof(m: number, leaves: readonly string[]): Buffer[] {
  return m === 0 || m === leaves.length ? [] : subProof(m, leaves, true)
}

function subProof(m: number, leaves: readonly string[], isWhole: boolean): Buffer[] {
  const n = leaves.length
  if (m === n) return isWhole ? [] : [treeHash(leaves)]
  const k = splitOf(n)
  if (m <= k) return [...subProof(m, leaves.slice(0, k), isWhole), treeHash(leaves.slice(k))]
  return [...subProof(m - k, leaves.slice(k), false), treeHash(leaves.slice(0, k))]
}

/** A checkpoint of a tree, signed (tlog-checkpoint, signed-note). @param lines further signature lines */
export function checkpointOf(leaves: readonly string[], key: HandKey, lines: readonly string[] = []): string {
  return checkpointWith({ size: leaves.length, root: treeHash(leaves) }, key, lines)
}

export function checkpointWith(
  { size, root }: { readonly size: number; readonly root: Buffer },
  key: HandKey,
  lines: readonly string[] = [],
): string {
  const text = `${key.name}\n${size}\n${root.toString('base64')}\n`
  const signature = Buffer.concat([key.id, sign(null, Buffer.from(text), key.privateKey)]).toString('base64')
  return `${text}\n${[`— ${key.name} ${signature}`, ...lines].map((line) => `${line}\n`).join('')}`
}

/** The body of a request: old size, proof, empty line, checkpoint (tlog-witness). */
export function requestOf(old: number | string, proof: readonly Buffer[], checkpoint: string): string {
  return `old ${old}\n${proof.map((hash) => `${hash.toString('base64')}\n`).join('')}\n${checkpoint}`
}

/**
 * The time at which a line of an answer cosigns a checkpoint, by a witness's verifier key (tlog-cosignature).
 *
 * @returns epoch seconds; null if the line is not a valid cosignature
 */
export function cosignedTime(line: string, verifierKey: string, checkpoint: string): number | null {
  const [name = '', id = '', ...encoded] = verifierKey.split('+')
  const typed = Buffer.from(encoded.join('+'), 'base64') // base64 has plus signs too
  const [mark, by, signed = ''] = line.split(' ')
  const bytes = Buffer.from(signed, 'base64')
  const isKey =
    typed[0] === 4 &&
    typed.length === 33 &&
    id ===
      sha256(Buffer.concat([Buffer.from(`${name}\n`), typed]))
        .subarray(0, 4)
        .toString('hex') &&
    bytes.subarray(0, 4).toString('hex') === id
  if (mark !== '—' || by !== name || !isKey || bytes.length !== 76) return null
  const time = bytes.readBigUInt64BE(4)
  const text = checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1)
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_KEY, typed.subarray(1)]), format: 'der', type: 'spki' })
  const message = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`)
  return verify(null, message, key, bytes.subarray(12)) ? Number(time) : null
}

function splitOf(n: number): number {
  let k = 1
  while (2 * k < n) k *= 2
  return k
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
