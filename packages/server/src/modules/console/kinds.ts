import { KINDS, type KindName } from '@fairball/contract/console/kinds'
import { checkValue } from '@fairball/contract/check-input'
import { LotteryError } from '@fairball/domain/errors'
import type { Queries } from '../../db/pool.ts'
import type { Desk, RequestKind } from './kinds/kind.ts'
import { acceptPayouts, approvePayouts, cancelPayouts, holdPayouts, retryPayouts } from './kinds/payouts.ts'
import { cancelRequest, rejectRequest } from './kinds/requests.ts'
import { changeRolesOfPerson, disablePersonOfStaff, invitePerson, resetPerson } from './kinds/staff.ts'
import type { JsonObject } from './request-queries.ts'

/** What each kind of request is about, and does. */
const HANDLERS: { readonly [Name in KindName]: RequestKind<Name> } = {
  'payouts.approve': approvePayouts,
  'payouts.hold': holdPayouts,
  'payouts.retry': retryPayouts,
  'payouts.cancel': cancelPayouts,
  'payouts.accept': acceptPayouts,
  'staff.invite': invitePerson,
  'staff.roles': changeRolesOfPerson,
  'staff.reset': resetPerson,
  'staff.disable': disablePersonOfStaff,
  'requests.reject': rejectRequest,
  'requests.cancel': cancelRequest,
}

/** Those that need a session and no signature. */
export const LIGHT_KINDS: readonly string[] = Object.entries(KINDS).flatMap(([name, kind]) =>
  'isLight' in kind ? name : [],
)

/** Whether there is a kind of this name. */
export function isKind(name: string): name is KindName {
  return Object.hasOwn(KINDS, name)
}

/** Arguments as their kind takes them. @throws LotteryError INVALID_PAYLOAD */
export function checkedArgs(name: KindName, args: unknown): JsonObject {
  const checked = checkValue(KINDS[name].args, args, 'args')
  if (checked.ok) return checked.value
  const fields: Record<string, string> = {}
  for (const [field, message] of Object.entries(checked.fields))
    fields[field === 'args' ? field : `args.${field}`] = message
  throw new LotteryError('INVALID_PAYLOAD', undefined, { fields })
}

/** What the screen shows beside a request. @param args checked @throws LotteryError NOT_FOUND */
export async function factsOf(from: Queries, name: KindName, args: JsonObject): Promise<JsonObject> {
  return await handlerOf(name).facts(from, args as never) // checkedArgs made them this kind's
}

/** Does what a request says. @param args checked @throws Refused, CodedRefusal */
export async function carryOut(desk: Desk, name: KindName, args: JsonObject): Promise<JsonObject> {
  return await handlerOf(name).carryOut(desk, args as never) // as above
}

function handlerOf(name: KindName): RequestKind {
  return HANDLERS[name]
}
