import { choiceProblem, emailProblem, messageProblem, requiredTextProblem } from '@fairball/domain/validation'
import { formRules } from '../../ui/form-rules.ts'

/** What is sent to the support. A country of 0 is none. */
export interface ContactValues {
  name: string
  email: string
  countryId: number
  message: string
}

/**
 * @param before what is sent before the message, and takes of its length
 * @returns the rules of the form (specification, section 5)
 */
export function contactRules(before = '') {
  return formRules<ContactValues>(({ name, email, countryId, message }) => ({
    name: requiredTextProblem(name),
    email: emailProblem(email.trim()),
    countryId: choiceProblem(countryId),
    message: messageProblem(message.trim() === '' ? '' : before + message),
  }))
}
