import { SOCIAL_NETWORKS } from '@fairball/contract/social-networks'
import { parseBtcAddress, type BitcoinNetwork } from '@fairball/domain/btc-address'
import { emailProblem } from '@fairball/domain/validation'
import { z } from 'zod'

/**
 * The schema of the content file, which docs/operator-content.md describes. Every message says what to set; unknown
 * names are refused, so that a misspelt one is found.
 *
 * @param network whose addresses partners are paid at; null accepts any text, if the network itself is a problem
 */
export function contentSchema(network: BitcoinNetwork | null) {
  return object(contentShape(network, imagePath))
}

/** The names of the content file with their schemas, each optional. @param image what stands for a cause's picture */
export function contentShape(network: BitcoinNetwork | null, image: z.ZodType<string>) {
  const address = z
    .string(ADDRESS_OR_NULL)
    .refine((text) => network === null || parseBtcAddress(text, network) !== null, {
      message: `set a bitcoin address of ${network ?? 'the network'}, or null`,
    })
  const partner = object({ id, name: line(100), url: httpsAddress, address: z.nullable(address) })
  return {
    operator: z
      .nullable(
        object({
          name: line(120),
          licence: line(500),
          address: listOf(line(120), { least: 1, most: 8, what: 'lines' }),
          email,
          phone: z.nullish(phone),
          source: z.nullish(httpsAddress),
        }),
      )
      .optional(),
    social: listOf(object({ network: socialNetwork, url: httpsAddress }), { most: 12, what: 'links' }).optional(),
    causes: listOf(
      object({ id, title: line(100), description: line(1000), image: z.nullish(image), link: httpsAddress }),
      { most: 60, what: 'causes' },
    ).optional(),
    partners: listOf(partner, { most: 20, what: 'partners' }).optional(),
    feedback_form_url: z.nullish(httpsAddress),
  }
}

/** The content file before its pictures are read. */
export type ContentInput = z.output<ReturnType<typeof contentSchema>>

const ADDRESS_OR_NULL = 'set a bitcoin address, or null while there is none'

/**
 * Controls and line ends, and signs that turn the direction of the following text: those would reach beyond the text.
 */
const CONTROL_OR_LINE_END = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

/** An object without other names than these. */
export function object<S extends z.core.$ZodLooseShape>(shape: S) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `leave out ${issue.keys.map((key) => `"${key.slice(0, 50)}"`).join(', ')}, which means nothing here`
        : `set an object with ${Object.keys(shape).join(', ')}`,
  })
}

function listOf<S extends z.ZodType>(item: S, size: { least?: number; most: number; what: string }) {
  const { least = 0, most, what } = size
  const message = `list ${least === 0 ? 'up to' : `${least} to`} ${most} ${what}`
  return z.array(item, message).min(least, message).max(most, message)
}

/** A text in one line. @param most maximum number of characters */
export function line(most: number) {
  const message = `set a text of 1 to ${most} characters, without line ends`
  return z
    .string(message)
    .transform((text) => text.trim())
    .refine((text) => text !== '' && text.length <= most && !CONTROL_OR_LINE_END.test(text), message)
}

const ID_MESSAGE = 'set an id of 1 to 50 small letters, digits and dashes, like clean-water'

/** Names a ledger account, or a card of a page. */
const id = z.string(ID_MESSAGE).regex(/^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/, ID_MESSAGE)

const HTTPS_MESSAGE = 'set an https address, like https://charity.example/about'

const httpsAddress = z
  .string(HTTPS_MESSAGE)
  .refine(isHttps, HTTPS_MESSAGE)
  .transform((text) => new URL(text).href)

const EMAIL_MESSAGE = 'set an email address, like office@lottery.example'

/** An email address. */
export const email = z.string(EMAIL_MESSAGE).refine((text) => emailProblem(text) === null, EMAIL_MESSAGE)

const PHONE_MESSAGE = 'set a phone number, like +44 20 7946 0000, or null'

const phone = z.string(PHONE_MESSAGE).regex(/^\+?[0-9][0-9 ()./-]{3,29}$/, PHONE_MESSAGE)

const socialNetwork = z.enum(SOCIAL_NETWORKS, `set one of ${SOCIAL_NETWORKS.join(', ')}`)

const IMAGE_MESSAGE = 'set the path of a picture beside the content file, like causes/wells.jpg, or null'

/** No part begins with a dot, and none is empty: such a path leads only downwards. */
const imagePath = z
  .string(IMAGE_MESSAGE)
  .max(200, IMAGE_MESSAGE)
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/, IMAGE_MESSAGE)

/** Whether the schema accepts a text as a path. */
export function isImagePath(text: string): boolean {
  return imagePath.safeParse(text).success
}

function isHttps(text: string): boolean {
  if (text.length > 500 || !URL.canParse(text)) return false
  const { protocol, username, password, hostname } = new URL(text)
  // Hosts appear in headers: one that could end an entry of the Content-Security-Policy is not a host.
  return protocol === 'https:' && username === '' && password === '' && /^[a-z0-9.-]+$/.test(hostname)
}
