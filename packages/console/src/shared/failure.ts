import { CONSOLE_ERRORS } from '@fairball/contract/console/errors'

/** A call that failed, with words for the person in front of the page. */
export class Failure extends Error {
  override readonly name = 'Failure'
  /** The HTTP status; 0 without an answer. */
  readonly status: number
  readonly code: string
  /** Field to message; empty unless the code is INVALID_PAYLOAD. */
  readonly fields: Readonly<Record<string, string>>

  constructor(from: { status: number; code: string; message: string; fields?: Record<string, string> }) {
    super(wordsOf(from))
    this.status = from.status
    this.code = from.code
    this.fields = from.fields ?? {}
  }
}

/** What happened and what to do, by code; `REFUSED` has the desk's own words. */
const WORDS: Readonly<Record<string, string>> = {
  SIGN_IN_NEEDED: 'Your session has ended. Sign in again.',
  ACCESS_DENIED: CONSOLE_ERRORS.ACCESS_DENIED.text,
  SECOND_PERSON_NEEDED: 'You proposed this, so another person has to approve it.',
  SIGNATURE_REFUSED:
    'The signature was refused: it does not belong to this text, this site or a passkey of yours. Nothing happened. Sign again.',
  REQUEST_CLOSED: 'This request is closed or its time is over. Nothing happened. Make a new request.',
  STALE:
    'What this request is about has changed since it was shown. Nothing happened. Check it, then make a new request.',
  PERIOD_LOCKED: 'That month is locked: its books can’t change any more.',
  NETWORK_ERROR: 'The console can’t be reached. Check your connection, then try again.',
  UNEXPECTED_ERROR: 'The console made an error. Try again in a minute; if it happens again, look into its log.',
}

function wordsOf({ status, code, message }: { status: number; code: string; message: string }): string {
  if (status === 429) return 'Too many tries. Wait 15 minutes, then try again.'
  return WORDS[code] ?? message
}

/** The words for anything that was thrown. */
export function wordsFor(error: unknown): string {
  if (error instanceof Failure) return error.message
  if (error instanceof DOMException) return PASSKEY_WORDS[error.name] ?? PASSKEY_FAILED
  // The library for passkeys wraps the browser's own errors.
  if (error instanceof Error && error.cause instanceof DOMException)
    return PASSKEY_WORDS[error.cause.name] ?? PASSKEY_FAILED
  return error instanceof Error && error.message !== '' ? error.message : (WORDS['UNEXPECTED_ERROR'] ?? '')
}

const PASSKEY_FAILED = 'The passkey could not be used. Try again, or use another passkey.'
const PASSKEY_WORDS: Readonly<Record<string, string>> = {
  NotAllowedError: 'The passkey was not used: it was cancelled, or took too long. Try again.',
  AbortError: 'The passkey was not used. Try again.',
  InvalidStateError: 'This passkey is registered already. Use another one.',
  SecurityError: 'Passkeys do not work at this address. Open the console at its own address.',
}
