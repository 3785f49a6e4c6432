/** Texts and whole numbers in requests. Each schema has the sentence that a player reads if it refuses. */
import { TEXT_MAX } from '@fairball/domain/validation'
import * as z from 'zod/mini'

/** Maximum of an ordinary integer column of the database. */
export const INTEGER_MAX = 2_147_483_647
/** Maximum epoch second in requests: the end of the year 9999. */
export const EPOCH_MAX = 253_402_300_799

// PostgreSQL refuses NUL inside a text, which would be a server error.
const withoutNul = z.refine<string>((text) => !text.includes('\0'), 'Must not contain a NUL character.')

/** Any text: for names of things, of which those that name nothing are 404 NOT_FOUND, however long. */
export const anyText = z.string().check(withoutNul)

/**
 * Any text up to a length, even empty: for values whose rule has its own error code, which the service returns (an
 * empty email address is INVALID_EMAIL, for example).
 */
export function textUpTo(max: number) {
  return z.string().check(z.maxLength(max, `Must be at most ${max} characters long.`), withoutNul)
}

/** A text up to a length, neither empty nor only spaces. */
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

/** A password as typed. The service checks whether it is strong enough or correct. */
export const passwordText = textUpTo(TEXT_MAX)

const CODE_RANGE = 'Must be a number of six digits.'

/**
 * An authenticator code: a number, which drops leading zeros, or a text of digits. Parsed to a text of exactly six
 * digits.
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

/** A single-use key from a mail's link or from a login's first step. */
export const secretKey = filledText(TEXT_MAX)
