/**
 * Retention periods of personal data, in seconds. The server deletes data by these periods, at most a day later, with
 * its daily clean-up; the pages on privacy and cookies show them. Each period is only defined here, so that pages and
 * server agree.
 */

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Lifetime of a session from its login, however much it is used (decisions section 6). */
export const SESSION_SECONDS = 30 * DAY
/** Idle lifetime of a refresh token. */
export const IDLE_SECONDS = 7 * DAY
/** Lifetime of an access token (decisions section 6). */
export const ACCESS_TOKEN_SECONDS = 10 * MINUTE
/** How long a former email address still gets account notices. */
export const FORMER_EMAIL_SECONDS = 7 * DAY
/** How long a player's network address counts as known. */
export const KNOWN_ADDRESS_SECONDS = 90 * DAY
/** How long a browser counts as known after a login; its cookie ends then too. */
export const KNOWN_DEVICE_SECONDS = 180 * DAY
/** Retention of sent mail to players. */
export const MAIL_KEPT_SECONDS = 400 * DAY
/** Retention of mail to people without an account, and to the support. */
export const OTHERS_MAIL_KEPT_SECONDS = 30 * DAY
/** How long a browser keeps the lines of a visitor. */
export const VISITOR_LINES_SECONDS = DAY
/** Delay before payouts go to a changed address, so that the player can stop a thief (decisions section 6). */
export const CHANGED_ADDRESS_WAITS_SECONDS = 24 * HOUR

/**
 * Lifetime of the key of a link or of the second step of a login, by its purpose (decisions section 6, spec section 9:
 * the second step's window is 5 minutes).
 */
export const KEY_SECONDS = {
  verify_email: 24 * HOUR,
  reset_password: HOUR,
  login_secure: 5 * MINUTE,
  /** The address waits from the delivery of its notice, which may be late. */
  stop_address_change: 2 * CHANGED_ADDRESS_WAITS_SECONDS,
} as const

/** Window in which limited tries are counted. */
export const TRIES_SECONDS = 15 * MINUTE
/** Window for failed logins (ASVS 6.3.1) and password changes, in addition; no counter of tries is kept longer. */
export const TRIES_DAY_SECONDS = DAY

/**
 * A period in words, as on pages: `7 days`, `24 hours`, `5 minutes`.
 *
 * @param seconds whole minutes, hours or days, at least one minute
 * @throws RangeError for anything else: a rounded period would not be the real one
 */
export function periodText(seconds: number): string {
  // A single day is written in hours, because it is counted from a moment, not from midnight.
  const unit = UNITS.find(
    ([, length]) => seconds > 0 && seconds % length === 0 && !(length === seconds && length === DAY),
  )
  if (unit === undefined) throw new RangeError(`${seconds} seconds are no whole minutes`)
  const [name, length] = unit
  const count = seconds / length
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const
