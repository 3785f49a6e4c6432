import { ApiError } from '@fairball/contract/client'

/** @returns whether a draw could not be found because its number does not exist */
export function isNoDraw(error: unknown): boolean {
  return error instanceof ApiError ? error.status === 404 : hasCode(error, 'NOT_FOUND')
}

/** Pages are rendered by a separate bundle, whose error class differs from the server's. */
function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
