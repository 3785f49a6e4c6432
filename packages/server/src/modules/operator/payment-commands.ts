import { satsToBtc } from '@fairball/domain/money'
import type { Db } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { Refused } from '../../kernel/errors.ts'
import { chooseBitcoin } from '../../ports/bitcoin.ts'
import { findAllPayments } from '../payments/service.ts'
import { noteAction } from './action.ts'
import { type Installation, type OperatorCommand, operatorOf } from './command.ts'
import * as queries from './payment-queries.ts'

/** What an operator can find out about a player's payment, and the address for the operator's own deposits. */
export const paymentCommands = {
  'payments-show': {
    args: ['order, invoice, address or transaction'],
    summary: 'shows an order, what was paid for it, and what the provider said of its invoice last',
    async run({ db }, [name = '']) {
      const orders = await db.run(queries.findNamedOrders, [name])
      if (orders.length === 0) throw new Refused(`No order has an id, invoice, address or payment ${name}.`)
      const texts: string[] = []
      for (const order of orders) texts.push(await describeOrder(db, order))
      return texts.join('\n\n')
    },
  },
  'deposit-address': {
    signatures: 1,
    args: [],
    summary: 'gives an address of the deposits for coins of your own; no order ever gets it',
    run: depositAddress,
  },
} as const satisfies Record<string, OperatorCommand>

/** @throws ProviderUnfit, NodeUnreachable, NodeError with a message for the operator */
async function depositAddress(installation: Installation): Promise<string> {
  const { db, runtime, config } = installation
  if (config.payments !== 'bitcoin-core')
    throw new Refused(`With PAYMENTS=${config.payments} deposits have no account here: make an address there.`)
  const { provider } = await chooseBitcoin({
    db,
    runtime,
    publicUrl: config.publicUrl ?? '',
    settings: config,
    testSeed: () => Promise.reject(new Error('the test wallet is not asked')),
    isPayout: async () => true,
  })
  const address = (await provider.operatorAddress?.()) ?? ''
  const detail = 'given for deposits of the operator'
  const action = { action: 'deposit-address', subject: address, detail }
  await db.transaction((tx) => noteAction(operatorOf(installation), tx, action))
  return address
}

async function describeOrder(db: Db, order: RowOf<typeof queries.findNamedOrders>): Promise<string> {
  const payments = await db.run(findAllPayments, [order.id])
  const needed = order.neededSats === null ? '' : `, needs ${btc(order.neededSats)} in all since a reorganisation`
  const lost = order.lostSats === 0n ? '' : `, ${btc(order.lostSats)} lost on it`
  const { provider, ref, address, words, wordsAt } = order
  return [
    `order ${order.id}: ${order.status}, player ${order.playerId}, ${order.gameKey}, ${btc(order.dueSats)}${needed}${lost}`,
    `made ${time(order.createdAt)}, expires ${time(order.expiresAt)}`,
    provider === null ? 'no invoice' : `invoice ${ref} at ${provider}, address ${address ?? 'not told'}`,
    ...payments.map(paymentLine),
    ...(words === null || wordsAt === null ? [] : [`${provider} says since ${time(wordsAt)}: ${words}`]),
  ].join('\n')
}

function paymentLine(payment: RowOf<typeof findAllPayments>): string {
  const { outpoint, sats, seenAt, minedAt, confirmedAt, finalAt, missingSince, goneAt, timesReversed: times } = payment
  const moments = [
    ['seen', seenAt],
    ['in a block', minedAt],
    ['confirmed', confirmedAt],
    ['final', finalAt],
    ['missing since', missingSince],
    ['gone', goneAt],
  ] as const
  const told = moments.flatMap(([what, at]) => (at === null ? [] : [`${what} ${time(at)}`]))
  return [`payment ${outpoint}: ${btc(sats)}`, ...told, ...(times === 0 ? [] : [`reversed ${times} times`])].join(', ')
}

function btc(sats: bigint): string {
  return `${satsToBtc(sats)} BTC`
}

function time(at: number): string {
  return new Date(at * 1000).toISOString().replace('.000', '')
}
