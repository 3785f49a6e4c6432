import type { Assertion, Registration } from '@fairball/contract/console/staff'
import { isRecord } from '../api.ts'
import type { Runtime } from '../runtime.ts'
import { fromBase64url, toBase64url } from './base64url.ts'
import { cbor, joined } from './cbor.ts'
import { derSignature } from './der.ts'
import { hostIn, textIn } from './options.ts'
import type { RawOptions } from './options.ts'
import type { TestKey, TestKeys } from './test-keys.ts'

/** Person present and verified, and with a new key in it (WebAuthn level 3, section 6.1). */
const [VERIFIED, WITH_KEY] = [0x05, 0x45] as const
const KEY_KIND = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const
const ID_BYTES = 16
const AAGUID = new Uint8Array(16)
/** COSE: an elliptic curve's key, for ES256, on P-256. */
const [KEY_TYPE, ALGORITHM, CURVE, X, Y] = [1, 3, -1, -2, -3] as const

/** What the authenticator works with. */
interface Parts {
  readonly keys: TestKeys
  readonly runtime: Pick<Runtime, 'randomBytes'>
  /** the page's origin */
  readonly origin: string
}

/** Makes a key for a registration, and keeps it in this browser. */
export async function registerTestKey(parts: Parts, options: RawOptions, label: string): Promise<Registration> {
  const { keys, runtime, origin } = parts
  const pair = await crypto.subtle.generateKey(KEY_KIND, false, ['sign', 'verify'])
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const id = runtime.randomBytes(ID_BYTES)
  const host = hostIn(options)
  const publicKey = cbor(
    new Map<number, number | Uint8Array>([
      [KEY_TYPE, 2],
      [ALGORITHM, -7],
      [CURVE, 1],
      [X, fromBase64url(x)],
      [Y, fromBase64url(y)],
    ]),
  )
  const held = joined(AAGUID, Uint8Array.of(0, id.length), id, publicKey)
  const data = joined(await authenticatorData(host, WITH_KEY, 0), held)
  const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', data],
  ])
  const user = isRecord(options['user']) ? options['user'] : {}
  const kept = { id: toBase64url(id), host, user: textIn(user, 'id'), userName: textIn(user, 'name'), label }
  await keys.put({ ...kept, key: pair.privateKey, count: 0 })
  return {
    id: kept.id,
    rawId: kept.id,
    type: 'public-key',
    response: {
      clientDataJSON: toBase64url(clientData('webauthn.create', options, origin)),
      attestationObject: toBase64url(cbor(attestation)),
      transports: ['internal'],
    },
  }
}

/** Has a kept key answer a challenge. */
export async function signWithTestKey(parts: Parts, options: RawOptions, key: TestKey): Promise<Assertion> {
  const count = key.count + 1
  await parts.keys.put({ ...key, count })
  const client = clientData('webauthn.get', options, parts.origin)
  const data = await authenticatorData(key.host, VERIFIED, count)
  const signature = await crypto.subtle.sign(SIGNING, key.key, joined(data, await sha256(client)))
  return {
    id: key.id,
    rawId: key.id,
    type: 'public-key',
    response: {
      clientDataJSON: toBase64url(client),
      authenticatorData: toBase64url(data),
      signature: toBase64url(derSignature(new Uint8Array(signature))),
      userHandle: key.user,
    },
  }
}

function clientData(type: string, options: RawOptions, origin: string): Uint8Array<ArrayBuffer> {
  const challenge = textIn(options, 'challenge')
  return new TextEncoder().encode(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

async function authenticatorData(host: string, flags: number, count: number): Promise<Uint8Array<ArrayBuffer>> {
  const counter = new Uint8Array(4)
  new DataView(counter.buffer).setUint32(0, count)
  return joined(await sha256(new TextEncoder().encode(host)), Uint8Array.of(flags), counter)
}

/** SHA-256 of bytes. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}
