import { ACCESS_TOKEN_SECONDS } from '@fairball/domain/periods'
import { jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../../runtime/runtime.ts'

const ISSUER = 'fairball'
const AUDIENCE = 'fairball-api'
const TYPE = 'at+jwt'
const ALGORITHM = 'HS256'

export type AccessTokens = ReturnType<typeof createAccessTokens>

/**
 * Access tokens: JWTs signed with HS256 that name a session and carry nothing else. They count the system's clock, a
 * demo's jumps included. The session's row decides whether the session still lives; the signature only keeps strangers
 * from asking.
 */
export function createAccessTokens({ key, clock }: { key: Uint8Array; clock: Clock }) {
  /** Signs a token for a session, good for ten minutes from now. */
  async function sign(sessionId: string): Promise<string> {
    const nowAt = clock.now()
    return await new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(nowAt)
      .setExpirationTime(nowAt + ACCESS_TOKEN_SECONDS)
      .sign(key)
  }

  /** The session that a token names, or null when it is not ours or has expired. */
  async function sessionOf(token: string): Promise<string | null> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp', 'sid'],
        currentDate: new Date(clock.nowMs()),
      })
      const sessionId = payload['sid']
      return typeof sessionId === 'string' ? sessionId : null
    } catch {
      return null // whatever is wrong with a token, its bearer is not signed in
    }
  }

  return { sign, sessionOf }
}
