import { currentPasswordProblem, twofaCodeProblem } from '@fairball/domain/validation'
import { FORM_TEXTS } from './messages.ts'

/**
 * The problem with a proof of identity: a password, or for accounts without one a code (specification, section 5).
 *
 * @param proof as typed
 */
export function proofProblem(proof: string, isSocial: boolean): string | null {
  return isSocial ? twofaCodeProblem(proof) : currentPasswordProblem(proof)
}

/** @returns the name of its field */
export function proofLabel(isSocial: boolean): string {
  return isSocial ? FORM_TEXTS.code : FORM_TEXTS.password
}

/** @returns the proof in the form the calls expect */
export function proofBody(proof: string, isSocial: boolean): { twofa_code: string } | { password: string } {
  return isSocial ? { twofa_code: proof } : { password: proof }
}
