import { EASY_TO_GUESS_TEXT, isEasyToGuess, type PasswordOwner } from '@fairball/domain/common-passwords'
import { LotteryError } from '@fairball/domain/errors'
import { passwordProblem } from '@fairball/domain/validation'

/**
 * Checks a new password: it satisfies the rule of four classes (spec section 5), and is neither a common first guess
 * nor the player's own address or name with one of the usual endings.
 *
 * @throws LotteryError INVALID_PASSWORD
 */
export function assertGoodPassword(password: string, player: PasswordOwner): void {
  if (passwordProblem(password) !== null) throw new LotteryError('INVALID_PASSWORD')
  if (isEasyToGuess(password, player)) throw new LotteryError('INVALID_PASSWORD', EASY_TO_GUESS_TEXT)
}
