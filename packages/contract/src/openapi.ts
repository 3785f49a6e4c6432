/** The OpenAPI 3.1 document of the calls. Only this file converts schemas to JSON Schema for readers. */
import { textOfError } from '@fairball/domain/errors'
import type { ErrorCode } from '@fairball/domain/errors'
import * as z from 'zod/mini'
import { TAGS } from './call.ts'
import type { Call, Schema } from './call.ts'
import { errorSchema, errorsOf } from './errors-of.ts'
import { HTTP_STATUS, UNAUTHORIZED } from './http-status.ts'
import { API_BASE, statusOf } from './paths.ts'
import {
  messageSchema,
  personalDetailsSchema,
  profileSchema,
  responsiblePlaySchema,
  sessionSchema,
  tokensSchema,
  transactionRowSchema,
} from './schemas/account.ts'
import { okSchema } from './schemas/answers.ts'
import { causeSchema, winnerSchema } from './schemas/content.ts'
import { drawHintSchema, logStatementSchema, receiptSchema } from './schemas/fairness.ts'
import {
  drawDetailsSchema,
  drawMoneySchema,
  drawSchema,
  gameSchema,
  myGameSchema,
  nextDrawSchema,
  partnerSchema,
  playSchema,
  watchDataSchema,
  watchPrizeSchema,
  winSchema,
} from './schemas/game.ts'
import { blockSchema, wordsSchema } from './schemas/legal.ts'
import { amountSchema, cryptoSchema, fiatAmountSchema, fiatSchema, prizeAmountSchema } from './schemas/money.ts'
import { checkoutSchema, orderInput } from './schemas/order.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export interface Parameter extends JsonObject {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonObject
}

export interface Operation extends JsonObject {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly responses: { readonly [status: string]: JsonObject }
}

export interface OpenApiDocument extends JsonObject {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: { readonly [path: string]: { readonly [method: string]: Json } }
  readonly components: { readonly schemas: { readonly [name: string]: JsonObject } } & JsonObject
}

/** Schemas with a name of their own in the document, because many calls share them. */
const NAMED_SCHEMAS = {
  Amount: amountSchema,
  Block: blockSchema,
  Cause: causeSchema,
  Checkout: checkoutSchema,
  Crypto: cryptoSchema,
  Draw: drawSchema,
  DrawDetails: drawDetailsSchema,
  DrawHint: drawHintSchema,
  DrawMoney: drawMoneySchema,
  Error: errorSchema,
  Fiat: fiatSchema,
  FiatAmount: fiatAmountSchema,
  Game: gameSchema,
  LogStatement: logStatementSchema,
  Message: messageSchema,
  MyGame: myGameSchema,
  NextDraw: nextDrawSchema,
  Ok: okSchema,
  Order: orderInput,
  Partner: partnerSchema,
  PersonalDetails: personalDetailsSchema,
  Play: playSchema,
  PrizeAmount: prizeAmountSchema,
  Profile: profileSchema,
  Receipt: receiptSchema,
  ResponsiblePlay: responsiblePlaySchema,
  Session: sessionSchema,
  Tokens: tokensSchema,
  TransactionRow: transactionRowSchema,
  WatchData: watchDataSchema,
  WatchPrize: watchPrizeSchema,
  Win: winSchema,
  Winner: winnerSchema,
  Words: wordsSchema,
} as const satisfies Record<string, Schema>

/** Creates the document.
 *
 * @param calls the table of calls, or a part of it
 * @param server its address without a slash at the end, and the version of the product
 */
export function openApiDocument(
  calls: Readonly<Record<string, Call>>,
  server: { serverUrl: string; version: string },
): OpenApiDocument {
  const schemas = new SchemaBook()
  // Every call can fail, so the error's shape is always included.
  schemas.of(errorSchema)
  const paths: Record<string, Record<string, Json>> = {}
  for (const [name, call] of Object.entries(calls)) {
    const item = (paths[call.path] ??=
      call.base === undefined ? {} : { servers: [{ url: server.serverUrl + call.base }] })
    item[call.method.toLowerCase()] = operationOf(name, call, schemas)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Fairball', version: server.version, description: DESCRIPTION },
    servers: [{ url: server.serverUrl + API_BASE }],
    tags: TAGS.map((tag) => ({ name: tag })),
    paths,
    components: { schemas: schemas.named, securitySchemes: SECURITY_SCHEMES },
  }
}

const DESCRIPTION =
  'A provably fair bitcoin lottery. Times are epoch seconds, UTC. Amounts of bitcoin are decimals with 8 places; ' +
  'other amounts are keyed by currency code. Lists are newest first, ten rows a page, and pages count from 1. ' +
  '401 means one thing: the bearer token is missing, expired or revoked.'

const SECURITY_SCHEMES = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token, valid for 10 minutes.',
  },
  refreshToken: { type: 'http', scheme: 'bearer', description: 'The refresh token, valid for one use.' },
} as const

function operationOf(name: string, call: Call, schemas: SchemaBook): Operation {
  return {
    operationId: name,
    summary: call.summary,
    tags: [call.tag],
    security: securityOf(call),
    parameters: [
      ...parametersOf('path', call.params, schemas),
      ...parametersOf('query', call.query, schemas),
      ...parametersOf('header', call.headers, schemas),
    ],
    ...(call.body === undefined
      ? {}
      : { requestBody: { required: true, content: jsonContent(schemas.of(call.body)) } }),
    responses: { [statusOf(call)]: goodResponse(call, schemas), ...errorResponses(call) },
  }
}

function securityOf({ access }: Call): Json {
  switch (access) {
    case 'anyone':
    case 'demo':
      return []
    case 'optional':
      return [{}, { accessToken: [] }]
    case 'player':
      return [{ accessToken: [] }]
    case 'refresh':
      return [{ refreshToken: [] }]
  }
}

function parametersOf(place: Parameter['in'], schema: Schema | undefined, schemas: SchemaBook): Parameter[] {
  if (schema === undefined) return []
  // Parameters are object schemas (call.ts), so their JSON Schema has properties.
  const object = schemas.of(schema) as { properties: Record<string, JsonObject>; required?: readonly string[] }
  return Object.entries(object.properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (object.required?.includes(name) ?? false),
    schema: property,
  }))
}

function goodResponse(call: Call, schemas: SchemaBook): JsonObject {
  const type = call.produces ?? 'application/json'
  const schema = call.produces === undefined ? schemas.of(call.answer) : textSchema(type)
  return { description: call.status === 201 ? 'Created.' : 'Done.', content: { [type]: { schema } } }
}

/** Octets are a string with a media type that is not a text. */
function textSchema(type: string): JsonObject {
  return type === 'application/octet-stream' ? { type: 'string', contentMediaType: type } : { type: 'string' }
}

/** One response for each status, with its possible codes. */
function errorResponses(call: Call): Record<string, JsonObject> {
  const codesByStatus = new Map<number, ErrorCode[]>()
  const add = (status: number, code: ErrorCode) =>
    codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), code])
  if (call.access !== 'anyone' && call.access !== 'demo') add(UNAUTHORIZED.status, UNAUTHORIZED.code)
  for (const code of errorsOf(call)) add(HTTP_STATUS[code], code)
  const statuses = [...codesByStatus].toSorted(([one], [other]) => one - other)
  return Object.fromEntries(statuses.map(([status, codes]) => [String(status), errorResponse(status, codes)]))
}

function errorResponse(status: number, codes: readonly ErrorCode[]): JsonObject {
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', properties: { error: { type: 'object', properties: { code: { enum: codes } } } } },
    ],
  }
  const retryAfter = { 'Retry-After': { description: 'Seconds to wait.', required: true, schema: { type: 'integer' } } }
  return {
    description: codes.map((code) => `${code}: ${textOfError(code)}`).join('\n'),
    ...(status === 429 ? { headers: retryAfter } : {}),
    content: jsonContent(schema),
  }
}

function jsonContent(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } }
}

/** Converts schemas to JSON Schema for input and output, and collects the named ones. */
class SchemaBook {
  readonly named: Record<string, JsonObject> = {}
  readonly #names = z.registry<{ id: string }>()

  constructor() {
    for (const [id, schema] of Object.entries(NAMED_SCHEMAS)) this.#names.add(schema, { id })
  }

  /** The schema with references to named ones; a named schema itself becomes a reference. */
  of(schema: Schema): JsonObject {
    const wrapped = z.toJSONSchema(z.object({ schema }), { io: 'input', metadata: this.#names, override: tidied })
    // Through text and back, so that only JSON remains, with its type.
    const plain = JSON.parse(JSON.stringify(wrapped).replaceAll('#/$defs/', '#/components/schemas/')) as {
      properties: { schema: JsonObject }
      $defs?: Record<string, JsonObject>
    }
    for (const [name, definition] of Object.entries(plain.$defs ?? {})) this.named[name] = definition
    return plain.properties.schema
  }
}

/** Drops the bounds that every safe integer has, which add nothing. */
function tidied({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
