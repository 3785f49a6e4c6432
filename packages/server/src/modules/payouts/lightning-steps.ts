import type { Tx } from '../../db/pool.ts'
import { FalsePreimage, NodeRefused, NodeSilent, type Tracked } from '../../ports/lightning/lightning-node.ts'
import { PayeeRefused } from '../../ports/lightning/payee-refused.ts'
import type { PayoutsContext } from './context.ts'
import { bookPaid, bookReturned, type LightningPayout, type OpenAttempt } from './lightning-booking.ts'
import type { LightningPayouts, PayeeLine } from './lightning-context.ts'
import { maxFeeMsat } from './lightning-fees.ts'
import { judge, nextLookAt, nextTryAt, RETRY_SECONDS } from './lightning-gate.ts'
import { addLightningStep } from './lightning-making.ts'
import { labelOf } from './lightning-label.ts'
import * as queries from './lightning-queries.ts'
import { maySend } from './lightning-sends.ts'
import { setPlayerAside } from './queries.ts'

// A payout over Lightning on its way (lightning.md, section 5): an invoice is fetched and stored, the node is asked to
// pay it, and what became of it is read from the node, never from the answer. Each step may run twice, and in two
// workers at once: a state changes by one conditional update under the payout's lock, and the database holds one
// attempt that may still pay.

/** Delay before a node that is not fit, or has too little, is looked at again. */
const UNFIT_SECONDS = 60
const MSAT = 1_000n
/** Payouts that wait in a process for one host, and the delay before another one looks again, in seconds. */
const MOST_IN_LINE = 3
const LINE_SECONDS = 1
/** States without an attempt that may still pay. */
const WAITING = ['QUEUED', 'RETRY_AT', 'WAITING_FUNDS'] as const
const ON_ITS_WAY = ['RESOLVED', 'SENDING'] as const
const NO_ROUTE = 'the payment found no way to the wallet'
const USED_INVOICE = 'the wallet gave an invoice that was used before'

type SendingContext = PayoutsContext & { readonly lightning: LightningPayouts }
/** A payout, and its attempt that may still pay. */
interface Sending {
  readonly payout: LightningPayout
  readonly attempt: OpenAttempt
}

/** Takes a payout over Lightning one step on. */
export async function stepLightning(ctx: SendingContext, payoutId: bigint): Promise<void> {
  const payout = await ctx.db.maybeOne(queries.findLightningPayout, [payoutId])
  if (payout === null) return
  if (isOneOf(ON_ITS_WAY, payout.state)) return await follow(ctx, payout)
  if (!isOneOf(WAITING, payout.state)) return
  const now = ctx.runtime.clock.now()
  if (payout.nextAt > now) return await stepAt(ctx, payoutId, payout.nextAt)
  await resolveInLine(ctx, payout)
}

/** Payouts that wait for a host keep others from being paid: however slow one wallet's server is, few do. */
async function resolveInLine(ctx: SendingContext, payout: LightningPayout): Promise<void> {
  const { asked } = ctx.lightning
  const host = hostOf(payout)
  const line = asked.get(host) ?? { last: Promise.resolve(), places: 0 }
  if (line.places >= MOST_IN_LINE) return await stepAt(ctx, payout.id, ctx.runtime.clock.now() + LINE_SECONDS)
  line.places += 1
  asked.set(host, line)
  try {
    await resolve(ctx, payout, line)
  } finally {
    line.places -= 1
    if (line.places === 0) asked.delete(host)
  }
  const resolved = await ctx.db.maybeOne(queries.findLightningPayout, [payout.id])
  if (resolved !== null && isOneOf(ON_ITS_WAY, resolved.state)) await follow(ctx, resolved)
}

/** Fetches an invoice and stores it; then it is sent. Moves no money. */
async function resolve(ctx: SendingContext, payout: LightningPayout, line: PayeeLine): Promise<void> {
  const { lightning, runtime, db } = ctx
  const now = runtime.clock.now()
  const room = (await isSure(ctx)) && (await maySend(ctx, lightning)) ? await lightning.watch.room() : null
  if (room === null) return await waitFor(ctx, payout, 'QUEUED', 'the Lightning node cannot be used now')
  if (await isSetAside(ctx, payout))
    return await giveUp(ctx, payout, { reason: 'its player is set aside', isTold: false })
  const { playerId, destinationId, address } = payout
  const seals = ctx.addressSeals.destinations
  const refusal = await seals.refusalOf(db, { playerId, destinationId, address, at: now })
  if (refusal !== null) return await refuse(ctx, payout, refusal)
  const amountMsat = (payout.sats - payout.feeShareSats) * MSAT
  const { sats: prizeSats } = await db.one(queries.sumPrizesOf, [payout.id])
  const feeMsat = maxFeeMsat(prizeSats, payout.feeShareSats, payout.attempts + 1, lightning.limits())
  if (room.sendableMsat < amountMsat + feeMsat)
    return await waitFor(ctx, payout, 'WAITING_FUNDS', 'the Lightning node cannot send so much now')
  const fetched = await fetchInvoice(ctx, payout, { amountMsat, line })
  if ('reason' in fetched) return await tryLater(ctx, payout, fetched.reason)
  const { invoice, hash: paymentHash, expiresAt } = fetched
  const attempt = payout.attempts + 1
  await db.transaction(async (tx) => {
    const locked = await tx.one(queries.lockLightningPayout, [payout.id])
    if (!isOneOf(WAITING, locked.state) || locked.attempts !== payout.attempts) return
    await tx.execute(queries.countAttempt, [payout.id])
    const made = { payoutId: payout.id, attempt, paymentHash, invoice, amountMsat, maxFeeMsat: feeMsat }
    await tx.execute(queries.insertAttempt, { ...made, now, expiresAt, seal: seals.attemptSeal(made) })
    await tx.execute(queries.moveLightning, {
      id: payout.id,
      from: [locked.state],
      to: 'RESOLVED',
      nextAt: now,
      reason: null,
    })
  })
}

/** @returns an invoice that nobody used before, or why there is none */
async function fetchInvoice(
  ctx: SendingContext,
  { address }: LightningPayout,
  { amountMsat, line }: { readonly amountMsat: bigint; readonly line: PayeeLine },
) {
  const destination = { kind: address.includes('@') ? 'ADDRESS' : 'OFFER', value: address } as const
  try {
    const fetched = await inTurn(line, () => ctx.lightning.payees.fetchInvoice(destination, amountMsat))
    const { isKnown } = await ctx.db.one(queries.isHashKnown, [fetched.hash])
    return isKnown ? { reason: USED_INVOICE } : fetched
  } catch (error) {
    if (error instanceof PayeeRefused) return { reason: error.message }
    throw error
  }
}

/** Asks the node what became of the attempt, and does what follows. */
async function follow(ctx: SendingContext, payout: LightningPayout): Promise<void> {
  const attempt = await ctx.db.maybeOne(queries.findOpenAttempt, [payout.id])
  if (attempt === null) return // another worker ended it
  const sending = { payout, attempt }
  const word = await ctx.lightning.node.track(attempt.paymentHash).catch((error: unknown) => {
    if (error instanceof FalsePreimage) return null
    throw error
  })
  if (word === null)
    return await halt(ctx, payout, 'the Lightning node says that it paid, with a preimage of another payment')
  const verdict = judge(attempt, word.is, { now: ctx.runtime.clock.now(), isSure: await isSure(ctx) })
  if (verdict.is === 'paid' && word.is === 'complete') return await endPaid(ctx, sending, word)
  if (
    verdict.is === 'send' &&
    isOurs(ctx, sending) &&
    (await maySend(ctx, ctx.lightning)) &&
    !(await isSetAside(ctx, payout))
  )
    return await send(ctx, sending)
  if (verdict.is === 'dead' && word.is !== 'complete' && word.is !== 'in-flight')
    return await endDead(ctx, sending, word.is)
  await lookAgain(ctx, sending, verdict.deadSince)
}

/** Whether the program stored the invoice. What somebody wrote to the database is not paid; it ends with its time. */
function isOurs(ctx: SendingContext, { payout, attempt }: Sending): boolean {
  const isSealed = ctx.addressSeals.destinations.isSealedAttempt({ ...attempt, payoutId: payout.id })
  if (!isSealed) {
    const fields = { payoutId: String(payout.id), hash: attempt.paymentHash }
    ctx.runtime.log.error(fields, 'an invoice that does not fit its seal is not paid: who wrote it to the database?')
  }
  return isSealed
}

/** Has the node pay the stored invoice. Doing so again is harmless: the node pays an invoice once. */
async function send(ctx: SendingContext, { payout, attempt }: Sending): Promise<void> {
  const { id } = payout
  const isNoted = await ctx.db.transaction(async (tx) => {
    await tx.one(queries.lockLightningPayout, [id])
    const now = ctx.runtime.clock.now()
    if ((await tx.execute(queries.noteCall, [id, attempt.attempt, now])) === 0) return false
    return (
      (await tx.execute(queries.moveLightning, {
        id,
        from: [...ON_ITS_WAY],
        to: 'SENDING',
        nextAt: now,
        reason: null,
      })) > 0
    )
  })
  if (!isNoted) return
  const { invoice, paymentHash: hash, maxFeeMsat: maxFee } = attempt
  let refusal: string | null = null
  try {
    const label = labelOf({ payoutId: id, attempt: attempt.attempt, address: payout.address })
    await ctx.lightning.node.send({ invoice, hash, maxFeeMsat: maxFee, retrySeconds: RETRY_SECONDS, label })
  } catch (error) {
    // Without an answer nobody knows whether it was asked: the call stays open.
    if (error instanceof NodeSilent) return await stepAt(ctx, id, ctx.runtime.clock.now() + 1)
    if (!(error instanceof NodeRefused)) throw error
    refusal = `${error.code} ${error.message}`.slice(0, 300)
  }
  await ctx.db.execute(queries.noteAnswer, [id, attempt.attempt, refusal])
  await follow(ctx, payout)
}

async function endPaid(
  ctx: SendingContext,
  { payout, attempt }: Sending,
  word: Extract<Tracked, { is: 'complete' }>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await bookPaid(ctx, tx, await tx.one(queries.lockLightningPayout, [payout.id]), attempt, word)
  })
  ctx.runtime.log.info({ payoutId: String(payout.id), hash: attempt.paymentHash }, 'a payout was paid over Lightning')
}

/** The gate: the attempt ends, and what comes next is written, in one transaction. */
async function endDead(
  ctx: SendingContext,
  { payout, attempt }: Sending,
  outcome: 'failed' | 'none' | 'never-left',
): Promise<void> {
  const now = ctx.runtime.clock.now()
  await ctx.db.transaction(async (tx) => {
    const locked = await tx.one(queries.lockLightningPayout, [payout.id])
    // Another worker may have asked the node again meanwhile, or seen something else: then nothing is known of that yet.
    const open = await tx.maybeOne(queries.findOpenAttempt, [payout.id])
    if (open?.attempt !== attempt.attempt || open.calls !== attempt.calls || open.deadSince !== attempt.deadSince)
      return
    const ended = { payoutId: payout.id, attempt: attempt.attempt, outcome, now, preimage: null, sentMsat: null }
    if ((await tx.execute(queries.endAttempt, ended)) === 0) return
    const nextAt = nextTryAt(locked.firstAt, now)
    if (nextAt === null) return await returnAndTell(ctx, tx, locked, NO_ROUTE)
    await tx.execute(queries.moveLightning, {
      id: payout.id,
      from: [...ON_ITS_WAY],
      to: 'RETRY_AT',
      nextAt,
      reason: NO_ROUTE,
    })
    await addLightningStep(ctx, tx, payout.id, nextAt)
  })
  const fields = { payoutId: String(payout.id), outcome, callError: attempt.callError }
  ctx.runtime.log.warn(fields, 'a payment over Lightning failed')
}

async function lookAgain(ctx: SendingContext, { payout, attempt }: Sending, deadSince: number | null): Promise<void> {
  const runAt = nextLookAt({ sentAt: attempt.sentAt, deadSince }, ctx.runtime.clock.now())
  await ctx.db.transaction(async (tx) => {
    await tx.one(queries.lockLightningPayout, [payout.id])
    await tx.execute(queries.noteDeadSince, [payout.id, attempt.attempt, deadSince])
    await addLightningStep(ctx, tx, payout.id, runAt)
  })
}

/** There is no invoice: another one is asked for later, for a day. */
async function tryLater(ctx: SendingContext, payout: LightningPayout, reason: string): Promise<void> {
  const now = ctx.runtime.clock.now()
  const nextAt = nextTryAt(payout.firstAt, now)
  if (nextAt === null) return await giveUp(ctx, payout, { reason, isTold: true })
  await ctx.db.transaction(async (tx) => {
    await tx.one(queries.lockLightningPayout, [payout.id])
    if (
      (await tx.execute(queries.moveLightning, { id: payout.id, from: [...WAITING], to: 'RETRY_AT', nextAt, reason })) >
      0
    )
      await addLightningStep(ctx, tx, payout.id, nextAt)
  })
  ctx.runtime.log.warn({ payoutId: String(payout.id), reason }, 'a wallet gave no invoice')
}

/** Nothing is wrong with the wallet: the node is waited for, for a day. */
async function waitFor(
  ctx: SendingContext,
  payout: LightningPayout,
  state: 'QUEUED' | 'WAITING_FUNDS',
  reason: string,
): Promise<void> {
  const now = ctx.runtime.clock.now()
  if (nextTryAt(payout.firstAt, now) === null) return await giveUp(ctx, payout, { reason, isTold: false })
  await ctx.db.transaction(async (tx) => {
    await tx.one(queries.lockLightningPayout, [payout.id])
    const nextAt = now + UNFIT_SECONDS
    if ((await tx.execute(queries.moveLightning, { id: payout.id, from: [...WAITING], to: state, nextAt, reason })) > 0)
      await addLightningStep(ctx, tx, payout.id, nextAt)
  })
}

async function giveUp(
  ctx: SendingContext,
  payout: LightningPayout,
  { reason, isTold }: { readonly reason: string; readonly isTold: boolean },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const locked = await tx.one(queries.lockLightningPayout, [payout.id])
    if (!isOneOf(WAITING, locked.state)) return
    if (isTold) await returnAndTell(ctx, tx, locked, reason)
    else await bookReturned(ctx, tx, locked, reason)
  })
  ctx.runtime.log.warn({ payoutId: String(payout.id), reason }, 'a payout over Lightning is owed again')
}

/** A wallet could not be paid for a day: its player hears of it. */
async function returnAndTell(ctx: SendingContext, tx: Tx, payout: LightningPayout, reason: string): Promise<void> {
  await bookReturned(ctx, tx, payout, reason)
  const { playerId, destinationId, address, sats } = payout
  await ctx.facts.record(tx, 'payout.returned', { playerId, destinationId, address, sats })
}

/** The destination must not be paid: it is another one by now, or was tampered with; then its player is set aside. */
async function refuse(
  ctx: SendingContext,
  payout: LightningPayout,
  { reason, isTampered }: { readonly reason: string; readonly isTampered: boolean },
): Promise<void> {
  const { playerId, address } = payout
  if (isTampered) {
    await ctx.db.execute(setPlayerAside, [playerId, address, reason, ctx.runtime.clock.now()])
    ctx.runtime.log.error(
      { playerId: String(playerId), reason },
      'a player is set aside: the destination was tampered with',
    )
  }
  await giveUp(ctx, payout, { reason: `the destination ${reason}`, isTold: false })
}

async function halt(ctx: SendingContext, payout: LightningPayout, reason: string): Promise<void> {
  await ctx.db.execute(queries.haltLightning, [payout.id, reason])
  ctx.runtime.log.error({ payoutId: String(payout.id), reason }, 'a payout over Lightning is halted')
}

async function stepAt(ctx: SendingContext, payoutId: bigint, runAt: number): Promise<void> {
  await ctx.db.transaction((tx) => addLightningStep(ctx, tx, payoutId, runAt))
}

/** Whether the node's word and our clock can be relied on to end an attempt. */
async function isSure({ lightning, db }: SendingContext): Promise<boolean> {
  return (await lightning.watch.isFitNow()) && !(await lightning.isClockWrong(db))
}

/** Whether the payout's player is paid nothing for now, perhaps because a payment that was forgotten paid it already. */
async function isSetAside({ db }: SendingContext, { playerId }: LightningPayout): Promise<boolean> {
  return (await db.one(queries.isPlayerSetAside, [playerId])).isSetAside
}

/** Whose server gives the invoice; an offer is its own. */
function hostOf({ address }: LightningPayout): string {
  return address.slice(address.indexOf('@') + 1)
}

/** One question after the other: many winners may have their wallets at the same host. */
async function inTurn<T>(line: PayeeLine, ask: () => Promise<T>): Promise<T> {
  const mine = line.last.then(ask)
  line.last = mine.then(
    () => undefined,
    () => undefined,
  )
  return await mine
}

function isOneOf<T extends string>(some: readonly T[], one: string): one is T {
  return (some as readonly string[]).includes(one)
}
