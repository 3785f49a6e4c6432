import type { AnswerOf, BodyOf } from '@fairball/contract/calls'
import { CLOCK_JUMP_MAX } from '@fairball/contract/calls/demo'
import { LotteryError } from '@fairball/domain/errors'
import { btcToSats, satsToBtc } from '@fairball/domain/money'
import type { OrderStatus } from '@fairball/domain/order-status'
import type { Messages } from '../messages/service.ts'
import type { TestChain } from '../../ports/wallet/test-chain.ts'
import type { Payments } from '../payments/service.ts'

/** The clock of the whole system. */
export interface DemoClock {
  /** epoch seconds */
  now(): number
  /** Moves the clock forward to `at`, through every moment at which work is due; returns when that work is done. */
  moveTo(at: number): Promise<void>
}

export interface DemoDeps {
  readonly payments: Payments
  /** The mails that were sent, the newest first. */
  readonly outbox: Messages['outbox']
  /** null where real bitcoin is taken: then there is no test wallet */
  readonly chain: TestChain | null
  readonly clock: DemoClock
  /** Returns once all work that is due now is done, mails included. */
  readonly settleDueWork: () => Promise<void>
}

export type Demo = ReturnType<typeof createDemo>

/** The controls of the demo (decisions section 3). Every one of them answers when all work that is due is done. */
export function createDemo(deps: DemoDeps) {
  const { payments, outbox, chain, clock, settleDueWork } = deps

  function chainOf(): TestChain {
    if (chain === null) throw new LotteryError('NOT_FOUND', 'There is no test wallet here: real bitcoin is taken.')
    return chain
  }

  return {
    async clock(): Promise<AnswerOf<'getClock'>> {
      await settleDueWork()
      return { now: clock.now() }
    },

    /** @throws LotteryError INVALID_PAYLOAD for a target before now or more than 400 days ahead */
    async moveClock(body: BodyOf<'moveClock'>): Promise<AnswerOf<'moveClock'>> {
      const target = targetOf(body, clock.now())
      await clock.moveTo(target)
      await settleDueWork()
      return { now: clock.now() }
    },

    /**
     * Pays an order from the test wallet, whoever's it is and whatever has become of it.
     *
     * @throws LotteryError NOT_FOUND for an unknown order, or without a test wallet; INVALID_PAYLOAD for an amount that cannot be, or for an order
     *   that costs nothing
     */
    async pay(body: BodyOf<'payFromTestWallet'>): Promise<{ status: OrderStatus }> {
      const orderId = body.transaction_id
      const testChain = chainOf()
      const amountSats = body.amount === undefined ? null : amountOf(body.amount)
      const { missingSats } = await payments.moneyOf(orderId)
      const sats = amountSats ?? missingSats
      if (sats > 0n) {
        await payments.openInvoice(orderId)
        const { address } = await payments.moneyOf(orderId)
        if (address === null) throw refused('transaction_id', 'This order has nothing to pay.')
        await testChain.payIn({
          address,
          sats,
          minedConfirmations: body.confirmations ?? payments.requiredConfirmations,
        })
        await payments.refresh(orderId)
      }
      await settleDueWork()
      return { status: (await payments.moneyOf(orderId)).status }
    },

    async mails(to: string | undefined): Promise<AnswerOf<'getMail'>> {
      await settleDueWork()
      return await outbox(to)
    },

    /** @throws LotteryError NOT_FOUND without a test wallet */
    async wallet(): Promise<AnswerOf<'getTestWallet'>> {
      await settleDueWork()
      const testChain = chainOf()
      const sent = await testChain.movements('out')
      return {
        received: satsToBtc(await testChain.receivedSats()),
        sent: sent.map(({ txid, address, sats, at }) => ({ txid, address, amount: satsToBtc(sats), at })),
      }
    },
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
