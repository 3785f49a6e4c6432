import { KINDS, type KindName } from '@fairball/contract/console/kinds'
import { checkValue } from '@fairball/contract/check-input'
import { LotteryError } from '@fairball/domain/errors'
import type { Queries } from '../../db/pool.ts'
import { acceptFinding, acknowledgeAlarm, checkInvariantsNow, lockPeriod } from './kinds/books.ts'
import { addApiKey, addWebhook, deliverAgain, endApiKey, endWebhook, rotateWebhook } from './kinds/integrations.ts'
import type { Desk, RequestKind } from './kinds/kind.ts'
import { fetchOfFile } from './kinds/files.ts'
import { testMail } from './kinds/mail.ts'
import { goodwillForOrder, refreshOfOrder } from './kinds/orders.ts'
import { acceptPayouts, approvePayouts, cancelPayouts, holdPayouts, retryPayouts } from './kinds/payouts.ts'
import {
  blockOfPlayer,
  erasureOfPlayer,
  exclusionOfPlayer,
  exportOfPlayer,
  holdOfPayouts,
  noteOfPlayer,
  releaseOfPayouts,
  sessionsOfPlayer,
  unblockOfPlayer,
  verificationOfPlayer,
} from './kinds/players.ts'
import { cancelRequest, rejectRequest } from './kinds/requests.ts'
import { applyGames, applySetting, changeLogKey, pauseSalesOf, resumeSalesOf } from './kinds/site.ts'
import {
  bookDeposits,
  bookFeeOfProvider,
  bookTransferOfOurs,
  bookWithdrawn,
  giveDepositAddress,
} from './kinds/treasury.ts'
import { changeRolesOfPerson, disablePersonOfStaff, invitePerson, resetPerson } from './kinds/staff.ts'
import type { JsonObject } from './request-queries.ts'

/** What each kind of request is about, and does. */
const HANDLERS: { readonly [Name in KindName]: RequestKind<Name> } = {
  'payouts.approve': approvePayouts,
  'payouts.hold': holdPayouts,
  'payouts.retry': retryPayouts,
  'payouts.cancel': cancelPayouts,
  'payouts.accept': acceptPayouts,
  'treasury.deposit': bookDeposits,
  'treasury.own-transfer': bookTransferOfOurs,
  'treasury.fee': bookFeeOfProvider,
  'treasury.deposit-address': giveDepositAddress,
  'treasury.withdraw': bookWithdrawn,
  'orders.goodwill': goodwillForOrder,
  'players.block': blockOfPlayer,
  'players.unblock': unblockOfPlayer,
  'players.hold-payouts': holdOfPayouts,
  'players.release-payouts': releaseOfPayouts,
  'players.exclude': exclusionOfPlayer,
  'players.export': exportOfPlayer,
  'players.erase': erasureOfPlayer,
  'games.apply': applyGames,
  'sales.pause': pauseSalesOf,
  'sales.resume': resumeSalesOf,
  'settings.apply': applySetting,
  'periods.lock': lockPeriod,
  'log.change-key': changeLogKey,
  'invariants.accept': acceptFinding,
  'webhooks.create': addWebhook,
  'webhooks.rotate': rotateWebhook,
  'webhooks.revoke': endWebhook,
  'webhooks.redeliver': deliverAgain,
  'api-keys.create': addApiKey,
  'api-keys.revoke': endApiKey,
  'staff.invite': invitePerson,
  'staff.roles': changeRolesOfPerson,
  'staff.reset': resetPerson,
  'staff.disable': disablePersonOfStaff,
  'orders.refresh': refreshOfOrder,
  'players.note': noteOfPlayer,
  'players.resend-verification': verificationOfPlayer,
  'players.end-sessions': sessionsOfPlayer,
  'alarms.acknowledge': acknowledgeAlarm,
  'invariants.check': checkInvariantsNow,
  'mail.test': testMail,
  'files.fetch': fetchOfFile,
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
  if (checked.ok) return checked.value as JsonObject // a value of any kind came as JSON
  const fields: Record<string, string> = {}
  for (const [field, message] of Object.entries(checked.fields))
    fields[field === 'args' ? field : `args.${field}`] = message
  throw new LotteryError('INVALID_PAYLOAD', undefined, { fields })
}

/**
 * What the screen shows beside a request.
 *
 * @param of checked arguments, and the time
 * @throws LotteryError NOT_FOUND, INVALID_PAYLOAD
 */
export async function factsOf(
  from: Queries,
  name: KindName,
  { args, now }: { readonly args: JsonObject; readonly now: number },
): Promise<JsonObject> {
  return await handlerOf(name).facts(from, args, now)
}

/** Does what a request says. @param args checked @throws Refused, CodedRefusal */
export async function carryOut(desk: Desk, name: KindName, args: JsonObject): Promise<JsonObject> {
  return await handlerOf(name).carryOut(desk, args)
}

function handlerOf(name: KindName): RequestKind {
  return HANDLERS[name]
}
