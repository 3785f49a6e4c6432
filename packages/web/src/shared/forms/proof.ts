import { currentPasswordProblem, twofaCodeProblem } from '@fairball/domain/validation'
import { FORM_TEXTS } from './messages.ts'

/**
 * What is wrong with what shows that it is the player: a password, or for accounts without one a code (specification, section 5).
 *
 * @param proof as typed
 */
export function proofProblem(proof: string, isSocial: boolean): string | null {
  return isSocial ? twofaCodeProblem(proof) : currentPasswordProblem(proof)
}

/** @returns what the field for it is called */
export function proofLabel(isSocial: boolean): string {
  return isSocial ? FORM_TEXTS.code : FORM_TEXTS.password
}

/** @returns the proof as the calls take it */
export function proofBody(proof: string, isSocial: boolean): { twofa_code: string } | { password: string } {
  return isSocial ? { twofa_code: proof } : { password: proof }
}
