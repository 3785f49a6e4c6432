import { CONSOLE_ERRORS, type ConsoleErrorCode } from '@fairball/contract/console/errors'
import { CodedRefusal } from '../../kernel/errors.ts'

/**
 * A refusal with a code of the console.
 *
 * @param message default: the code's text
 */
export function refusal(code: ConsoleErrorCode, message?: string): CodedRefusal {
  const { status, text } = CONSOLE_ERRORS[code]
  return new CodedRefusal(code, status, message ?? text)
}
