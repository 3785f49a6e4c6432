import { fromBase64, toBase64 } from '@fairball/domain/protocol/bytes'
import { partsOf } from '@fairball/domain/protocol/parts'
import { usernameProblem } from '@fairball/domain/validation'

/**
 * The code on a ticket: `t=2.{index}.{ps}.{username}`, the part after `#` in the address of a draw's proof. It shows
 * one play in one draw, and opens nothing else.
 */
export interface TicketCode {
  /** The play's place in the tree of its draw. */
  readonly index: number
  /** The play's secret for this draw alone, 32 bytes. */
  readonly ps: Uint8Array
  /** The player's name when the order was made. */
  readonly username: string
}

/** A decimal index below 10^15, 32 bytes in base64url, and a percent-encoded name of at most 250 characters. */
const CODE = /^t=2\.(0|[1-9]\d{0,14})\.([\w-]{43})\.([^.#]{1,750})$/u

/** @returns the code for the part of an address after `#` */
export function writeTicketCode({ index, ps, username }: TicketCode): string {
  const secret = toBase64(ps).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `t=2.${index}.${secret}.${encodeURIComponent(username)}`
}

/**
 * Reads a code.
 *
 * @param fragment the part of an address after `#`
 * @returns null for anything that {@link writeTicketCode} does not write: a damaged code
 */
export function readTicketCode(fragment: string): TicketCode | null {
  const parts = partsOf<[string, string, string]>(CODE, fragment)
  if (parts === null) return null
  const [index, secret, name] = parts
  try {
    const ps = fromBase64(`${secret.replaceAll('-', '+').replaceAll('_', '/')}=`)
    const username = decodeURIComponent(name)
    return usernameProblem(username) === null ? { index: Number(index), ps, username } : null
  } catch (error) {
    if (error instanceof RangeError || error instanceof URIError) return null
    throw error
  }
}
