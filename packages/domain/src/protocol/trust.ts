import { readCheckpoint } from './checkpoint.ts'
import { type Json, readJson } from './json.ts'
import { type Policy, PolicyError, readPolicy } from './policy.ts'
import { hex, integer, listOf, objectOf, orNull, type Shape, ShapeError, text } from './shapes.ts'

/** A verifier's trust (section 11): its policy, its known log key, its own sights and its kept heads. */

/** A close that the verifier fetched itself, with the time: one before the round was due proves the sealing. */
export interface Sight {
  readonly open: string
  /** of the close */
  readonly hash: string
  /** epoch seconds */
  readonly at: number
}

export interface Trust {
  readonly policy: Policy | null
  /** the log's, hex */
  readonly key: string | null
  readonly sights: readonly Sight[]
  /** notes of checkpoints */
  readonly heads: readonly string[]
}

/** No trust: only checks that need nothing but the bundle. */
export const NO_TRUST: Trust = { policy: null, key: null, sights: [], heads: [] }

const MAX_SIGHTS = 100_000
const MAX_HEADS = 10_000

const policy: Shape<Policy> = (value, what) => {
  try {
    return readPolicy(text(value, what))
  } catch (error) {
    if (error instanceof PolicyError) throw new ShapeError(`${what}: ${error.message}`)
    throw error
  }
}
const head: Shape<string> = (value, what) => {
  const note = text(value, what)
  if (readCheckpoint(note) === null) throw new ShapeError(`${what} is not a signed head of a log.`)
  return note
}
const trust = objectOf<Trust>({
  policy: orNull(policy),
  key: orNull(hex),
  sights: listOf(objectOf<Sight>({ open: hex, hash: hex, at: integer }), MAX_SIGHTS),
  heads: listOf(head, MAX_HEADS),
})
const EMPTY: readonly (readonly [string, Json])[] = [
  ['policy', null],
  ['key', null],
  ['sights', []],
  ['heads', []],
]

/** Reads a trust file; an omitted key means no trust. @throws JsonError or ShapeError, with a message for people */
export function readTrust(fileText: string): Trust {
  const file = readJson(fileText)
  const given = file instanceof Map ? [...(file as ReadonlyMap<string, Json>)] : null
  return trust(given === null ? file : new Map<string, Json>([...EMPTY, ...given]), 'The trust')
}
