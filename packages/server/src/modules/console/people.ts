import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import { ROLES, type Role } from '@fairball/contract/console/roles'
import type { staffCalls } from '@fairball/contract/console/staff'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import { Refused } from '../../kernel/errors.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { act, type OperatorContext } from '../operator/service.ts'
import type { Relying } from './context.ts'
import { makeInvite } from './invites.ts'
import { isEnrolled } from './rules.ts'
import {
  endSessionsOf,
  findPerson,
  findPersonByEmail,
  insertPerson,
  listPeople,
  lockPeople,
  revokeKeysOf,
  saveAlone,
} from './staff-queries.ts'

// The people of the staff, and what the server's own commands do about them. In the console these are requests.

/** Everybody, oldest first. */
export async function listStaff(from: Queries): Promise<ConsoleAnswerOf<typeof staffCalls.listStaff>> {
  return (await from.run(listPeople, [])).map(({ id, name, email, roles, keys, lastSeenAt, disabledAt }) => ({
    id: String(id),
    name,
    email,
    roles,
    keys,
    last_seen_at: lastSeenAt,
    disabled_at: disabledAt,
  }))
}

/** What the commands about people are given. */
export interface PeopleContext extends OperatorContext {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'log' | 'random'>
  readonly relying: Relying
}

/** Invites the first person. @returns what to do with the link @throws Refused once somebody is enrolled */
export function inviteFirst(
  ctx: PeopleContext,
  name: string,
  email: string,
  roles: readonly string[],
): Promise<string> {
  return act(ctx, 'staff-invite', email, async (tx) => {
    await tx.one(lockPeople, [])
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Refused(`'${email}' is no address of mail.`)
    if ((await tx.run(listPeople, [])).some(isEnrolled))
      throw new Refused('Somebody is enrolled already: others are invited in the console.')
    const known = rolesOf(roles)
    const person = await tx.maybeOne(findPersonByEmail, [email])
    const { id } = person ?? (await tx.one(insertPerson, [name, email, known, ctx.runtime.clock.now()]))
    return linkOf(name, await makeInvite(ctx, tx, id))
  })
}

/** Takes back a person's passkeys and makes a new link. @throws Refused */
export function resetKeys(ctx: PeopleContext, staffId: bigint): Promise<string> {
  return act(ctx, 'staff-reset', String(staffId), async (tx) => {
    await tx.one(lockPeople, [])
    const person = await tx.maybeOne(findPerson, [staffId])
    if (person === null || person.disabledAt !== null)
      throw new Refused(`Nobody of the staff has the number ${staffId}.`)
    const now = ctx.runtime.clock.now()
    await tx.execute(revokeKeysOf, [staffId, now])
    await tx.execute(endSessionsOf, [staffId, now])
    return linkOf(person.name, await makeInvite(ctx, tx, staffId))
  })
}

/** Lets the only enrolled person give both signatures again. @throws Refused while there are two */
export function allowAlone(ctx: PeopleContext): Promise<string> {
  return act(ctx, 'staff-alone', 'all', async (tx) => {
    await tx.one(lockPeople, [])
    const enrolled = (await tx.run(listPeople, [])).filter(isEnrolled)
    if (enrolled.length !== 1) throw new Refused(`${enrolled.length} people are enrolled, not one.`)
    await tx.execute(saveAlone, ['allowed'])
    return `${enrolled[0]?.name} signs for both, each time with two passkeys, until a second person is enrolled.`
  })
}

/** A person for the demo, whose passkeys are registered again with a new link. @returns its address */
export async function demoInvite(
  ctx: { readonly runtime: Pick<Runtime, 'clock' | 'random'>; readonly relying: Relying },
  tx: Tx,
  person: { readonly name: string; readonly email: string; readonly roles: readonly Role[] },
): Promise<string> {
  await tx.one(lockPeople, [])
  const known = await tx.maybeOne(findPersonByEmail, [person.email])
  const id =
    known?.id ??
    (await tx.one(insertPerson, [person.name, person.email, [...person.roles], ctx.runtime.clock.now()])).id
  return await makeInvite(ctx, tx, id)
}

function rolesOf(names: readonly string[]): Role[] {
  const unknown = names.find((name) => !ROLES.includes(name as Role))
  if (unknown !== undefined || names.length === 0)
    throw new Refused(`'${unknown ?? ''}' is no role. Roles: ${ROLES.join(', ')}.`)
  return [...new Set(names as Role[])]
}

function linkOf(name: string, address: string): string {
  return `${name} registers two passkeys over this link, within 24 hours and once. Pass it to nobody else: ${address}`
}
