import { kindOf, needsOf, type Kind, type Needs } from '@fairball/contract/console/kinds'
import type { Role } from '@fairball/contract/console/roles'
import type { JsonObject } from './request-queries.ts'

// Who may sign what (console.md sections 2 to 4). Pure: the console asks before it takes a signature, the worker before
// anything is done.

/** Passkeys that a person registers before a signature of theirs counts. */
export const KEYS_NEEDED = 2
/** From this many people on nobody proposes and signs payouts for both sides. */
const PEOPLE_WITH_APART_ROLES = 3

/** A person as the rules see them. */
interface Signer {
  readonly id: bigint
  readonly roles: readonly Role[]
  /** passkeys that count */
  readonly keys: number
  readonly disabledAt: number | null
}

/** Whether a person is there to sign: enrolled with both passkeys, and not disabled. */
export function isEnrolled({ keys, disabledAt }: Pick<Signer, 'keys' | 'disabledAt'>): boolean {
  return keys >= KEYS_NEEDED && disabledAt === null
}

/** Whether somebody's roles let them ask for a kind. @param args null for any */
export function mayPropose(
  { proposers, proposersFor }: Pick<Kind, 'proposers' | 'proposersFor'>,
  roles: readonly Role[],
  args: JsonObject | null,
): boolean {
  const allowed = args === null || proposersFor === undefined ? proposers : proposersFor(args)
  return roles.some((role) => allowed.includes(role))
}

/** Whether somebody's roles let them give the second signature. */
export function maySecond({ roles: allowed }: Needs, roles: readonly Role[]): boolean {
  return roles.some((role) => allowed.includes(role))
}

/** What a stored request needs; of a kind that there is not, what nobody can give. */
export function needsOfRequest({ kind, args, facts }: { kind: string; args: JsonObject; facts: JsonObject }): Needs {
  const known = kindOf(kind)
  if (known === null) return { signatures: 2, roles: [] }
  return needsOf(known, { args, facts })
}

/**
 * Whether one person gives both signatures: exactly one is enrolled, and there was never a second one, or the server's
 * command allowed it again.
 */
export function isAlone(people: readonly Signer[], decided: string | null): boolean {
  return decided !== 'ended' && people.filter(isEnrolled).length === 1
}

/** Whether these people's roles are too close: with three, nobody is both treasurer and approver. */
export function areRolesTooClose(people: readonly Pick<Signer, 'roles' | 'disabledAt'>[]): boolean {
  const active = people.filter(({ disabledAt }) => disabledAt === null)
  if (active.length < PEOPLE_WITH_APART_ROLES) return false
  return active.some(({ roles }) => roles.includes('treasurer') && roles.includes('approver'))
}
