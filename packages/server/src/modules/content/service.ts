import type { AnswerOf } from '@fairball/contract/calls'
import { LotteryError } from '@fairball/domain/errors'
import { CURRENCIES } from '@fairball/domain/fiat'
import { maskMiddle } from '@fairball/domain/masking'
import { emailProblem } from '@fairball/domain/validation'
import type { Db, Tx } from '../../db/pool.ts'
import { LIMITS, type RateLimits } from '../../http/rate-limits.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Messages } from '../messages/service.ts'
import { COUNTRIES } from './countries.ts'
import type { Cause } from './operator-content.ts'
import * as queries from './queries.ts'
import { SECURITY_QUESTIONS } from './security-questions.ts'
import { TIMEZONES } from './timezones.ts'

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

/** Stands for a name of which nothing may be shown. */
const NAMELESS = '***'

/** What somebody writes to the support. */
export interface ContactInput {
  readonly name: string
  readonly email: string
  readonly country_id: number
  readonly message: string
}

export interface ContentDeps {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock'>
  readonly rateLimits: RateLimits
  readonly mail: Messages['mail']
  /** Where contact messages are mailed to; null keeps them in the database alone. */
  readonly supportEmail: string | null
  /** The operator's good causes. */
  readonly causes: readonly Cause[]
  /** The newest wins whose draws are shown, of players who agree to it now, newest first. */
  readonly recentWins: () => Promise<readonly RecentWin[]>
}

export type Content = ReturnType<typeof createContent>

/** Catalogues for forms, winners and causes, and the contact form. */
export function createContent(deps: ContentDeps) {
  const { db, runtime, rateLimits, mail } = deps

  /** Recent winners under masked names. */
  async function winners(): Promise<Winner[]> {
    const wins = await deps.recentWins()
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
   * Keeps a message to the support and mails it there. Name and address of the sender stay in the text: nothing that a
   * stranger types becomes a header of a mail.
   *
   * @throws LotteryError INVALID_EMAIL, INVALID_PAYLOAD for an unknown country, TOO_MANY_REQUESTS
   */
  async function contact(input: ContactInput, sender: { playerId: bigint | null; address: string }): Promise<void> {
    const email = input.email.trim()
    if (emailProblem(email) !== null) throw new LotteryError('INVALID_EMAIL')
    const country = COUNTRIES.find(({ id }) => id === input.country_id)
    if (country === undefined)
      throw new LotteryError('INVALID_PAYLOAD', undefined, { fields: { country_id: 'Must be one of the countries.' } })
    await rateLimits.take(LIMITS.contactMessagesOfAddress, sender.address)
    const { name, message } = input
    await db.transaction(async (tx) => {
      const args = [runtime.clock.now(), sender.playerId, country.id, name, email, message] as const
      const { id } = await tx.one(queries.insertContactMessage, args)
      if (deps.supportEmail === null) return
      await mail.enqueue(tx, {
        to: deps.supportEmail,
        playerId: null,
        category: 'contact',
        subject: `Contact message ${id}`,
        paragraphs: [`From ${name} <${email}>, ${country.name}:`, message],
        key: `contact:${id}`,
      })
    })
  }

  return {
    countries: () => [...COUNTRIES],
    timezones: () => TIMEZONES.map(({ id, label }) => ({ id, label })),
    currencies: () => CURRENCIES.map(({ id, code }) => ({ id, code })),
    securityQuestions: () => [...SECURITY_QUESTIONS],
    winners,
    /** The good causes, as the operator lists them. */
    causes: () => [...deps.causes],
    contact,

    /** What a player wrote to us while signed in, for the export of personal data. */
    personalData: (playerId: bigint) => db.run(queries.exportContactMessages, [playerId]),

    /** Forgets what a player wrote to us, when the account ends. */
    async forgetPlayer(tx: Tx, playerId: bigint): Promise<void> {
      await tx.execute(queries.removeContactMessages, [playerId])
    },
  }
}
