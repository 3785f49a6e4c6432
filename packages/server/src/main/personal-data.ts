import type { Db } from '../db/pool.ts'
import type { PersonalDataHolder } from '../kernel/personal-data.ts'
import { contactMessagesOf, type ContentContext, forgetContactMessagesOf } from '../modules/content/service.ts'
import { paidTo, solvencyOf } from '../modules/fairness/service.ts'
import { forgetSavedNumbersOf, savedNumbersOf } from '../modules/games/numbers.ts'
import type { GamesContext } from '../modules/games/service.ts'
import { forgetMessagesOf, type MessagesContext, messagesOf } from '../modules/messages/service.ts'
import { forgetPlayerOfOrders, personalDataOf } from '../modules/orders/service.ts'
import { allPapersOf, type PaymentsContext } from '../modules/payments/service.ts'
import { type PayoutsContext, payoutsOf } from '../modules/payouts/service.ts'
import { holdsOf } from '../modules/players/service.ts'

/** Every module except the accounts themselves that stores something about players, in the order of the export. */
export function holdersOfPersonalData(modules: {
  readonly db: Db
  readonly messages: MessagesContext
  readonly payments: PaymentsContext
  readonly payouts: PayoutsContext
  readonly games: GamesContext
  readonly content: ContentContext
}): PersonalDataHolder[] {
  const { db, messages, payments, payouts, games, content } = modules
  return [
    { exportOf: (playerId) => messagesOf(messages, playerId), forget: forgetMessagesOf, goes: 'when-shut' },
    { exportOf: (playerId) => personalDataOf(db, playerId), forget: forgetPlayerOfOrders, goes: 'when-ended' },
    // Promises and receipts stay with the orders, which are the game's record.
    { exportOf: (playerId) => allPapersOf(payments, playerId), forget: async () => undefined, goes: 'when-ended' },
    {
      // The paths of the other accounts lead over this one's leaf, until the next day's statement replaces them all.
      exportOf: async (playerId) => ({ ...(await paidTo(db, playerId)), ...(await solvencyOf(db, playerId)) }),
      forget: async () => undefined,
      goes: 'when-ended',
    },
    // Payouts are the books: they stay, with the address that each one was sent to.
    { exportOf: (playerId) => payoutsOf(payouts, playerId), forget: async () => undefined, goes: 'when-ended' },
    // Holds stay: what the operator kept a person from is the operator's record. The export has those the player was told of.
    { exportOf: (playerId) => holdsOf(db, playerId), forget: async () => undefined, goes: 'when-ended' },
    {
      exportOf: async (playerId) => ({ saved_numbers: await savedNumbersOf(games, playerId) }),
      forget: forgetSavedNumbersOf,
      goes: 'when-ended',
    },
    {
      exportOf: async (playerId) => ({ contact_messages: await contactMessagesOf(content, playerId) }),
      forget: forgetContactMessagesOf,
      goes: 'when-ended',
    },
  ]
}
