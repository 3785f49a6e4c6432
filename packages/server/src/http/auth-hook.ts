import type { Access } from '@fairball/contract/paths'
import type { FastifyRequest } from 'fastify'
import type { SignedIn } from '../kernel/caller.ts'
import { Unauthorized } from '../kernel/errors.ts'

/**
 * Finds the player of an access token, or null if the token is not ours, has expired, or its session has ended. The
 * accounts module provides it.
 */
export type Authenticate = (accessToken: string) => Promise<SignedIn | null>

/** Longer than any token of ours; nothing longer is checked. */
const LONGEST_TOKEN = 4096

/** The content of the header: no bearer token, one that cannot be valid, or the token. */
export function bearerOf(header: string | undefined): { token: string } | 'none' | 'malformed' {
  if (header === undefined || !/^bearer(\s|$)/i.test(header)) return 'none'
  const token = header.slice('bearer'.length).trim()
  return /^[\w.~+/=-]+$/.test(token) && token.length <= LONGEST_TOKEN ? { token } : 'malformed'
}

/**
 * Checks the bearer token as the call's access class says, before the body is read.
 *
 * @returns the logged-in player; null if there is none and none is needed. For `refresh` the service checks the token,
 *   which only has to be present.
 * @throws Unauthorized if a bearer token is needed and missing, or present and invalid
 */
export async function signIn(
  request: FastifyRequest,
  access: Access,
  authenticate: Authenticate,
): Promise<{ player: SignedIn | null; token: string | null }> {
  if (access === 'anyone' || access === 'demo') return { player: null, token: null }
  const bearer = bearerOf(request.headers.authorization)
  if (bearer === 'none' && access === 'optional') return { player: null, token: null }
  if (bearer === 'none' || bearer === 'malformed') throw new Unauthorized()
  if (access === 'refresh') return { player: null, token: bearer.token }

  const player = await authenticate(bearer.token)
  if (player === null) throw new Unauthorized()
  return { player, token: bearer.token }
}
