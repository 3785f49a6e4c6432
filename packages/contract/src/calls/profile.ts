/** The signed-in player. */
import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { ADDRESSES } from '../paths.ts'
import { profileSchema } from '../schemas/account.ts'
import { okSchema } from '../schemas/answers.ts'
import { passwordText } from '../schemas/text.ts'

export const profileCalls = {
  getProfile: defineCall(ADDRESSES.getProfile, {
    tag: 'Profile',
    summary: 'Shows the signed-in player.',
    answer: profileSchema,
    errors: [],
  }),
  verifyPassword: defineCall(ADDRESSES.verifyPassword, {
    tag: 'Profile',
    summary: 'Checks the password of the player before a guarded step.',
    body: z.strictObject({ password: passwordText }),
    answer: okSchema,
    errors: ['INVALID_CREDENTIALS', 'TOO_MANY_REQUESTS'],
  }),
}
