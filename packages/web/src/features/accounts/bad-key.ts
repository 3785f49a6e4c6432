import { ApiError } from '@fairball/contract/client'

/** @returns whether a call failed because the key of a link is wrong, used or too old, rather than for a reason that may pass */
export function isBadKey(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'INVALID_KEY' || error.code === 'INVALID_PAYLOAD')
}
