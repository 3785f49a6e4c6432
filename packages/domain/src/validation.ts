/** Maximum number of characters of an ordinary text, a password or a security answer (spec section 9). */
export const TEXT_MAX = 250
/** Maximum number of characters of a contact message (spec section 9). */
export const MESSAGE_MAX = 65_000
/** Minimum number of characters of a new password (spec section 5, decisions section 6). */
const PASSWORD_MIN = 8
/**
 * Minimum number of characters of a current password, which may be older than the present rule (decisions section 6).
 */
export const CURRENT_PASSWORD_MIN = 6

/** The sentences shown beside fields (spec section 5; our own if it has none). */
export const VALIDATION_TEXTS = {
  email: 'Invalid email',
  emailConfirm: 'Email and confirm email do not match.',
  password:
    'Must be 8 characters or longer - at least one small and one capital letter, one digit and one symbol (i.e. #, $, @).',
  passwordConfirm: 'Invalid password confirm',
  passwordMismatch: 'Password and confirm password should match',
  currentPassword: 'Must be 6 to 250 characters long.',
  passwordUnchanged: 'The new password must differ from the current one.',
  twofaCode: 'Invalid 6-digits code! Try again.',
  securityAnswer: 'This answer should not be empty and should not be longer than 250 characters.',
  username: 'Use letters, digits, spaces, apostrophes, underscores and hyphens only, without a space at either end.',
  required: 'This field is required.',
  text: 'Must be at most 250 characters long.',
  message: 'Must be at most 65000 characters long.',
  btcAddress: 'Invalid BTC (Bitcoin) address',
} as const

/** Strength of a password as shown (spec section 5). */
type PasswordStrength = 'WEAK' | 'MEDIUM' | 'STRONG'

/** The part of an address before the @ (the atoms and dots of RFC 5322), a host name with a dot after it. */
const EMAIL =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/
const EMAIL_LOCAL_MAX = 64
const USERNAME = /^[A-Za-z0-9'_-](?:[A-Za-z0-9 '_-]*[A-Za-z0-9'_-])?$/
const TWOFA_CODE = /^[0-9]{6}$/

/** The problem of an email address, null if it is valid: a standard address of at most 250 characters. */
export function emailProblem(email: string): string | null {
  const isEmail = email.length <= TEXT_MAX && EMAIL.test(email) && email.indexOf('@') <= EMAIL_LOCAL_MAX
  return isEmail ? null : VALIDATION_TEXTS.email
}

/** The problem of a repeated email address: it must be filled in and equal (spec section 5). */
export function emailConfirmProblem(email: string, emailConfirm: string): string | null {
  return emailConfirm !== '' && emailConfirm === email ? null : VALIDATION_TEXTS.emailConfirm
}

/**
 * The problem of a password for login, registration or reset, null if it is valid: 8 to 250 characters with a small
 * letter, a capital letter, a digit and a symbol (spec section 5). A symbol is neither letter, digit nor space.
 */
export function passwordProblem(password: string): string | null {
  const length = lengthOf(password)
  const isStrong = length >= PASSWORD_MIN && length <= TEXT_MAX && kindsIn(password).size === 4
  return isStrong ? null : VALIDATION_TEXTS.password
}

/** The problem of a repeated password: the same rule, and equal to the first (spec section 5). */
export function passwordConfirmProblem(password: string, passwordConfirm: string): string | null {
  if (passwordProblem(passwordConfirm) !== null) return VALIDATION_TEXTS.passwordConfirm
  return passwordConfirm === password ? null : VALIDATION_TEXTS.passwordMismatch
}

/** The problem of a current password as typed: 6 to 250 characters is the only rule (spec section 5). */
export function currentPasswordProblem(password: string): string | null {
  const length = lengthOf(password)
  return length >= CURRENT_PASSWORD_MIN && length <= TEXT_MAX ? null : VALIDATION_TEXTS.currentPassword
}

/** The problem of a new password: the rule of every password, and it must differ from the current one. */
export function newPasswordProblem(newPassword: string, currentPassword: string): string | null {
  if (passwordProblem(newPassword) !== null) return VALIDATION_TEXTS.password
  return newPassword === currentPassword ? VALIDATION_TEXTS.passwordUnchanged : null
}

/**
 * Strength of a password as shown (spec section 5): STRONG with at least 8 characters of all four kinds; MEDIUM with at
 * least 6 of all four, or at least 8 with small and capital letters and a symbol; else WEAK.
 */
export function passwordStrength(password: string): PasswordStrength {
  const length = lengthOf(password)
  const kinds = kindsIn(password)
  if (length >= 8 && kinds.size === 4) return 'STRONG'
  if (length >= 6 && kinds.size === 4) return 'MEDIUM'
  const hasLettersAndSymbol = kinds.has('small') && kinds.has('capital') && kinds.has('symbol')
  return length >= 8 && hasLettersAndSymbol ? 'MEDIUM' : 'WEAK'
}

/** The problem of an authenticator code as typed: exactly six digits (spec section 5). */
export function twofaCodeProblem(code: string): string | null {
  return TWOFA_CODE.test(code) ? null : VALIDATION_TEXTS.twofaCode
}

/** The problem of an answer to a security question: not empty, at most 250 characters (spec section 5). */
export function securityAnswerProblem(answer: string): string | null {
  return answer.trim() !== '' && lengthOf(answer) <= TEXT_MAX ? null : VALIDATION_TEXTS.securityAnswer
}

/** Normalises a security answer for comparison: case and spaces do not count (decisions section 6). */
export function securityAnswerKey(answer: string): string {
  return answer.normalize('NFKC').toLowerCase().replace(/\s+/gu, '')
}

/**
 * The problem of a username: ASCII letters, digits, spaces, apostrophes, underscores and hyphens, 1 to 250 of them,
 * no space at either end (spec section 5, decisions section 6).
 */
export function usernameProblem(username: string): string | null {
  if (username.length > TEXT_MAX) return VALIDATION_TEXTS.text
  return USERNAME.test(username) ? null : VALIDATION_TEXTS.username
}

/** The problem of a text that must be filled in: not empty, at most 250 characters (spec section 5). */
export function requiredTextProblem(text: string): string | null {
  if (text.trim() === '') return VALIDATION_TEXTS.required
  return lengthOf(text) <= TEXT_MAX ? null : VALIDATION_TEXTS.text
}

/** The problem of a contact message: not empty, at most 65000 characters (spec section 5). */
export function messageProblem(message: string): string | null {
  if (message.trim() === '') return VALIDATION_TEXTS.required
  return lengthOf(message) <= MESSAGE_MAX ? null : VALIDATION_TEXTS.message
}

/** The problem of a choice from a list where 0 means no choice (spec section 5). */
export function choiceProblem(id: number): string | null {
  return Number.isSafeInteger(id) && id > 0 ? null : VALIDATION_TEXTS.required
}

type CharacterKind = 'small' | 'capital' | 'digit' | 'symbol'

function kindsIn(text: string): Set<CharacterKind> {
  const kinds = new Set<CharacterKind>()
  if (/\p{Ll}/u.test(text)) kinds.add('small')
  if (/\p{Lu}/u.test(text)) kinds.add('capital')
  if (/\p{Nd}/u.test(text)) kinds.add('digit')
  if (/[^\p{L}\p{M}\p{N}\s]/u.test(text)) kinds.add('symbol')
  return kinds
}

/** Length in code points, close to the characters that a person counts. */
function lengthOf(text: string): number {
  // A text of more than twice the limit in code units is always too long, so it is not counted.
  return text.length > 2 * MESSAGE_MAX ? text.length : Array.from(text).length
}
