import { LotteryError } from '@fairball/domain/errors'
import { securityAnswerKey, securityAnswerProblem } from '@fairball/domain/validation'
import type { SignedIn } from '../../kernel/caller.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { isSecurityQuestion } from '../content/service.ts'
import type { IdentityContext } from './context.ts'
import { mailSecurityQuestionChanged } from './mails.ts'
import { noticeRecipients } from './notice-recipients.ts'
import * as queries from './security-queries.ts'
import { assertRecentlyAuthenticated } from './sessions.ts'
import { lockSignedIn } from './signed-in-player.ts'

// The security question: a second step of login, never a way to recover an account (ASVS 6.4.2).

/** The setting for the pages: the answer is never returned. */
interface SecurityQuestionSetting {
  readonly is_active: boolean
  readonly security_question_id: number | null
  readonly answer: ''
}

/** The setting in a request. */
interface SecurityQuestionInput {
  readonly is_active: boolean
  readonly security_question_id?: number | null | undefined
  readonly answer?: string | null | undefined
}

/** The player's setting. */
export async function securityQuestionOf(ctx: IdentityContext, playerId: bigint): Promise<SecurityQuestionSetting> {
  const row = await ctx.db.maybeOne(queries.findSecurityAnswer, [playerId])
  return { is_active: row !== null, security_question_id: row?.questionId ?? null, answer: '' }
}

/**
 * Sets the question and its answer, which is hashed like a password, or switches it off. Only for a login of the last
 * half hour: with a question a thief of a session would have a second step of his own.
 *
 * @throws LotteryError INVALID_SECURITY_QUESTION, INVALID_SECURITY_ANSWER, TOO_MANY_REQUESTS; ACCESS_DENIED if the
 *   login is not recent
 * @throws Unauthorized if the session ended meanwhile
 */
export async function saveSecurityQuestion(
  ctx: IdentityContext,
  player: SignedIn,
  input: SecurityQuestionInput,
): Promise<SecurityQuestionSetting> {
  const questionId = input.security_question_id ?? 0
  const answer = input.answer ?? ''
  if (input.is_active && !isSecurityQuestion(questionId)) throw new LotteryError('INVALID_SECURITY_QUESTION')
  if (input.is_active && securityAnswerProblem(answer) !== null) throw new LotteryError('INVALID_SECURITY_ANSWER')

  await assertRecentlyAuthenticated(ctx, ctx.db, player)
  const counted = await ctx.rateLimits.take(LIMITS.questionChangesOfPlayer, String(player.id))
  const answerHash = input.is_active ? await ctx.passwords.hashOf(counted, securityAnswerKey(answer)) : null
  await ctx.db.transaction(async (tx) => {
    const locked = await lockSignedIn(tx, player)
    if (answerHash === null) {
      if ((await tx.execute(queries.removeSecurityAnswer, [player.id])) === 0) return // it was off already
    } else await tx.execute(queries.saveSecurityAnswer, [player.id, ctx.runtime.clock.now(), questionId, answerHash])
    for (const to of await noticeRecipients(tx, locked, ctx.runtime.clock.now()))
      await mailSecurityQuestionChanged(ctx, tx, to, input.is_active)
  })
  return await securityQuestionOf(ctx, player.id)
}
