import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import type { Bundle } from '@fairball/domain/protocol/bundle'
import { collectBundle } from '@fairball/domain/protocol/collect-bundle'
import { nobleHash } from '@fairball/domain/protocol/hash'
import type { LogKey } from '@fairball/domain/protocol/known-log'
import { checkPromise } from '@fairball/domain/protocol/papers'
import { RemoteLog } from '@fairball/domain/protocol/remote-log'
import { Checks } from '@fairball/domain/protocol/report'
import type { PayBy, StatementOf } from '@fairball/domain/protocol/statements'
import type { Trust } from '@fairball/domain/protocol/trust'
import { verifyLog } from '@fairball/domain/protocol/verify-log'
import { type OpenedDraw, verifyOpen } from '@fairball/domain/protocol/verify-open'
import { weekdayOf } from '@fairball/domain/weekday'
import type { Api } from '../shared/api.ts'
import type { Runtime } from '../shared/runtime.ts'
import { randomBelow, readLog } from './files.ts'
import { findDraws } from './find-draws.ts'
import type { KeptOrder } from './kept-records.ts'
import type { KeptStore } from './kept-store.ts'
import { readPaper, rememberHead, rememberKeys } from './memory.ts'
import { ownTrust, rootsNow, trustOf } from './trust.ts'

/** Dependencies of checking a promise. */
export interface PromiseParts {
  readonly api: Api
  readonly runtime: Pick<Runtime, 'fetch' | 'randomBytes'>
  readonly store: KeptStore
  /** The time recorded for new sights, epoch seconds. */
  readonly sightAt: number
}

/** The payment that the code to scan asks for. */
interface Shown {
  readonly pay: PayBy
  /** the other way that the same code offers; missing for none */
  readonly also?: PayBy
  readonly sats: bigint
}

const NO_PROMISE = 'This browser cannot read the promise.'
const NO_DRAW = 'It names a draw that the operator has not announced.'
const OTHER_LOG = 'The operator’s public log is not in order, or its key is not the one this browser knows.'

/**
 * Checks the promise for an order against the request of this browser: its draws are announced in the log, and ids,
 * sums and commitments are the order's own (docs/fairness.md, section 10).
 *
 * @param shown the payment that the code to scan asks for; null to take it from the promise if no code is shown here
 * @returns the fault, in a sentence; null if there is none
 * @throws the error of a failed fetch, without a verdict on the promise
 */
export async function promiseFault(parts: PromiseParts, order: KeptOrder, shown: Shown | null): Promise<string | null> {
  const promise = readPaper(order.promise ?? '')?.statement
  if (promise?.type !== 'promise') return NO_PROMISE
  if (promise.play.length !== order.days.length * order.weeks)
    return 'It is for another number of draws than you chose.'
  const announced = await announcedDraws(parts, order, promise)
  if (typeof announced === 'string') return announced
  const { draws, key, origin } = announced
  const fault = faultOfDraws(order, draws) ?? faultOfFree(order, promise)
  if (fault !== null) return fault
  const ways = shown === null ? promise.pay.slice(0, 1) : [shown.pay, ...(shown.also === undefined ? [] : [shown.also])]
  const sats = shown?.sats ?? promise.sats
  for (const pay of ways) {
    const asked = { pay, sats }
    const checked = checkPromise(order.promise ?? '', orderOf(order, promise, draws), { origin, publicKey: key }, asked)
    if (typeof checked === 'string') return checked
  }
  return null
}

interface Announced {
  readonly origin: string
  /** of the log, in force */
  readonly key: Uint8Array
  readonly draws: readonly OpenedDraw[]
}

/** The draws of a promise as the log announces them, or the fault of the log. */
async function announcedDraws(
  { api, runtime, store, sightAt }: PromiseParts,
  { game, firstDraw }: KeptOrder,
  promise: StatementOf<'promise'>,
): Promise<Announced | string> {
  const opens = promise.play.map(({ open }) => open)
  const found = await findDraws(api, { game, opens, from: firstDraw })
  if (found === null) return NO_DRAW
  const statements = [...found.values()].flatMap(({ hint }) => hint.statements)
  const { origin, bundle, trust, roots } = await readLog(runtime, async (get) => {
    const log = await RemoteLog.open(get)
    const known = await ownTrust(store, log.checkpoint.origin)
    return {
      origin: log.checkpoint.origin,
      bundle: await collectBundle({ get, log, draws: opens, hint: { statements }, random: randomBelow(runtime) }),
      trust: known,
      roots: await rootsNow(log, known),
    }
  })
  const { keys, draws, isInOrder } = readDraws(bundle, trustOf(trust), roots)
  const key = keys.at(-1)
  if (!isInOrder || key === undefined) return OTHER_LOG
  await rememberKeys(store, { origin, keys: keys.map(({ publicKey }) => toHex(publicKey)), seenAt: sightAt })
  await rememberHead(store, bundle.head, sightAt)
  return { origin, key: key.publicKey, draws }
}

/** Judges the log and the announcements of a bundle, but none of its later statements. */
function readDraws(bundle: Bundle, trust: Trust, roots: ReadonlyMap<number, Uint8Array | null>) {
  const checks = new Checks()
  const log = verifyLog(bundle, trust, checks, { hash: nobleHash, roots })
  const draws = log === null ? [] : bundle.draws.map((draw) => verifyOpen(log, bundle.texts, draw, checks))
  const wrong = Object.values(checks.findings()).some(({ status }) => status === 'fail' || status === 'broken')
  const opened = draws.filter((draw) => draw !== null)
  const keys: readonly LogKey[] = log?.keys ?? []
  return { keys, draws: opened, isInOrder: !wrong && log !== null && opened.length === bundle.draws.length }
}

/**
 * The draws are of the game, were on sale when the order was made, and are on the chosen days; one may replace today's.
 */
function faultOfDraws({ game, days, madeAt }: KeptOrder, draws: readonly OpenedDraw[]): string | null {
  const ofGame = draws.every(({ open: { statement } }) => statement.game === game && statement.close > madeAt)
  const others = draws.filter(({ open: { statement } }) => !days.includes(weekdayOf(statement.start)))
  return ofGame && others.length <= 1 ? null : 'It names other draws than you chose.'
}

function faultOfFree({ free }: KeptOrder, { play }: StatementOf<'promise'>): string | null {
  const used = play.reduce((sum, one) => sum + one.free, 0)
  return used < free ? 'It uses fewer free tickets than your order.' : null
}

function orderOf(order: KeptOrder, { play }: StatementOf<'promise'>, draws: readonly OpenedDraw[]) {
  return {
    secret: fromHex(order.secret, 32),
    payto: order.payto,
    plays: draws.map(({ open, rules }) => ({
      open: open.hash,
      lines: order.lines,
      free: play.find((one) => one.open === open.hash)?.free ?? 0,
      // The shown price of a line; the announced one if the price was shown only in other currencies.
      price: (order.drawPrices?.[open.statement.draw] ?? order.price)[rules.price.currency] ?? rules.price.value,
    })),
  }
}
