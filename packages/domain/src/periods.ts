/**
 * Retention periods of personal data, in seconds. The server removes it by these periods, or a day later at most,
 * when its daily clean-up has run; the pages on privacy and cookies tell them. A period stands here, and nowhere else, so
 * that what it says is what is done.
 */

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A session ends this long after its login, however much it is used (decisions section 6). */
export const SESSION_SECONDS = 30 * DAY
/** Idle lifetime of a refresh token. */
export const IDLE_SECONDS = 7 * DAY
/** How long an access token is good (decisions section 6). */
export const ACCESS_TOKEN_SECONDS = 10 * MINUTE
/** How long a former email address still gets account notices. */
export const FORMER_EMAIL_SECONDS = 7 * DAY
/** How long a network address stays one that the player is known by. */
export const KNOWN_ADDRESS_SECONDS = 90 * DAY
/** How long a browser that its player has logged in with stays one that is known; its cookie ends then as well. */
export const KNOWN_DEVICE_SECONDS = 180 * DAY
/** Retention of sent mail to players. */
export const MAIL_KEPT_SECONDS = 400 * DAY
/** Mail to who has no account any more, and to the support. */
export const OTHERS_MAIL_KEPT_SECONDS = 30 * DAY
/** How long a changed address waits before payouts go to it, so that its player can stop a thief (decisions section 6). */
export const CHANGED_ADDRESS_WAITS_SECONDS = 24 * HOUR

/**
 * How long the key of a link or of the second step of a login is good, by what it is for (decisions section 6, spec
 * section 9: the second step's window is 5 minutes).
 */
export const KEY_SECONDS = {
  verify_email: 24 * HOUR,
  reset_password: HOUR,
  login_secure: 5 * MINUTE,
  /** The address waits from when its notice was handed over, which may come late. */
  stop_address_change: 2 * CHANGED_ADDRESS_WAITS_SECONDS,
} as const

/** In how long a time tries are counted together, of whatever is limited. */
export const TRIES_SECONDS = 15 * MINUTE
/** Failed logins (ASVS 6.3.1) and changes of a password are counted over a day as well; no counter of tries stays longer. */
export const TRIES_DAY_SECONDS = DAY

/**
 * A period in words, as pages tell it: `7 days`, `24 hours`, `5 minutes`.
 *
 * @param seconds whole minutes, hours or days, at least one minute
 * @throws RangeError for anything else: a period that is rounded is not the one that is kept
 */
export function periodText(seconds: number): string {
  // A single day is written as hours: it is counted from a moment, not from midnight.
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
