import { LotteryError } from '@fairball/domain/errors'
import { passwordProblem } from '@fairball/domain/validation'
import { isCommonPassword, isOwnName } from './common-passwords.ts'

/**
 * Lets a new password pass: the rule of four classes (spec section 5), and not one of those that guessing begins with,
 * nor the player's own address or name with one of the usual endings.
 *
 * @throws LotteryError INVALID_PASSWORD
 */
export function assertGoodPassword(password: string, player: { email: string | null; username?: string }): void {
  if (passwordProblem(password) !== null) throw new LotteryError('INVALID_PASSWORD')
  if (isCommonPassword(password) || isOwnName(password, namesOf(player)))
    throw new LotteryError('INVALID_PASSWORD', 'This password is easy to guess. Please choose another one.')
}

function namesOf({ email, username }: { email: string | null; username?: string }): string[] {
  const names = email === null ? [] : [email, email.slice(0, email.indexOf('@'))]
  return username === undefined ? names : [...names, username]
}
