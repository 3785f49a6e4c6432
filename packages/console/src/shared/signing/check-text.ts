import { actionText, endOfActionText } from '@fairball/contract/console/action-text'
import type { Part } from '@fairball/contract/console/action-text'
import { canonicalJson } from '@fairball/contract/console/canonical-json'
import type { Json } from '@fairball/contract/console/canonical-json'
import { toBase64url } from '../passkeys/base64url.ts'
import { textIn } from '../passkeys/options.ts'
import type { RawOptions } from '../passkeys/options.ts'
import { sha256 } from '../passkeys/software-authenticator.ts'

/** What a person is shown and about to sign. */
export interface Shown {
  readonly request: string
  readonly part: Part
  readonly staff: string
  readonly kind: string
  readonly args: Readonly<Record<string, unknown>>
  readonly facts: Readonly<Record<string, unknown>>
  readonly reason: string
  readonly text: string
  readonly options: RawOptions
}

/**
 * Checks that the text says what the page shows, and that the challenge is the text's hash: a passkey shows nothing of
 * what it signs, so the page must not let it sign anything else.
 *
 * @returns why it must not be signed; null if it may
 */
export async function refusalOf(shown: Shown, origin: string): Promise<string | null> {
  const end = endOfActionText(shown.text)
  if (end === null) return NOT_ITS_TEXT
  const { request, part, staff, kind, reason } = shown
  const facts = hex(await hashOf(canonicalJson(asJson(shown.facts))))
  const said = actionText({
    console: origin,
    request,
    part,
    staff,
    kind,
    args: asJson(shown.args),
    facts,
    reason,
    ...end,
  })
  if (said !== shown.text) return NOT_ITS_TEXT
  if (toBase64url(await hashOf(shown.text)) !== textIn(shown.options, 'challenge')) return NOT_ITS_HASH
  return null
}

const NOT_ITS_TEXT =
  'The text to sign is not what this page shows. Do not sign it. Tell the operator of the server, and look into the console’s process.'
const NOT_ITS_HASH =
  'The console asks for a signature over something else than the text below. Do not sign it. Tell the operator of the server.'

// What came as JSON is JSON.
const asJson = (value: Readonly<Record<string, unknown>>): Json => value as Readonly<Record<string, Json>>

async function hashOf(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return await sha256(new TextEncoder().encode(text))
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
