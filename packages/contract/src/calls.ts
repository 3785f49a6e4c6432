/**
 * Every call of the product in one table, the source of validation, serialisation, the client's types and the OpenAPI
 * document.
 */
import type * as z from 'zod/mini'
import type { Call } from './call.ts'
import { authCalls } from './calls/auth.ts'
import { beaconCalls } from './calls/beacon.ts'
import { contentCalls } from './calls/content.ts'
import { demoCalls } from './calls/demo.ts'
import { fairnessCalls } from './calls/fairness.ts'
import { gameCalls } from './calls/games.ts'
import { operationsCalls } from './calls/operations.ts'
import { paymentCalls } from './calls/payments.ts'
import { profileCalls } from './calls/profile.ts'
import { settingsCalls } from './calls/settings.ts'
import type { CallName } from './operation-paths.ts'

export type { Call, Schema } from './call.ts'
export type { CallName } from './operation-paths.ts'

/** The calls by name, with exactly the names in paths.ts and operation-paths.ts. */
export const calls = {
  ...gameCalls,
  ...paymentCalls,
  ...authCalls,
  ...profileCalls,
  ...settingsCalls,
  ...contentCalls,
  ...fairnessCalls,
  ...beaconCalls,
  ...operationsCalls,
  ...demoCalls,
} satisfies { readonly [Name in CallName]: Call }

type Calls = typeof calls

/** The type of a call, from the call or its name. */
type Named<C> = C extends CallName ? Calls[C] : C

type OutputOf<C, Part extends string> = C extends { readonly [P in Part]: infer S extends z.core.$ZodType }
  ? z.output<S>
  : undefined
type InputOf<C, Part extends string> = C extends { readonly [P in Part]: infer S extends z.core.$ZodType }
  ? z.input<S>
  : undefined

/** The answer of a call, from the call's type or its name: `AnswerOf<'getGames'>`. */
export type AnswerOf<C extends CallName | Call> = OutputOf<Named<C>, 'answer'>
/** The checked body of a call, as its handler gets it; undefined if it has none. */
export type BodyOf<C extends CallName | Call> = OutputOf<Named<C>, 'body'>
/** The checked query of a call: `_page` is a number here. */
export type QueryOf<C extends CallName | Call> = OutputOf<Named<C>, 'query'>
/** The checked parameters of a call's path. */
export type ParamsOf<C extends CallName | Call> = OutputOf<Named<C>, 'params'>
/** The checked headers of a call, names in lower case. */
export type HeadersOf<C extends CallName | Call> = OutputOf<Named<C>, 'headers'>

/** The body of a call as sent: a two-factor code may be a number here. */
export type SentBodyOf<C extends CallName | Call> = InputOf<Named<C>, 'body'>
/** The query of a call as sent, all texts. */
export type SentQueryOf<C extends CallName | Call> = InputOf<Named<C>, 'query'>
/** The parameters of a call's path as sent, all texts. */
export type SentParamsOf<C extends CallName | Call> = InputOf<Named<C>, 'params'>
/** The headers of a call as sent. */
export type SentHeadersOf<C extends CallName | Call> = InputOf<Named<C>, 'headers'>
