import {
  emailConfirmProblem,
  emailProblem,
  passwordConfirmProblem,
  passwordProblem,
  requiredTextProblem,
  securityAnswerProblem,
  twofaCodeProblem,
  VALIDATION_TEXTS,
} from '@fairball/domain/validation'
import { formRules } from '../../ui/form-rules.ts'
import { ACCOUNT_TEXTS } from './messages.ts'

/** What is asked to open an account. */
export interface OpenAccountValues {
  email: string
  emailConfirm: string
  password: string
  isAdult: boolean
}

export const openAccountRules = formRules<OpenAccountValues>(({ email, emailConfirm, password, isAdult }) => ({
  email: emailProblem(email),
  emailConfirm: emailConfirmProblem(email, emailConfirm),
  password: passwordProblem(password),
  isAdult: isAdult ? null : ACCOUNT_TEXTS.adultRequired,
}))

/** What is asked to log in. */
export interface LoginValues {
  emailOrUsername: string
  password: string
}

export const loginRules = formRules<LoginValues>(({ emailOrUsername, password }) => ({
  emailOrUsername: requiredTextProblem(emailOrUsername),
  password: passwordProblem(password),
}))

/** What is asked in the second step of a login. A question of 0 is none. */
export interface LoginSecureValues {
  code: string
  recoveryCode: string
  questionId: number
  answer: string
}

/**
 * A valid code or recovery code, or a chosen question with a valid answer (specification, section 5). What was begun has to be right;
 * where nothing was, the first field says what is missing.
 */
export const loginSecureRules = formRules<LoginSecureValues>((values) => {
  const { code, recoveryCode, questionId, answer } = values
  if (isSecondStepComplete(values)) return {}
  const answersQuestion = questionId !== 0 || answer !== ''
  if (answersQuestion && code === '' && recoveryCode === '') {
    return {
      questionId: questionId === 0 ? VALIDATION_TEXTS.required : null,
      answer: securityAnswerProblem(answer),
    }
  }
  return {
    code: twofaCodeProblem(code),
    recoveryCode: requiredTextProblem(recoveryCode),
    ...(code === '' && recoveryCode === '' && { questionId: VALIDATION_TEXTS.required }),
  }
})

/** Whether the second step can be sent: one way of the three is filled in and valid. */
export function isSecondStepComplete({ code, recoveryCode, questionId, answer }: LoginSecureValues): boolean {
  if (twofaCodeProblem(code) === null || requiredTextProblem(recoveryCode) === null) return true
  return questionId !== 0 && securityAnswerProblem(answer) === null
}

/** What is asked for a reset link. */
export interface ForgottenPasswordValues {
  email: string
}

export const forgottenPasswordRules = formRules<ForgottenPasswordValues>(({ email }) => ({
  email: emailProblem(email),
}))

/** What is asked for a new password. */
export interface ResetPasswordValues {
  password: string
  passwordConfirm: string
  code: string
}

/** @param needsCode whether the account has two-factor on */
export function resetPasswordRules(needsCode: boolean) {
  return formRules<ResetPasswordValues>(({ password, passwordConfirm, code }) => ({
    password: passwordProblem(password),
    passwordConfirm: passwordConfirmProblem(password, passwordConfirm),
    code: needsCode ? twofaCodeProblem(code) : null,
  }))
}
