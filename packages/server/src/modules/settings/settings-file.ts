import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { z } from 'zod'
import type { PaymentsName } from '../../ports/bitcoin.ts'
import { contentShape, email, imageOf, line, object, placeholdersIn, placeOf, repetitions } from '../content/service.ts'
import { LEGAL_KEYS, legalShape } from './legal.ts'
import { senderShape } from './mail-sender.ts'
import { MONEY_KEYS, moneyShape, TWO_PERSON_KEY } from './money.ts'

/** The name of the format that a settings file begins with. */
export const SETTINGS_FORMAT = 'fairball-settings/1'
/** The largest picture in a settings file, in bytes. */
const MAX_PICTURE_BYTES = 200_000
/** Base64 of that many bytes. */
const MAX_PICTURE_CHARACTERS = Math.ceil(MAX_PICTURE_BYTES / 3) * 4

/** The settings that CONTENT_FILE gives where it is set. */
export const CONTENT_KEYS = ['operator', 'social', 'causes', 'partners', 'feedback_form_url'] as const
/** Every setting, in the order in which it is exported. */
export const SETTING_KEYS = [
  'site.name',
  'site.colors',
  'site.logo',
  'site.icon',
  'support_email',
  'mail.from',
  ...CONTENT_KEYS,
  ...LEGAL_KEYS,
  ...MONEY_KEYS,
  TWO_PERSON_KEY,
] as const

export type SettingKey = (typeof SETTING_KEYS)[number]
/** Some settings with their values, as in the file. */
export type Values = z.output<ReturnType<typeof valuesSchema>>

/** What a settings file says. */
interface SettingsFile {
  /** when its values take effect, in epoch seconds; null for the moment at which they are applied */
  readonly from: number | null
  readonly values: Values
}

/** What decides whether a settings file is right. */
interface Checking {
  readonly network: BitcoinNetwork
  readonly payments: PaymentsName
  /** whether players read it: then nothing of the documentation's example may be left in it */
  readonly isReal: boolean
  /** the content file that wins over its settings; null for none */
  readonly contentFile: string | null
  /** epoch seconds */
  readonly now: number
}

const IN_BYTES = `of at most ${MAX_PICTURE_BYTES} bytes`
const PICTURE_MESSAGE = `set base64 of a JPEG, PNG or WebP picture ${IN_BYTES}, or null`
const SIGN_MESSAGE = `set base64 of a PNG or WebP picture ${IN_BYTES}`

const picture = z.string(PICTURE_MESSAGE).refine((text) => typeOfPicture(text) !== null, PICTURE_MESSAGE)

const sign = z
  .string(SIGN_MESSAGE)
  .refine((text) => ['image/png', 'image/webp'].includes(typeOfPicture(text) ?? ''), SIGN_MESSAGE)

/** The type of a picture in base64, by its first bytes; null for another text, and for a picture that is too large. */
function typeOfPicture(text: string): string | null {
  if (text.length > MAX_PICTURE_CHARACTERS || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  return bytes.length > MAX_PICTURE_BYTES ? null : (imageOf(bytes)?.image.type ?? null)
}

const COLOR_MESSAGE = 'set a colour as #RRGGBB, like #FBF7EF'

const color = z
  .string(COLOR_MESSAGE)
  .regex(/^#[\da-f]{6}$/i, COLOR_MESSAGE)
  .transform((text) => text.toUpperCase())

function valuesSchema({ network, payments, isReal }: Pick<Checking, 'network' | 'payments' | 'isReal'>) {
  return object({
    'site.name': line(40).optional(),
    'site.colors': z.nullable(object({ paper: color, ink: color })).optional(),
    'site.logo': z.nullable(object({ light: sign, dark: sign })).optional(),
    'site.icon': z.nullable(object({ light: sign, dark: sign })).optional(),
    support_email: z.nullable(email).optional(),
    ...senderShape,
    ...contentShape(network, picture),
    ...legalShape(isReal),
    ...moneyShape(network, payments),
  })
}

/**
 * Checks a settings file.
 *
 * @param problems whatever is wrong is added to these, each with its place, such as `partners[0].address`
 * @returns what it says; null if there were problems
 */
export function readSettingsFile(text: string, checking: Checking, problems: string[]): SettingsFile | null {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    problems.push(`it is not JSON: ${(error as SyntaxError).message}`)
    return null
  }
  const file = object({
    format: z.literal(SETTINGS_FORMAT, `set "${SETTINGS_FORMAT}"`),
    from: z.nullish(z.int(FROM_MESSAGE).min(checking.now, FROM_MESSAGE)),
    settings: valuesSchema(checking),
  })
  const checked = file.safeParse(value)
  for (const { path, message } of checked.error?.issues ?? [])
    problems.push(`${placeOf(path[0] === 'settings' && path.length > 1 ? path.slice(1) : path)}${message}`)
  const given = (value as { settings?: unknown } | null)?.settings
  problems.push(...repetitions(given))
  if (checking.isReal)
    problems.push(...placeholdersIn(given).map((place) => `${place}: set your own, this is the example's`))
  if (checking.contentFile !== null) problems.push(...wonByFile(given, checking.contentFile))
  if (problems.length > 0 || !checked.success) return null
  const { from = null, settings } = checked.data
  return { from, values: settings }
}

const FROM_MESSAGE = 'set a moment to come in epoch seconds, or null for now'

function wonByFile(given: unknown, contentFile: string): string[] {
  if (typeof given !== 'object' || given === null) return []
  return CONTENT_KEYS.filter((key) => Object.hasOwn(given, key)).map(
    (key) => `${key}: leave it out and change CONTENT_FILE=${contentFile}, which wins over settings`,
  )
}
