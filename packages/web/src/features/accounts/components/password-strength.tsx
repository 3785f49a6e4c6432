import { CURRENT_PASSWORD_MIN, passwordStrength } from '@fairball/domain/validation'
import { ACCOUNT_TEXTS } from '../messages.ts'
import styles from './password-strength.module.css'

/** Says how strong a new password looks, from the sixth character on (specification, section 5). Its room is kept before that, so nothing moves. */
export function PasswordStrength({ password }: { password: string }) {
  const strength = password.length < CURRENT_PASSWORD_MIN ? null : passwordStrength(password)
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
        </span>
      )}
    </p>
  )
}
