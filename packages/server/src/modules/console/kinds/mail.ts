import { Refused } from '../../../kernel/errors.ts'
import { enqueueMail } from '../../messages/service.ts'
import { act } from '../../operator/service.ts'
import { confirmMailSender } from '../../settings/service.ts'
import { sha256 } from '../passkeys.ts'
import { findPerson } from '../staff-queries.ts'
import type { JsonObject } from '../request-queries.ts'
import { type Desk, type RequestKind, said, withoutFacts } from './kind.ts'
import { confirmTestMail, keepTestMail } from './mail-queries.ts'

/** How long the code of a test mail can be typed back, in seconds. */
const CODE_SECONDS = 86_400
const DIGITS = 8
/** The length of a code for a new sender, which got it by a mail of its own. */
const SENDER_CODE_LENGTH = 16

/** Sends a code to the person who asks, once a minute at most; or takes a code from a mail that arrived. */
export const testMail: RequestKind<'mail.test'> = {
  facts: withoutFacts,
  async carryOut(desk, { code }) {
    if (code === undefined) return await sendCode(desk)
    const typed = code.replaceAll(/[^0-9A-Za-z]/gu, '')
    return await said(typed.length === SENDER_CODE_LENGTH ? confirmSenderBy(desk, code) : confirmBy(desk, typed))
  },
}

async function sendCode({ ctx, tx, operator, proposer }: Desk): Promise<JsonObject> {
  const person = proposer === null ? null : await tx.maybeOne(findPerson, [proposer.id])
  if (person === null) throw new Refused('Nobody to mail to.')
  const { random, clock } = ctx.runtime
  const number = Buffer.from(random.bytes(6)).readUIntBE(0, 6) % 10 ** DIGITS
  const code = String(number).padStart(DIGITS, '0')
  return await said(
    act(operator, 'mail-test', String(person.id), async (inner) => {
      if ((await inner.execute(keepTestMail, [sha256(code), clock.now() + CODE_SECONDS, ctx.mailWay])) === 0)
        throw new Refused('A test mail was sent less than a minute ago. Wait for it, or send another one then.')
      await enqueueMail(ctx.mail, inner, {
        to: person.email,
        playerId: null,
        category: 'operator',
        subject: `A test mail from ${ctx.mail.site().name}`,
        paragraphs: [
          `${person.name} asked for this mail in the operator's console. Type this code there, under Health: ${code}`,
          'It shows that mail arrives, and can be typed for 24 hours.',
        ],
        key: `mail-test:${person.id}:${clock.now()}`,
      })
      return `A test mail with a code is on its way to ${person.name}.`
    }),
  )
}

async function confirmBy({ ctx, operator }: Desk, typed: string): Promise<string> {
  return await act(operator, 'mail-test', 'code', async (inner) => {
    const now = ctx.runtime.clock.now()
    if ((await inner.execute(confirmTestMail, [sha256(typed), now])) === 0)
      throw new Refused('This is not the code of the newest test mail, or its 24 hours are over. Send another one.')
    return 'The code is right: mail arrives.'
  })
}

/** The sender of mails that was applied is in force once its own code was typed. */
async function confirmSenderBy({ ctx, operator }: Desk, code: string): Promise<string> {
  const { runtime, db } = ctx
  return await confirmMailSender({ actor: operator.actor, runtime, db }, code, (work) =>
    act(operator, 'settings-confirm-mail', 'mail.from', work),
  )
}
