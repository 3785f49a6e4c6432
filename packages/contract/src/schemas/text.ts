/** Texts and whole numbers as they are let in. Each schema carries the sentence a player reads when it refuses. */
import { TEXT_MAX } from '@fairball/domain/validation'
import * as z from 'zod/mini'

/** The largest whole number the database keeps in an ordinary column. */
export const INTEGER_MAX = 2_147_483_647
/** The largest epoch second that is let in: the end of the year 9999. */
export const EPOCH_MAX = 253_402_300_799

/**
 * Any text up to a length, also an empty one: for values whose rule has an error code of its own, which the
 * service answers with (an empty email address is INVALID_EMAIL, say).
 */
export function textUpTo(max: number) {
  return z.string().check(
    z.maxLength(max, `Must be at most ${max} characters long.`),
    // PostgreSQL keeps no NUL inside a text: let through, it would end as a server error.
    z.refine((text) => !text.includes('\0'), 'Must not contain a NUL character.'),
  )
}

/** A text that says something: neither empty nor only spaces, up to a length. */
export function filledText(max: number) {
  return textUpTo(max).check(
    z.minLength(1, 'Must not be empty.'),
    z.refine((text) => text.length === 0 || text.trim().length > 0, 'Must not be only spaces.'),
  )
}

/** A whole number within a range, both ends included. */
export function wholeNumber({ min, max }: { min: number; max: number }) {
  const range = `Must be a whole number from ${min} to ${max}.`
  return z.int(range).check(z.gte(min, range), z.lte(max, range))
}

/** The number of a row of a catalogue: a country, a time zone, a currency, a security question. */
export const catalogueId = wholeNumber({ min: 1, max: INTEGER_MAX })

/** A password as typed. Whether it is strong enough or the right one is the service's question. */
export const passwordText = textUpTo(TEXT_MAX)

const CODE_RANGE = 'Must be a number of six digits.'

/**
 * An authenticator code: the wire carries it as a number, which drops leading zeros, or as a text of digits.
 * Comes out as a text of exactly six digits.
 */
export const twofaCode = z.pipe(
  z.union(
    [
      z.int(CODE_RANGE).check(z.gte(0, CODE_RANGE), z.lte(999_999, CODE_RANGE)),
      z.string().check(z.regex(/^[0-9]{1,6}$/, CODE_RANGE)),
    ],
    CODE_RANGE,
  ),
  z.transform((code: number | string) => String(code).padStart(6, '0')),
)

/** A single-use key out of a mail's link or of a login's first step. */
export const secretKey = filledText(TEXT_MAX)
