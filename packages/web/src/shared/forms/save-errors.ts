import { ApiError } from '@fairball/contract/client'
import { SERVER_ERROR_TEXT } from '../api.ts'
import { FORM_TEXTS } from './messages.ts'

/** Failures that no field can correct, besides the server's own: no answer at all, and too many requests. */
const NO_FIELD_HELPS = [0, 429]

/**
 * The banner of a save that failed. There are two (specification, section 8): for failures that only waiting solves,
 * and for those the fields can correct.
 *
 * @param error what the call threw
 */
export function saveErrorText(error: unknown): string {
  if (!(error instanceof ApiError) || error.status >= 500 || NO_FIELD_HELPS.includes(error.status))
    return SERVER_ERROR_TEXT
  return FORM_TEXTS.checkFields
}

/**
 * The server's errors for single fields of a form.
 *
 * @param error what the call threw
 * @param names the form's field by the error's code or by its name on the wire
 * @returns the sentences by the form's field names
 */
export function fieldErrorsOf<Name extends string>(
  error: unknown,
  names: Readonly<Record<string, Name>>,
): [Name, string][] {
  if (!(error instanceof ApiError)) return []
  const byCode = names[error.code]
  if (byCode !== undefined) return [[byCode, error.message]]
  return Object.entries(error.fields).flatMap(([field, message]): [Name, string][] => {
    const name = names[field]
    return name === undefined ? [] : [[name, message]]
  })
}
