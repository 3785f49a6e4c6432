import { checkValue } from '@fairball/contract/check-input'
import { commandReason } from '@fairball/contract/console/requests'
import type { Queries } from '../../db/pool.ts'
import { Refused } from '../../kernel/errors.ts'
import type { CommandBy } from '../operator/service.ts'
import { isEnrolled } from './rules.ts'
import { listPeople } from './staff-queries.ts'

/**
 * Who runs an acting command of the server. While nobody is enrolled in the console, a reason is enough.
 *
 * @param typed `as` is the number of a person, null for none; `signatures` is how many the console asks for
 * @throws Refused for a reason that is no line of text, for nobody, and where two people are needed and it is no emergency
 */
export async function commandBy(
  from: Queries,
  typed: {
    readonly as: string | null
    readonly reason: string
    readonly signatures: 1 | 2
    readonly isEmergency: boolean
  },
): Promise<CommandBy> {
  const reason = typed.reason.trim()
  const checked = checkValue(commandReason, reason, 'reason')
  if (!checked.ok) throw new Refused(`--reason: ${Object.values(checked.fields).join(' ')}`)
  const people = (await from.run(listPeople, [])).filter(isEnrolled)
  if (people.length === 0) return { staffId: null, reason }
  const known = people.map(({ id, name }) => `${id} ${name}`).join(', ')
  const person = people.find(({ id }) => String(id) === typed.as)
  if (person === undefined) throw new Refused(`Say who you are with --as <number>: ${known}.`)
  if (typed.signatures === 2 && !typed.isEmergency)
    throw new Refused(
      'Two people sign this in the console. In an emergency, --alone-in-emergency does it here; all owners are told.',
    )
  return { staffId: person.id, reason }
}
