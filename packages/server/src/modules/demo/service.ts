import type { AnswerOf, BodyOf } from '@fairball/contract/calls'
import { CLOCK_JUMP_MAX } from '@fairball/contract/calls/demo'
import { LotteryError } from '@fairball/domain/errors'
import { btcToSats, satsToBtc } from '@fairball/domain/money'
import type { OrderStatus } from '@fairball/domain/order-status'
import { NodeSilent } from '../../ports/lightning/lightning-node.ts'
import type { TestLightning } from '../../ports/lightning/test-node.ts'
import type { TestChain } from '../../ports/wallet/test-chain.ts'
import { listOutbox, type MessagesContext } from '../messages/service.ts'
import { checkoutOf, moneyOf, openInvoice, type PaymentsContext, refreshPayments } from '../payments/service.ts'

const MSAT_PER_SAT = 1000n

/** The clock of the whole system. */
export interface DemoClock {
  /** epoch seconds */
  now(): number
  /** Moves the clock forward to `at`, through every moment at which work is due; returns when that work is done. */
  moveTo(at: number): Promise<void>
}

/** What the demo's controls need. */
export interface DemoContext {
  readonly payments: PaymentsContext
  readonly messages: Pick<MessagesContext, 'db'>
  /** null if real bitcoin is taken: then there is no test wallet */
  readonly chain: TestChain | null
  /** the demo's Lightning node; null without it */
  readonly lightning: TestLightning | null
  readonly clock: DemoClock
  /** Returns once all work that is due now is done, mails included. */
  readonly settleDueWork: () => Promise<void>
}

function chainOf(ctx: DemoContext): TestChain {
  if (ctx.chain === null) throw new LotteryError('NOT_FOUND', 'There is no test wallet here: real bitcoin is taken.')
  return ctx.chain
}

export async function readClock(ctx: DemoContext): Promise<AnswerOf<'getClock'>> {
  await ctx.settleDueWork()
  return { now: ctx.clock.now() }
}

/** @throws LotteryError INVALID_PAYLOAD for a target before now or more than 400 days ahead */
export async function moveClock(ctx: DemoContext, body: BodyOf<'moveClock'>): Promise<AnswerOf<'moveClock'>> {
  const target = targetOf(body, ctx.clock.now())
  await ctx.clock.moveTo(target)
  await ctx.settleDueWork()
  return { now: ctx.clock.now() }
}

/**
 * Pays any order from the test wallet, whatever its status.
 *
 * @throws LotteryError NOT_FOUND for an unknown order, or without a test wallet; INVALID_PAYLOAD for an impossible
 *   amount, or for an order that costs nothing
 */
export async function payFromTestWallet(
  ctx: DemoContext,
  body: BodyOf<'payFromTestWallet'>,
): Promise<{ status: OrderStatus }> {
  const orderId = body.transaction_id
  if (body.method === 'lightning') return await payOverLightning(ctx, body)
  const testChain = chainOf(ctx)
  const amountSats = body.amount === undefined ? null : amountOf(body.amount)
  const { missingSats } = await moneyOf(ctx.payments, orderId)
  const sats = amountSats ?? missingSats
  if (sats > 0n) {
    await openInvoice(ctx.payments, orderId)
    const { address } = await moneyOf(ctx.payments, orderId)
    if (address === null) throw refused('transaction_id', 'This order has nothing to pay.')
    await testChain.payIn({
      address,
      sats,
      minedConfirmations: body.confirmations ?? ctx.payments.requiredConfirmations(),
    })
    await refreshPayments(ctx.payments, orderId)
  }
  await ctx.settleDueWork()
  return { status: (await moneyOf(ctx.payments, orderId)).status }
}

/**
 * Pays the Lightning invoice of an order from the demo's wallet. The node takes it whole, and up to twice its amount.
 *
 * @throws LotteryError NOT_FOUND for an unknown order, or without a test node; INVALID_PAYLOAD where the node refuses
 */
async function payOverLightning(ctx: DemoContext, body: BodyOf<'payFromTestWallet'>): Promise<{ status: OrderStatus }> {
  const orderId = body.transaction_id
  if (ctx.lightning === null) throw new LotteryError('NOT_FOUND', 'No payment is taken over Lightning here.')
  const { dueSats } = await moneyOf(ctx.payments, orderId)
  const sats = body.amount === undefined ? dueSats : amountOf(body.amount)
  if (dueSats > 0n) await openInvoice(ctx.payments, orderId)
  const { lightning } = await checkoutOf(ctx.payments, orderId)
  if (lightning?.bolt11 == null) throw refused('method', 'This order has no Lightning invoice.')
  const isPaid = await ctx.lightning.payIn(lightning.payment_hash, sats * MSAT_PER_SAT).catch((error: unknown) => {
    if (error instanceof NodeSilent) return false
    throw error
  })
  if (!isPaid)
    throw refused(
      'amount',
      'The node refuses: the invoice is paid, closed or expired, or the amount is not 1 to 2 times its own.',
    )
  await refreshPayments(ctx.payments, orderId)
  await ctx.settleDueWork()
  return { status: (await moneyOf(ctx.payments, orderId)).status }
}

/** @throws LotteryError NOT_FOUND without a test node */
export async function setLightning(
  ctx: DemoContext,
  { mode }: BodyOf<'setLightning'>,
): Promise<AnswerOf<'setLightning'>> {
  if (ctx.lightning === null) throw new LotteryError('NOT_FOUND', 'No payment is taken over Lightning here.')
  await ctx.lightning.setMode(mode)
  return { mode }
}

export async function readMails(ctx: DemoContext, to: string | undefined): Promise<AnswerOf<'getMail'>> {
  await ctx.settleDueWork()
  return await listOutbox(ctx.messages, to)
}

/** @throws LotteryError NOT_FOUND without a test wallet */
export async function readTestWallet(ctx: DemoContext): Promise<AnswerOf<'getTestWallet'>> {
  await ctx.settleDueWork()
  const testChain = chainOf(ctx)
  const sent = await testChain.movements('out')
  return {
    received: satsToBtc(await testChain.receivedSats()),
    sent: sent.map(({ txid, address, sats, at }) => ({ txid, address, amount: satsToBtc(sats), at })),
    lightning: ctx.lightning === null ? null : await movedOverLightning(ctx.lightning),
  }
}

/** As the lottery sees it: what it took for orders, and what of its payouts arrived. */
async function movedOverLightning(lightning: TestLightning): Promise<AnswerOf<'getTestWallet'>['lightning']> {
  const arrived = await lightning.arrivedAtWallet()
  return {
    received: satsToBtc((await lightning.receivedMsat()) / MSAT_PER_SAT),
    sent: arrived.map(({ hash, preimage, destination, amountMsat, at }) => ({
      payment_hash: hash,
      preimage,
      destination,
      amount: satsToBtc(amountMsat / MSAT_PER_SAT),
      at,
    })),
  }
}

function targetOf(body: BodyOf<'moveClock'>, now: number): number {
  const target = body.to ?? now + (body.advance ?? 0)
  const field = body.to === undefined ? 'advance' : 'to'
  if (target < now) throw refused(field, 'The clock cannot go back.')
  if (target - now > CLOCK_JUMP_MAX) throw refused(field, 'One jump is at most 400 days.')
  return target
}

function amountOf(text: string): bigint {
  try {
    const sats = btcToSats(text)
    if (sats > 0n) return sats
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  throw refused('amount', 'Must be an amount of BTC above zero and at most 21000000, with at most 8 decimals.')
}

function refused(field: string, message: string): LotteryError {
  return new LotteryError('INVALID_PAYLOAD', undefined, { fields: { [field]: message } })
}
