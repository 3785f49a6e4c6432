import { choiceProblem, emailProblem, usernameProblem } from '@fairball/domain/validation'
import { proofLabel, proofProblem } from '../../shared/forms/proof.ts'
import { formRules } from '@fairball/ui/form-rules.ts'
import { SETTINGS_TEXTS } from './messages.ts'
import type { PersonalDetails, PersonalDetailsValues } from './use-personal-details.ts'

/** Whether the email address is a different one; case makes no difference. */
export function isNewEmail(email: string, saved: string): boolean {
  return email.trim().toLowerCase() !== saved.toLowerCase()
}

/**
 * The rules of the personal details. The password or code is asked for only with a new email address.
 *
 * @param saved the present values: an account without an email address may stay without one
 */
export function personalDetailsRules(saved: PersonalDetails, isSocial: boolean) {
  return formRules<PersonalDetailsValues>(
    {
      username: SETTINGS_TEXTS.username,
      email: SETTINGS_TEXTS.email,
      timezone_id: SETTINGS_TEXTS.timezone,
      currency_id: SETTINGS_TEXTS.currency,
      proof: proofLabel(isSocial),
    },
    ({ username, email, timezone_id, currency_id, proof }) => {
      const isNew = isNewEmail(email, saved.email)
      return {
        username: usernameProblem(username),
        email: isNew ? emailProblem(email.trim()) : null,
        timezone_id: choiceProblem(timezone_id),
        currency_id: choiceProblem(currency_id),
        proof: isNew && saved.email !== '' ? proofProblem(proof, isSocial) : null,
      }
    },
  )
}
