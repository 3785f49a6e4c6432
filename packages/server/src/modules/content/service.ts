import type { AnswerOf } from '@fairball/contract/calls'
import { LotteryError } from '@fairball/domain/errors'
import { maskMiddle } from '@fairball/domain/masking'
import { emailProblem } from '@fairball/domain/validation'
import type { Tx } from '../../db/pool.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { exported } from '../../kernel/personal-data.ts'
import { enqueueMail } from '../messages/service.ts'
import type { ContentContext } from './context.ts'
import { COUNTRIES } from './countries.ts'
import * as queries from './queries.ts'

export { placeOf, repetitions } from './content-file.ts'
export { imageOf, IMAGES_PATH } from './content-images.ts'
export { contentShape, email, line, object } from './content-schema.ts'
export { placeholdersIn } from './placeholders.ts'
export { isSecurityQuestion } from './security-questions.ts'
export { timezoneById } from './timezones.ts'
export { zoneOf } from './timezones.ts'

export type { ContentContext } from './context.ts'
export type { Cause, ContentImage, Operator, OperatorContent } from './operator-content.ts'

type Winner = AnswerOf<'getWinners'>[number]

/** A win that may be shown. */
export interface RecentWin {
  readonly id: string
  readonly username: string
  /** the draw's start, epoch seconds */
  readonly at: number
  readonly gameName: string
  readonly amount: Winner['amount_won']
}

/** In place of a name that may not be shown. */
const NAMELESS = '***'

/** A message to the support. */
interface ContactInput {
  readonly name: string
  readonly email: string
  readonly country_id: number
  readonly message: string
}

/** Recent winners under masked names. */
export async function listWinners(ctx: ContentContext): Promise<Winner[]> {
  const wins = await ctx.recentWins()
  return wins.map(({ id, username, at, gameName, amount }) => ({
    id,
    // The mask shows nothing of a short name, and a card has to have one.
    user_name: maskMiddle(username) || NAMELESS,
    user_image: null,
    when: at,
    game_name: gameName,
    amount_won: amount,
  }))
}

/**
 * Stores a message to the support and mails it there. Name and address of the sender stay in the text: nothing that a
 * stranger types becomes a header of a mail.
 *
 * @throws LotteryError INVALID_EMAIL, INVALID_PAYLOAD for an unknown country, TOO_MANY_REQUESTS
 */
export async function takeContactMessage(
  ctx: ContentContext,
  input: ContactInput,
  sender: { playerId: bigint | null; address: string },
): Promise<void> {
  const email = input.email.trim()
  if (emailProblem(email) !== null) throw new LotteryError('INVALID_EMAIL')
  const country = COUNTRIES.find(({ id }) => id === input.country_id)
  if (country === undefined)
    throw new LotteryError('INVALID_PAYLOAD', undefined, { fields: { country_id: 'Must be one of the countries.' } })
  await ctx.rateLimits.take(LIMITS.contactMessagesOfAddress, sender.address)
  const { name, message } = input
  await ctx.db.transaction(async (tx) => {
    const { id } = await tx.one(queries.insertContactMessage, {
      now: ctx.runtime.clock.now(),
      playerId: sender.playerId,
      countryId: country.id,
      name,
      email,
      message,
    })
    const supportEmail = ctx.supportEmail()
    if (supportEmail === null) return
    await enqueueMail(ctx.messages, tx, {
      to: supportEmail,
      playerId: null,
      category: 'contact',
      subject: `Contact message ${id}`,
      paragraphs: [`From ${name} <${email}>, ${country.name}:`, message],
      key: `contact:${id}`,
    })
  })
}

/** What a player wrote to us while logged in, for the personal data export. */
export async function contactMessagesOf(ctx: ContentContext, playerId: bigint) {
  return (await ctx.db.run(queries.exportContactMessages, [playerId])).map(exported)
}

/** Deletes what a player wrote to us, when the account ends. */
export async function forgetContactMessagesOf(tx: Tx, playerId: bigint): Promise<void> {
  await tx.execute(queries.removeContactMessages, [playerId])
}
