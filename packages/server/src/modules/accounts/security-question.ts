import { LotteryError } from '@fairball/domain/errors'
import { securityAnswerKey, securityAnswerProblem } from '@fairball/domain/validation'
import type { Db } from '../../db/pool.ts'
import type { SignedIn } from '../../http/auth-hook.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { isSecurityQuestion } from '../content/security-questions.ts'
import type { AccountMails } from './mails.ts'
import type { Passwords } from './passwords.ts'
import { noticeRecipients } from './notice-recipients.ts'
import * as queries from './security-queries.ts'
import { lockSignedIn } from './signed-in-player.ts'

/** The setting as the pages see it: the answer is never given back. */
export interface SecurityQuestionSetting {
  readonly is_active: boolean
  readonly security_question_id: number | null
  readonly answer: ''
}

/** The setting as it is sent. */
export interface SecurityQuestionInput {
  readonly is_active: boolean
  readonly security_question_id?: number | null | undefined
  readonly answer?: string | null | undefined
}

export type SecurityQuestion = ReturnType<typeof createSecurityQuestion>

/** The security question: a second step of login, never a way to recover an account (ASVS 6.4.2). */
export function createSecurityQuestion(deps: {
  db: Db
  runtime: Pick<Runtime, 'clock'>
  passwords: Passwords
  mails: AccountMails
}) {
  const { db, runtime, passwords, mails } = deps

  /** The player's setting. */
  async function settingOf(playerId: bigint): Promise<SecurityQuestionSetting> {
    const row = await db.maybeOne(queries.findSecurityAnswer, [playerId])
    return { is_active: row !== null, security_question_id: row?.question_id ?? null, answer: '' }
  }

  /**
   * Sets the question and its answer, which is hashed like a password, or switches it off.
   * @throws LotteryError INVALID_SECURITY_QUESTION, INVALID_SECURITY_ANSWER
   * @throws Unauthorized when the session ended meanwhile
   */
  async function save(player: SignedIn, input: SecurityQuestionInput): Promise<SecurityQuestionSetting> {
    const questionId = input.security_question_id ?? 0
    const answer = input.answer ?? ''
    if (input.is_active && !isSecurityQuestion(questionId)) throw new LotteryError('INVALID_SECURITY_QUESTION')
    if (input.is_active && securityAnswerProblem(answer) !== null) throw new LotteryError('INVALID_SECURITY_ANSWER')

    const answerHash = input.is_active ? await passwords.hashOf(securityAnswerKey(answer)) : null
    await db.transaction(async (tx) => {
      const locked = await lockSignedIn(tx, player)
      if (answerHash === null) {
        if ((await tx.execute(queries.removeSecurityAnswer, [player.id])) === 0) return // it was off already
      } else await tx.execute(queries.saveSecurityAnswer, [player.id, runtime.clock.now(), questionId, answerHash])
      for (const to of await noticeRecipients(tx, locked, runtime.clock.now()))
        await mails.securityQuestionChanged(tx, to, input.is_active)
    })
    return await settingOf(player.id)
  }

  return { settingOf, save }
}
