import { choiceProblem, emailProblem, messageProblem, requiredTextProblem } from '@fairball/domain/validation'
import { formRules } from '@fairball/ui/form-rules.ts'
import { FORM_TEXTS } from './messages.ts'

/** A message to support. A country of 0 is none. */
export interface ContactValues {
  name: string
  email: string
  countryId: number
  message: string
}

/**
 * @param before prefix of the message, counted in its length
 * @param messageLabel the name of the message's field
 * @returns the rules of the form (specification, section 5)
 */
export function contactRules(before = '', messageLabel: string = FORM_TEXTS.message) {
  return formRules<ContactValues>(
    { name: FORM_TEXTS.name, email: FORM_TEXTS.email, countryId: FORM_TEXTS.country, message: messageLabel },
    ({ name, email, countryId, message }) => ({
      name: requiredTextProblem(name),
      email: emailProblem(email.trim()),
      countryId: choiceProblem(countryId),
      message: messageProblem(message.trim() === '' ? '' : before + message),
    }),
  )
}
