import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { Assertion, Registration } from '@fairball/contract/console/staff'

// A passkey in software, made from WebAuthn level 3 and CBOR (RFC 8949): ES256, with user verification, without
// attestation.

/** User present, user verified. */
const PRESENT_AND_VERIFIED = 0x05
/** The same, with attested credential data. */
const WITH_CREDENTIAL = 0x45

/** What a signature may get wrong. */
interface Slips {
  readonly origin?: string
  /** default: both flags */
  readonly flags?: number
  readonly challenge?: string
}

/** One passkey, made for one relying party. */
export class TestPasskey {
  readonly id = randomBytes(16).toString('base64url')
  readonly #privateKey: KeyObject
  readonly #publicKey: KeyObject
  readonly #counts: boolean
  #count = 0

  /** @param counts whether it counts its signatures, as one does whose key is on one device */
  constructor({ counts = true }: { readonly counts?: boolean } = {}) {
    this.#counts = counts
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#privateKey = privateKey
    this.#publicKey = publicKey
  }

  /** Its public key, as the map {1: 2, 3: -7, -1: 1, -2: x, -3: y} of COSE (RFC 9053). */
  publicKey(): Buffer {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    const coordinate = (text: string): Buffer =>
      Buffer.concat([Buffer.from([0x58, 0x20]), Buffer.from(text, 'base64url')])
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      coordinate(x),
      Buffer.from([0x22]),
      coordinate(y),
    ])
  }

  /** Registers this passkey. @param options the server's, as JSON */
  register(options: Record<string, unknown>, origin: string): Registration {
    const { rp, challenge } = options as { rp: { id: string }; challenge: string }
    const id = Buffer.from(this.id, 'base64url')
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.publicKey()])
    const data = this.#data(rp.id, WITH_CREDENTIAL, credential)
    // The map {fmt: "none", attStmt: {}, authData: …}.
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3, 0x63]),
      Buffer.from('fmt'),
      Buffer.from([0x64]),
      Buffer.from('none'),
      Buffer.from([0x67]),
      Buffer.from('attStmt'),
      Buffer.from([0xa0, 0x68]),
      Buffer.from('authData'),
      Buffer.from([0x58, data.length]),
      data,
    ])
    const clientDataJSON = clientData('webauthn.create', challenge, origin).toString('base64url')
    const response = {
      clientDataJSON,
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    }
    return { id: this.id, rawId: this.id, type: 'public-key', response }
  }

  /** Signs a challenge. @param options the server's, as JSON */
  sign(options: Record<string, unknown>, origin: string, slips: Slips = {}): Assertion {
    const { rpId, challenge } = options as { rpId: string; challenge: string }
    if (this.#counts) this.#count += 1
    const data = this.#data(rpId, slips.flags ?? PRESENT_AND_VERIFIED)
    const client = clientData('webauthn.get', slips.challenge ?? challenge, slips.origin ?? origin)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    const signature = createSign('sha256').update(signed).sign(this.#privateKey)
    const response = {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    }
    return { id: this.id, rawId: this.id, type: 'public-key', response }
  }

  #data(rpId: string, flags: number, credential = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.#count)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count, credential])
  }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}
