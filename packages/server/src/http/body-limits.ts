import type { CallAddress } from '@fairball/contract/paths'

const KIB = 1024

/** The default size limit of a body, in bytes. */
export const USUAL_BODY = 64 * KIB

/** By the beginning of a call's path, in bytes. */
const LIMITS: readonly (readonly [path: RegExp, bytes: number])[] = [
  [/^\/(?:auth|verify|settings)\b/, 16 * KIB],
  // 1,000 lines of seven numbers, with each number on a line of its own behind 12 spaces, are 227 KiB.
  [/^\/(?:payment$|games\/)/, 256 * KIB],
  // 65,000 characters, each written as two escapes of six bytes.
  [/^\/contact$/, 800 * KIB],
]

/** The size limit of a call's body, in bytes: no legal one is larger, however it is written. */
export function largestBody({ path }: CallAddress): number {
  return LIMITS.find(([pattern]) => pattern.test(path))?.[1] ?? USUAL_BODY
}
