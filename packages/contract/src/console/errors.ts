/** The refusals of the console, beside those that every call of the product has (decisions section 2). */

/** A code of the console's own, with its status and its text. `REFUSED` has the words of the desk instead. */
export const CONSOLE_ERRORS = {
  SIGN_IN_NEEDED: { status: 401, text: 'Sign in with a passkey.' },
  ACCESS_DENIED: { status: 403, text: 'Your roles do not allow this.' },
  SECOND_PERSON_NEEDED: { status: 403, text: 'Another person has to sign this.' },
  SIGNATURE_REFUSED: { status: 400, text: 'The signature does not fit this text, this place or a passkey of yours.' },
  REQUEST_CLOSED: { status: 409, text: 'The request is closed, or its time is over.' },
  STALE: { status: 409, text: 'What the request is about has changed. Look again, and make a new request.' },
  PERIOD_LOCKED: { status: 409, text: 'The month is locked.' },
  REFUSED: { status: 409, text: 'This cannot be done now.' },
} as const

/** One of {@link CONSOLE_ERRORS}. */
export type ConsoleErrorCode = keyof typeof CONSOLE_ERRORS
