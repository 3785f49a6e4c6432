import { choiceProblem, emailProblem, messageProblem, requiredTextProblem } from '@fairball/domain/validation'
import { formRules } from '../../ui/form-rules.ts'

/** What is sent to the support. A country of 0 is none. */
export interface ContactValues {
  name: string
  email: string
  countryId: number
  message: string
}

export const contactRules = formRules<ContactValues>(({ name, email, countryId, message }) => ({
  name: requiredTextProblem(name),
  email: emailProblem(email.trim()),
  countryId: choiceProblem(countryId),
  message: messageProblem(message),
}))
