import { LotteryError } from '@fairball/domain/errors'
import { Refused } from '../../../kernel/errors.ts'
import type { Queries, Tx } from '../../../db/pool.ts'
import { act } from '../../operator/service.ts'
import { mailInvite } from '../invites.ts'
import { mailOwners } from '../owners.ts'
import type { JsonObject } from '../request-queries.ts'
import { areRolesTooClose } from '../rules.ts'
import {
  changeRoles,
  disablePerson,
  endSessionsOf,
  findPerson,
  findPersonByEmail,
  insertPerson,
  listPeople,
  lockPeople,
  type Person,
  revokeKeysOf,
} from '../staff-queries.ts'
import { type Desk, type RequestKind, said, withoutFacts } from './kind.ts'

const TOO_CLOSE =
  'From three people on nobody may be both treasurer and approver. Take one of the two roles from whoever has both first.'

export const invitePerson: RequestKind<'staff.invite'> = {
  facts: withoutFacts,
  carryOut: ({ ctx, operator, requestId }, { name, email, roles }) =>
    said(
      act(operator, 'staff-invite', email, async (tx) => {
        await tx.one(lockPeople, [])
        if ((await tx.maybeOne(findPersonByEmail, [email])) !== null)
          throw new Refused(`${email} is the address of somebody of the staff.`)
        if (areRolesTooClose([...(await tx.run(listPeople, [])), { roles, disabledAt: null }]))
          throw new Refused(TOO_CLOSE)
        const { id } = await tx.one(insertPerson, [name, email, roles, ctx.runtime.clock.now()])
        await mailInvite(ctx, tx, { id, name, email, roles }, `staff-invite:${requestId}`)
        return `${name} is invited as ${roles.join(', ')}: the link was mailed to ${email}.`
      }),
    ),
}

export const changeRolesOfPerson: RequestKind<'staff.roles'> = {
  facts: (from, { staff }) => personFacts(from, staff),
  carryOut: ({ operator }, { staff, roles }) =>
    said(
      act(operator, 'staff-roles', staff, async (tx) => {
        const person = await activePerson(tx, staff)
        const people = await tx.run(listPeople, [])
        const after = people.map((one) => (one.id === person.id ? { ...one, roles } : one))
        if (areRolesTooClose(after)) throw new Refused(TOO_CLOSE)
        if (!after.some((one) => one.disabledAt === null && one.roles.includes('owner'))) throw new Refused(NO_OWNER)
        await tx.execute(changeRoles, [person.id, roles])
        return `${person.name} is ${roles.join(', ')} now, and was ${person.roles.join(', ')}.`
      }),
    ),
}

export const resetPerson: RequestKind<'staff.reset'> = {
  facts: (from, { staff }) => personFacts(from, staff),
  carryOut: (desk, { staff }) =>
    said(
      act(desk.operator, 'staff-reset', staff, async (tx) => {
        const person = await activePerson(tx, staff)
        await endKeys(desk, tx, person)
        await mailInvite(desk.ctx, tx, person, `staff-reset:${desk.requestId}`)
        return `The passkeys of ${person.name} are worth nothing any more; a new link was mailed to ${person.email}.`
      }),
    ),
}

export const disablePersonOfStaff: RequestKind<'staff.disable'> = {
  facts: (from, { staff }) => personFacts(from, staff),
  carryOut: (desk, { staff }) =>
    said(
      act(desk.operator, 'staff-disable', staff, async (tx) => {
        const person = await activePerson(tx, staff)
        const others = (await tx.run(listPeople, [])).filter((one) => one.id !== person.id && one.disabledAt === null)
        if (!others.some(({ roles }) => roles.includes('owner'))) throw new Refused(NO_OWNER)
        await endKeys(desk, tx, person)
        await tx.execute(disablePerson, [person.id, desk.ctx.runtime.clock.now()])
        return `${person.name} is disabled, and signed out everywhere.`
      }),
    ),
}

const NO_OWNER = 'Nobody would be an owner then.'

async function endKeys({ ctx, requestId }: Desk, tx: Tx, { id, name }: Person): Promise<void> {
  const now = ctx.runtime.clock.now()
  await tx.execute(revokeKeysOf, [id, now])
  await tx.execute(endSessionsOf, [id, now])
  await mailOwners(ctx, tx, {
    subject: `The passkeys of ${name} were taken back`,
    paragraphs: [`The passkeys and sessions of ${name} in the operator's console were ended.`],
    key: `staff-keys-ended:${requestId}`,
  })
}

async function activePerson(tx: Tx, staff: string): Promise<Person> {
  await tx.one(lockPeople, [])
  const person = await tx.maybeOne(findPerson, [BigInt(staff)])
  if (person === null || person.disabledAt !== null) throw new Refused(`Nobody of the staff has the number ${staff}.`)
  return person
}

async function personFacts(from: Queries, staff: string): Promise<JsonObject> {
  const person = await from.maybeOne(findPerson, [BigInt(staff)])
  if (person === null) throw new LotteryError('NOT_FOUND')
  const { name, email, roles, keys, disabledAt } = person
  return { name, email, roles, keys, is_disabled: disabledAt !== null }
}
