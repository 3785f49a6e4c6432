/** A call of the operator's console: its address below `/console/api/v1`, and the schemas of its parts. */
import type * as z from 'zod/mini'
import type { ApiScope } from './integrations.ts'

/** Where the calls of the console begin, on its own origin. */
export const CONSOLE_API = '/console/api/v1'

type Schema = z.core.$ZodType

/** One call of the console. */
export interface ConsoleCall {
  readonly method: 'GET' | 'POST'
  /** below {@link CONSOLE_API}; parameters in braces */
  readonly path: string
  /** `nobody` has to be signed in for it, or a person of the staff */
  readonly access: 'nobody' | 'staff'
  /** what an API key has to be made for that makes the call in place of a person; missing where none may */
  readonly scope?: ApiScope
  readonly params?: Schema
  readonly query?: Schema
  readonly body?: Schema
  readonly answer: Schema
  /** the status of a success; default 200 */
  readonly status?: 201
}

type OutputOf<C, Part extends string> = C extends { readonly [P in Part]: infer S extends z.core.$ZodType }
  ? z.output<S>
  : undefined
/** The body of a call as it is sent; undefined if it has none. */
export type ConsoleBodyOf<C extends ConsoleCall> = C extends { readonly body: infer S extends z.core.$ZodType }
  ? z.input<S>
  : undefined

/** The checked parts of a call's request. */
export interface ConsoleInput<C extends ConsoleCall> {
  readonly params: OutputOf<C, 'params'>
  readonly query: OutputOf<C, 'query'>
  readonly body: OutputOf<C, 'body'>
}

/** The answer of a call. */
export type ConsoleAnswerOf<C extends ConsoleCall> = z.output<C['answer']>

/** Declares a call, with the exact types of its parts. */
export function defineConsoleCall<const C extends ConsoleCall>(call: C): C {
  return call
}
