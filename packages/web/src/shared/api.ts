import { createContext, useContext } from 'react'
import { ApiError } from '@fairball/contract/client'
import type { Client } from '@fairball/contract/client'

/**
 * The calls of the product, typed by the contract: `api.call('getDraws', { params: { key }, query: { _page: 2 } })`. On the server it answers
 * in-process, in the browser over HTTP with the session's token, refreshed and tried once more after a 401.
 */
export type Api = Client

/** Carries the API to the components. */
export const ApiContext = createContext<Api | null>(null)

/** @returns the API. @throws Error outside of the app */
export function useApi(): Api {
  const api = useContext(ApiContext)
  if (api === null) throw new Error('There is no API above this component.')
  return api
}

/** The words for a failure of the server (specification, section 8, screen messages). */
export const SERVER_ERROR_TEXT = 'Error. Please wait a few minutes before you try again.'

/**
 * @param error thrown by a call
 * @returns the text to show: the catalogue's for a known code, the server's otherwise, and one text for all faults of
 * the server
 */
export function errorText(error: unknown): string {
  if (error instanceof ApiError && error.status < 500) return error.message
  return SERVER_ERROR_TEXT
}
