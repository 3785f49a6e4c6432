/** People of the staff: sign-in by passkey, invites, and their list. */
import * as z from 'zod/mini'
import { filledText } from '../schemas/text.ts'
import { defineConsoleCall } from './call.ts'
import { ROLES } from './roles.ts'

/** Longest part of a passkey's answer: a registration has at most some kilobytes. */
const PASSKEY_TEXT_MAX = 16_384
const base64url = z.string().check(z.regex(/^[\w-]{1,16384}$/, 'Must be base64url.'))

/** The answer of a passkey to a challenge (WebAuthn level 3, AuthenticationResponseJSON). */
export const assertionSchema = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: z.nullish(z.string().check(z.maxLength(PASSKEY_TEXT_MAX))),
  }),
})
/** The answer of a passkey to a challenge. */
export type Assertion = z.output<typeof assertionSchema>

/** A new passkey (WebAuthn level 3, RegistrationResponseJSON). */
export const registrationSchema = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.nullish(z.array(z.string().check(z.maxLength(40))).check(z.maxLength(10))),
  }),
})
/** A new passkey. */
export type Registration = z.output<typeof registrationSchema>

/** Options for the browser's own call: their shape is WebAuthn's. */
const optionsSchema = z.record(z.string(), z.unknown())
const personSchema = z.object({ id: z.string(), name: z.string(), roles: z.array(z.enum(ROLES)) })
const sessionSchema = z.object({ staff: personSchema, expires_at: z.int() })
const keysSchema = { keys: z.int(), keys_needed: z.int() }
const inviteParams = z.object({ token: z.string().check(z.regex(/^[\w-]{1,200}$/)) })

export const staffCalls = {
  signInOptions: defineConsoleCall({
    method: 'POST',
    path: '/auth/options',
    access: 'nobody',
    answer: z.object({ options: optionsSchema }),
  }),
  signIn: defineConsoleCall({
    method: 'POST',
    path: '/auth/sign-in',
    access: 'nobody',
    body: z.strictObject({ response: assertionSchema }),
    answer: sessionSchema,
  }),
  me: defineConsoleCall({ method: 'GET', path: '/auth/me', access: 'staff', answer: sessionSchema }),
  signOut: defineConsoleCall({
    method: 'POST',
    path: '/auth/sign-out',
    access: 'staff',
    answer: z.object({ ok: z.literal(true) }),
  }),
  getInvite: defineConsoleCall({
    method: 'GET',
    path: '/invites/{token}',
    access: 'nobody',
    params: inviteParams,
    answer: z.object({ name: z.string(), roles: z.array(z.enum(ROLES)), ...keysSchema }),
  }),
  inviteOptions: defineConsoleCall({
    method: 'POST',
    path: '/invites/{token}/options',
    access: 'nobody',
    params: inviteParams,
    answer: z.object({ options: optionsSchema }),
  }),
  enrol: defineConsoleCall({
    method: 'POST',
    path: '/invites/{token}',
    access: 'nobody',
    params: inviteParams,
    body: z.strictObject({ response: registrationSchema, label: filledText(100) }),
    answer: z.object(keysSchema),
  }),
  listStaff: defineConsoleCall({
    method: 'GET',
    path: '/staff',
    access: 'staff',
    answer: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        email: z.string(),
        roles: z.array(z.enum(ROLES)),
        keys: z.int(),
        last_seen_at: z.nullable(z.int()),
        disabled_at: z.nullable(z.int()),
      }),
    ),
  }),
} as const
