import { ApiError } from '@fairball/contract/client'
import type { ErrorCode } from '@fairball/domain/errors'
import { errorText } from '../../../shared/api.ts'
import { ACCOUNT_TEXTS } from '../messages.ts'
import styles from './failure.module.css'

/** Why a form was refused, and in a second line what to do. */
export function Failure({ error }: { error: Error }) {
  const next = error instanceof ApiError ? nextSteps[error.code as ErrorCode] : undefined
  return (
    <>
      {errorText(error)}
      {next !== undefined && (
        <>
          {' '}
          <span className={styles['next']}>{next}</span>
        </>
      )}
    </>
  )
}

const nextSteps: Partial<Record<ErrorCode, string>> = ACCOUNT_TEXTS.nextSteps
