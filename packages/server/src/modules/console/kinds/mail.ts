import { Refused } from '../../../kernel/errors.ts'
import { enqueueMail } from '../../messages/service.ts'
import { act } from '../../operator/service.ts'
import { findPerson } from '../staff-queries.ts'
import { type RequestKind, said, withoutFacts } from './kind.ts'

/** To whoever asks, once a minute at most. */
export const testMail: RequestKind<'mail.test'> = {
  facts: withoutFacts,
  async carryOut({ ctx, tx, operator, proposer }) {
    const person = proposer === null ? null : await tx.maybeOne(findPerson, [proposer.id])
    if (person === null) throw new Refused('Nobody to mail to.')
    return await said(
      act(operator, 'mail-test', String(person.id), async (inner) => {
        await enqueueMail(ctx.mail, inner, {
          to: person.email,
          playerId: null,
          category: 'operator',
          subject: `A test mail from ${ctx.mail.site().name}`,
          paragraphs: [`${person.name} asked for this mail in the operator's console. It arrived, so mail works.`],
          key: `mail-test:${person.id}:${Math.floor(ctx.runtime.clock.now() / 60)}`,
        })
        return `A test mail is on its way to ${person.name}.`
      }),
    )
  },
}
