import { EASY_TO_GUESS_TEXT, isEasyToGuess } from '@fairball/domain/common-passwords'
import { CURRENT_PASSWORD_MIN, passwordStrength } from '@fairball/domain/validation'
import { ACCOUNT_TEXTS } from '../messages.ts'
import styles from './password-strength.module.css'

/**
 * Says how strong a new password looks, from the sixth character on (specification, section 5). Its space is reserved
 * before that, so nothing moves. A common password, which the server refuses, is weak whatever its characters.
 *
 * @param email the player's, if known
 */
export function PasswordStrength({ password, email = null }: { password: string; email?: string | null }) {
  const isListed = isEasyToGuess(password, { email })
  const strength = password.length < CURRENT_PASSWORD_MIN ? null : isListed ? 'WEAK' : passwordStrength(password)
  return (
    <p className={styles['strength']} data-strength={strength ?? 'NONE'} role="status">
      <span className={styles['bars']} aria-hidden="true">
        <span className={styles['bar']} />
        <span className={styles['bar']} />
        <span className={styles['bar']} />
      </span>
      {strength !== null && (
        <span>
          {ACCOUNT_TEXTS.strengthLabel} <strong>{ACCOUNT_TEXTS.strength[strength]}</strong>
          {isListed && <> {EASY_TO_GUESS_TEXT}</>}
        </span>
      )}
    </p>
  )
}
