/** What a call consists of: its address, the schemas of what goes in and comes out, and the codes it can fail with. */
import type { ErrorCode } from '@fairball/domain/errors'
import type * as z from 'zod/mini'
import type { CallAddress } from './paths.ts'

/** The groups of the reference page, in its order. */
export const TAGS = [
  'Games',
  'Payments',
  'Authentication',
  'Profile',
  'Settings',
  'Content',
  'Fairness',
  'Operations',
  'Demo',
] as const

type Tag = (typeof TAGS)[number]

/** Any schema of this contract. */
export type Schema = z.core.$ZodType

/** What a call's file adds to its address. */
interface CallDetails {
  readonly tag: Tag
  /** One sentence for the reference page and the OpenAPI document. */
  readonly summary: string
  /** The parameters in the path, an object schema with exactly their names. */
  readonly params?: Schema
  /** The query, an object schema. Unknown keys are ignored. */
  readonly query?: Schema
  /** The headers a call reads besides `authorization`, an object schema with names in lower case. */
  readonly headers?: Schema
  /** The JSON body, a strict object schema: unknown keys are refused. */
  readonly body?: Schema
  /** The good answer's JSON (or text, where the address says what it produces). */
  readonly answer: Schema
  /** The codes this call can fail with, besides those that {@link errorsOf} adds for every call. */
  readonly errors: readonly ErrorCode[]
}

export type Call = CallAddress & CallDetails

/** Joins a call's address with its details, both keeping their exact types. */
export function defineCall<const Address extends CallAddress, const Details extends CallDetails>(
  address: Address,
  details: Details,
): Address & Details {
  return { ...address, ...details }
}
