import { LotteryError } from '@fairball/domain/errors'
import { passwordProblem } from '@fairball/domain/validation'
import { isCommonPassword } from './common-passwords.ts'

/**
 * Lets a new password pass: the rule of four classes (spec section 5), and not one of those that guessing begins with,
 * nor the player's own address or name.
 *
 * @throws LotteryError INVALID_PASSWORD
 */
export function assertGoodPassword(password: string, player: { email: string | null; username?: string }): void {
  if (passwordProblem(password) !== null) throw new LotteryError('INVALID_PASSWORD')
  const own = [player.email, player.username].filter((text) => text != null).map((text) => text.toLowerCase())
  if (isCommonPassword(password) || own.includes(password.toLowerCase()))
    throw new LotteryError('INVALID_PASSWORD', 'This password is easy to guess. Please choose another one.')
}
