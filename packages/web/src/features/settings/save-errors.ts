import { ApiError } from '@fairball/contract/client'
import { errorText } from '../../app/api.ts'
import { SETTINGS_TEXTS } from './messages.ts'

/** Failures that no field can mend: the connection, and asking too often. */
const NO_FIELD_HELPS = [0, 429]

/**
 * The banner of a save that failed (specification, section 8): the server's own failures have one text, all others point to the fields.
 *
 * @param error what the call threw
 */
export function saveErrorText(error: unknown): string {
  if (!(error instanceof ApiError) || error.status >= 500 || NO_FIELD_HELPS.includes(error.status))
    return errorText(error)
  return SETTINGS_TEXTS.checkFields
}

/**
 * What the server said about single fields of a form.
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
