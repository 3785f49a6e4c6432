import { Facts, type Subscriptions } from '../src/kernel/facts.ts'

/** Facts without subscribers. */
export const NOBODY_LISTENS: Subscriptions = {
  'money.payable': [],
  'payouts.done': [],
  'payouts.held': [],
  'payout.sent': [],
  'payout.returned': [],
  'order.changed': [],
  'draw.moved': [],
  'lines.won': [],
  'game.changes': [],
  'free-tickets.paid': [],
  'email.verified': [],
  'address.notice-over': [],
  'destination.notice-over': [],
}

/** Facts whose only subscribers are those of a test. */
export function factsTold(subscriptions: Partial<Subscriptions> = {}): Facts {
  const facts = new Facts()
  facts.subscribe({ ...NOBODY_LISTENS, ...subscriptions })
  return facts
}
