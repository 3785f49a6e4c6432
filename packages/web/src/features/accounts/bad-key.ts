import { ApiError } from '@fairball/contract/client'

/**
 * @returns whether a call failed because the key of a link is wrong, used or expired, and not for a temporary reason
 */
export function isBadKey(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'INVALID_KEY' || error.code === 'INVALID_PAYLOAD')
}
