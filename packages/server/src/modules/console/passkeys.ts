import { createHash } from 'node:crypto'
import type { Assertion, Registration } from '@fairball/contract/console/staff'
import type { Relying } from './context.ts'

// Passkeys by WebAuthn: discoverable, with user verification, without attestation. The library checks what an
// authenticator says; the challenges are ours, as bytes. It is loaded at the first passkey, so that no start waits for it.

const library = () => import('@simplewebauthn/server')

/** ES256, EdDSA and RS256 by their COSE numbers. */
const ALGORITHMS = [-7, -8, -257]
/** How long a browser waits for its person, in milliseconds. */
const PATIENCE_MS = 300_000
/** What sets one attempt apart from the others in a passkey's answer. */
const CHALLENGE = /^[\w-]{22,86}$/

/** A registered passkey. */
interface Passkey {
  readonly credentialId: string
  readonly publicKey: Uint8Array
  readonly transports: string[]
}

/** A passkey that a registration made. */
interface NewPasskey extends Passkey {
  readonly signCount: number
  readonly isBackedUp: boolean
}

/** The SHA-256 of a text or of bytes. */
export function sha256(content: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(content).digest())
}

/** Options for a signature by one of some passkeys, or by any discoverable one. */
export async function assertionOptions(
  { id }: Relying,
  challenge: Uint8Array<ArrayBuffer>,
  passkeys: readonly Pick<Passkey, 'credentialId' | 'transports'>[],
): Promise<Record<string, unknown>> {
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: id,
    challenge,
    timeout: PATIENCE_MS,
    userVerification: 'required',
    allowCredentials: passkeys.map(descriptorOf),
  })
  return { ...options }
}

/** Options for a new passkey of a person, which none of theirs may be. */
export async function registrationOptions(
  { id }: Relying,
  challenge: Uint8Array<ArrayBuffer>,
  person: {
    readonly siteName: string
    readonly staffId: bigint
    readonly name: string
    readonly passkeys: readonly Pick<Passkey, 'credentialId' | 'transports'>[]
  },
): Promise<Record<string, unknown>> {
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: `${person.siteName}, operator console`,
    rpID: id,
    challenge,
    timeout: PATIENCE_MS,
    userID: new Uint8Array(new TextEncoder().encode(`staff ${person.staffId}`)),
    userName: person.name,
    userDisplayName: person.name,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: person.passkeys.map(descriptorOf),
  })
  return { ...options }
}

/**
 * Whether a passkey signed a challenge for this console, with its person verified.
 *
 * @returns the authenticator's count of signatures; null for a signature that does not hold
 */
export async function verifyAssertion(
  relying: Relying,
  challenge: Uint8Array,
  { credentialId, publicKey }: Pick<Passkey, 'credentialId' | 'publicKey'>,
  { id, rawId, type, response }: Assertion,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: {
          clientDataJSON: response.clientDataJSON,
          authenticatorData: response.authenticatorData,
          signature: response.signature,
        },
      },
      expectedChallenge: Buffer.from(challenge).toString('base64url'),
      expectedOrigin: relying.origin,
      expectedRPID: relying.id,
      requireUserVerification: true,
      // The counter is compared by the caller: a signature is verified more than once.
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: 0 },
    })
    return verified && id === credentialId ? authenticationInfo.newCounter : null
  } catch {
    return null // the library throws for each way in which an answer can be wrong
  }
}

/** The passkey that a registration made for a challenge of this console; null if it does not hold. */
export async function verifyRegistration(
  relying: Relying,
  challenge: Uint8Array,
  { id, rawId, type, response }: Registration,
): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await library()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject },
      },
      expectedChallenge: Buffer.from(challenge).toString('base64url'),
      expectedOrigin: relying.origin,
      expectedRPID: relying.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return null
    const { credential, credentialBackedUp } = registrationInfo
    return {
      credentialId: credential.id,
      publicKey: new Uint8Array(credential.publicKey),
      signCount: credential.counter,
      isBackedUp: credentialBackedUp,
      transports: [...new Set(response.transports ?? [])],
    }
  } catch {
    return null // as above
  }
}

/** The challenge that an answer says it signed; null if it says none. */
export function challengeOf({ clientDataJSON }: { readonly clientDataJSON: string }): Uint8Array | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as {
      challenge?: unknown
    }
    if (typeof challenge !== 'string' || !CHALLENGE.test(challenge)) return null
    return new Uint8Array(Buffer.from(challenge, 'base64url'))
  } catch {
    return null
  }
}

function descriptorOf({ credentialId, transports }: Pick<Passkey, 'credentialId' | 'transports'>) {
  // The browser's own words, of which future ones are as good.
  return { id: credentialId, transports: [...transports] as ('usb' | 'internal')[] }
}
