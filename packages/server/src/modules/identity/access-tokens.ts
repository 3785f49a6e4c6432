import { ACCESS_TOKEN_SECONDS } from '@fairball/domain/periods'
import { createSigner, createVerifier } from 'fast-jwt'
import type { Clock } from '../../runtime/runtime.ts'

const ISSUER = 'fairball'
const AUDIENCE = 'fairball-api'
const TYPE = 'at+jwt'
const ALGORITHM = 'HS256'

/**
 * Access tokens: JWTs signed with HS256 that name a session and contain nothing else. They use the system's clock,
 * including a demo's jumps. The session's row decides whether the session still lives; the signature only keeps
 * strangers from asking.
 *
 * They are signed and verified synchronously, in the calling thread: every call of a player needs it, and waiting for
 * other threads takes longer than the rest of such a call. No token is cached.
 */
export class AccessTokens {
  readonly #key: Buffer
  readonly #clock: Clock

  constructor({ key, clock }: { readonly key: Uint8Array; readonly clock: Clock }) {
    this.#key = Buffer.from(key)
    this.#clock = clock
  }

  /** Signs a token for a session, valid for ten minutes from now. */
  sign(sessionId: string): string {
    const options = { key: this.#key, algorithm: ALGORITHM, header: { alg: ALGORITHM, typ: TYPE } } as const
    const expiresIn = ACCESS_TOKEN_SECONDS * 1000
    return createSigner({ ...options, iss: ISSUER, aud: AUDIENCE, clockTimestamp: this.#clock.nowMs(), expiresIn })({
      sid: sessionId,
    })
  }

  /** The session that a token names, or null if it is not ours or has expired. */
  sessionOf(token: string): string | null {
    const verify = createVerifier({
      key: this.#key,
      algorithms: [ALGORITHM],
      checkTyp: TYPE,
      allowedIss: ISSUER,
      allowedAud: AUDIENCE,
      requiredClaims: ['iss', 'aud', 'exp', 'sid'], // a missing claim would not be compared
      cache: false,
      clockTimestamp: this.#clock.nowMs() + 1, // at `exp` itself it has already expired (RFC 7519, 4.1.4)
    })
    try {
      const { sid } = verify(token) as { sid: unknown } // a claim it requires
      return typeof sid === 'string' ? sid : null
    } catch {
      return null // whatever is wrong with a token, its bearer is not logged in
    }
  }
}
