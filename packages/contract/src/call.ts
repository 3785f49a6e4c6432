/** The parts of a call: its address, the schemas of its input and answer, and its error codes. */
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

/** A schema of this contract. */
export type Schema = z.core.$ZodType

/** The part of a call besides its address. */
interface CallDetails {
  readonly tag: Tag
  /** One sentence for the reference page and the OpenAPI document. */
  readonly summary: string
  /** The parameters in the path, an object schema with exactly their names. */
  readonly params?: Schema
  /** The query, an object schema. Unknown keys are ignored. */
  readonly query?: Schema
  /** The headers the call reads besides `authorization`, an object schema with names in lower case. */
  readonly headers?: Schema
  /** The JSON body, a strict object schema: unknown keys are refused. */
  readonly body?: Schema
  /** The answer's JSON, or text if the address names a media type. */
  readonly answer: Schema
  /** The error codes of this call, besides those that {@link errorsOf} adds to every call. */
  readonly errors: readonly ErrorCode[]
}

export type Call = CallAddress & CallDetails

/** Joins a call's address and details; both keep their exact types. */
export function defineCall<const Address extends CallAddress, const Details extends CallDetails>(
  address: Address,
  details: Details,
): Address & Details {
  return { ...address, ...details }
}
