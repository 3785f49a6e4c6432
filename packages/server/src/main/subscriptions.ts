import type { Jobs } from '../jobs/queue.ts'
import type { Subscriptions } from '../kernel/facts.ts'
import * as webhooks from '../modules/integrations/service.ts'
import {
  tellOfFreeTickets,
  tellOfGame,
  tellOfHold,
  tellOfOrder,
  tellOfPayout,
  tellOfReturned,
  tellWinner,
} from '../modules/messages/news.ts'
import type { MessagesContext } from '../modules/messages/service.ts'
import { closeLightning, type PaymentsContext } from '../modules/payments/service.ts'
import {
  type PayoutsContext,
  schedulePayouts,
  sealToldAddress,
  sealToldDestination,
} from '../modules/payouts/service.ts'
import { tellOfUntoldAddresses, tellOfUntoldDestinations } from '../modules/players/service.ts'
import { scheduleFinishClosing } from '../modules/privacy/service.ts'
import { keepExclusionOfVerified } from '../modules/safer-play/service.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Accounts } from './accounts.ts'

/** The subscribers in the lottery, in calling order. */
export function lotterySubscriptions(lottery: {
  readonly messages: MessagesContext
  readonly payouts: PayoutsContext
  readonly payments: Pick<PaymentsContext, 'lightning'>
  readonly jobs: Jobs
  /** dates what webhooks are told */
  readonly runtime: Pick<Runtime, 'clock'>
}): Subscriptions {
  const { messages, payouts, payments } = lottery
  return {
    'money.payable': [(tx) => schedulePayouts(payouts, tx)],
    'payouts.done': [],
    'payout.sent': [
      (tx, news) => tellOfPayout(messages, tx, news),
      (tx, news) => webhooks.tellOfPayout(lottery, tx, news),
    ],
    'payouts.held': [(tx, news) => tellOfHold(messages, tx, news)],
    'payout.returned': [(tx, news) => tellOfReturned(messages, tx, news)],
    'order.changed': [
      // In one round trip.
      (tx, news) => Promise.all([webhooks.tellOfOrder(lottery, tx, news), tellOfOrder(messages, tx, news)]),
      // What its player ended must not be paid.
      async (tx, { kind, orderId }) => {
        if (kind === 'ended' && payments.lightning !== null) await closeLightning(payments.lightning, tx, orderId)
      },
    ],
    'draw.moved': [(tx, news) => webhooks.tellOfDraw(lottery, tx, news)],
    'email.verified': [],
    'lines.won': [(tx, news) => tellWinner(messages, tx, news)],
    'game.changes': [(tx, news) => tellOfGame(messages, tx, news)],
    'free-tickets.paid': [(tx, news) => tellOfFreeTickets(messages, tx, news)],
    'address.notice-over': [(tx, { addressId }) => sealToldAddress(payouts, tx, addressId)],
    'destination.notice-over': [(tx, { destinationId }) => sealToldDestination(payouts, tx, destinationId)],
  }
}

/** The subscribers in the accounts, after the lottery's, in calling order. */
export function accountSubscriptions(
  { saferPlay, players, privacy }: Accounts,
  payouts: PayoutsContext,
): Partial<Subscriptions> {
  return {
    'payouts.done': [(tx) => scheduleFinishClosing(privacy, tx)],
    // What waited for the address is notified before it is planned.
    'email.verified': [
      (tx, { playerId }) => keepExclusionOfVerified(saferPlay, tx, playerId),
      (tx, { playerId }) => tellOfUntoldAddresses(players, tx, playerId),
      (tx, { playerId }) => tellOfUntoldDestinations(players, tx, playerId),
      (tx) => schedulePayouts(payouts, tx),
    ],
  }
}
