import {
  choiceProblem,
  emailConfirmProblem,
  emailProblem,
  passwordConfirmProblem,
  passwordProblem,
  requiredTextProblem,
  securityAnswerProblem,
  twofaCodeProblem,
} from '@fairball/domain/validation'
import { formRules } from '@fairball/ui/form-rules.ts'
import { ACCOUNT_TEXTS } from './messages.ts'

/** Fields of the form to open an account. */
export interface OpenAccountValues {
  email: string
  emailConfirm: string
  password: string
  isAdult: boolean
}

export const openAccountRules = formRules<OpenAccountValues>(
  {
    email: ACCOUNT_TEXTS.email,
    emailConfirm: ACCOUNT_TEXTS.emailConfirm,
    password: ACCOUNT_TEXTS.password,
    isAdult: ACCOUNT_TEXTS.adultBox,
  },
  ({ email, emailConfirm, password, isAdult }) => ({
    email: emailProblem(email),
    emailConfirm: emailConfirmProblem(email, emailConfirm),
    password: passwordProblem(password),
    isAdult: isAdult ? null : ACCOUNT_TEXTS.adultRequired,
  }),
)

/** Fields of the login form. */
export interface LoginValues {
  emailOrUsername: string
  password: string
}

export const loginRules = formRules<LoginValues>(
  { emailOrUsername: ACCOUNT_TEXTS.emailOrUsername, password: ACCOUNT_TEXTS.password },
  ({ emailOrUsername, password }) => ({
    emailOrUsername: requiredTextProblem(emailOrUsername),
    password: passwordProblem(password),
  }),
)

/** Fields of the second step of a login. A question of 0 is none. */
export interface LoginSecureValues {
  code: string
  recoveryCode: string
  questionId: number
  answer: string
}

/**
 * Filled fields of the second step have to be valid. An empty field is not an error, because any one of the methods is
 * enough ({@link isSecondStepComplete}).
 */
export const loginSecureRules = formRules<LoginSecureValues>(
  {
    code: ACCOUNT_TEXTS.code,
    recoveryCode: ACCOUNT_TEXTS.recoveryCode,
    questionId: ACCOUNT_TEXTS.question,
    answer: ACCOUNT_TEXTS.answer,
  },
  (values) => {
    if (isSecondStepComplete(values)) return {}
    const { code, recoveryCode, questionId, answer } = values
    return {
      code: code === '' ? null : twofaCodeProblem(code),
      recoveryCode: recoveryCode === '' ? null : requiredTextProblem(recoveryCode),
      questionId: answer === '' ? null : choiceProblem(questionId),
      answer: questionId === 0 && answer === '' ? null : securityAnswerProblem(answer),
    }
  },
)

/** Whether the second step can be sent: a valid code or recovery code, or a chosen question with a valid answer (specification, section 5). */
export function isSecondStepComplete({ code, recoveryCode, questionId, answer }: LoginSecureValues): boolean {
  return isCode(code) || requiredTextProblem(recoveryCode) === null || isAnswered(questionId, answer)
}

/** Whether a text is a code of an authenticator app. */
export function isCode(code: string): boolean {
  return twofaCodeProblem(code) === null
}

/** Whether a question is chosen and has a valid answer. */
export function isAnswered(questionId: number, answer: string): boolean {
  return questionId !== 0 && securityAnswerProblem(answer) === null
}

/** Fields of the form for a reset link. */
export interface ForgottenPasswordValues {
  email: string
}

export const forgottenPasswordRules = formRules<ForgottenPasswordValues>(
  { email: ACCOUNT_TEXTS.email },
  ({ email }) => ({
    email: emailProblem(email),
  }),
)

/** Fields of the form for a new password. */
export interface ResetPasswordValues {
  password: string
  passwordConfirm: string
  code: string
  recoveryCode: string
}

/**
 * A typed recovery code replaces the code of the authenticator app.
 *
 * @param needsCode whether the account has two-factor on
 * @param usesRecovery whether a recovery code is requested instead
 */
export function resetPasswordRules(needsCode: boolean, usesRecovery = false) {
  return formRules<ResetPasswordValues>(
    {
      password: ACCOUNT_TEXTS.password,
      passwordConfirm: ACCOUNT_TEXTS.passwordConfirm,
      code: usesRecovery ? ACCOUNT_TEXTS.recoveryCode : ACCOUNT_TEXTS.resetCode,
      recoveryCode: ACCOUNT_TEXTS.recoveryCode,
    },
    ({ password, passwordConfirm, code, recoveryCode }) => ({
      password: passwordProblem(password),
      passwordConfirm: passwordConfirmProblem(password, passwordConfirm),
      code: needsCode && recoveryCode === '' ? twofaCodeProblem(code) : null,
      recoveryCode: recoveryCode === '' ? null : requiredTextProblem(recoveryCode),
    }),
  )
}
