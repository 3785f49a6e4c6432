import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { useIsAttended } from './attendance.ts'
import { CALLS } from './calls.ts'
import type { AnswerOf, CallName, ReadName, Sent } from './calls.ts'
import { Failure } from './failure.ts'
import type { Runtime } from './runtime.ts'

/** Where the calls begin. */
const BASE = '/console/api/v1'

/** The calls of the console, typed by the contract. */
export interface Api {
  /** @throws Failure */
  call<Name extends CallName>(name: Name, sent?: Sent<Name>): Promise<AnswerOf<Name>>
}

/** Makes the API over the browser's `fetch`; the session is a cookie that scripts cannot see. */
export function createApi({ fetch }: Pick<Runtime, 'fetch'>): Api {
  return {
    async call(name, sent = {}) {
      const { method, path } = CALLS[name]
      const address = BASE + filled(path, sent.params ?? {}) + queryText(sent.query ?? {})
      const init: RequestInit = { method, headers: { accept: 'application/json' }, credentials: 'same-origin' }
      if (method === 'POST') {
        init.headers = { accept: 'application/json', 'content-type': 'application/json' }
        init.body = JSON.stringify(sent.body ?? {})
      }
      // An answer is trusted to have the contract's type; the server's tests check that.
      return (await answerOf(() => fetch(address, init))) as never
    },
  }
}

async function answerOf(ask: () => Promise<Response>): Promise<unknown> {
  let response: Response
  let text: string
  try {
    response = await ask()
    text = await response.text()
  } catch {
    throw new Failure({ status: 0, code: 'NETWORK_ERROR', message: '' })
  }
  const answer = parsed(text)
  if (response.ok && answer !== undefined) return answer
  const { code, message, fields } = errorIn(answer)
  throw new Failure({ status: response.status, code, message, fields })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function errorIn(answer: unknown): { code: string; message: string; fields: Record<string, string> } {
  const unexpected = { code: 'UNEXPECTED_ERROR', message: '', fields: {} }
  if (!isRecord(answer) || !isRecord(answer['error'])) return unexpected
  const { code, message, fields } = answer['error']
  if (typeof code !== 'string' || typeof message !== 'string') return unexpected
  const texts = Object.entries(isRecord(fields) ? fields : {}).filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  )
  return { code, message, fields: Object.fromEntries(texts) }
}

/** Whether a value is an object of JSON. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

/** A query with its question mark; empty if nothing is in it. */
export function queryText(query: Readonly<Record<string, string | number | undefined>>): string {
  const filledIn = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(filledIn.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** Carries the API to the components. */
export const ApiContext = createContext<Api | null>(null)

/** @returns the API. @throws Error outside of the app */
export function useApi(): Api {
  const api = useContext(ApiContext)
  if (api === null) throw new Error('There is no API above this component.')
  return api
}

/** Seconds between two readings of a page that keeps itself up to date: never below 10 (console.md section 11). */
const RENEWED_EVERY_S = 15

/**
 * What a screen reads.
 *
 * @param options.isRenewed the page keeps itself up to date, while somebody is there
 */
export function useRead<Name extends ReadName>(
  name: Name,
  sent: Sent<Name> = {},
  { isRenewed = false }: { isRenewed?: boolean } = {},
): UseQueryResult<AnswerOf<Name>> {
  const api = useApi()
  const isAttended = useIsAttended()
  return useQuery({
    queryKey: [name, sent.params ?? {}, sent.query ?? {}],
    queryFn: () => api.call(name, sent),
    placeholderData: keepPreviousData,
    ...(isRenewed && isAttended && { refetchInterval: RENEWED_EVERY_S * 1000 }),
  })
}

/** @returns a function that has everything on the screen read again, for after an action */
export function useReadAgain(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries()
}
