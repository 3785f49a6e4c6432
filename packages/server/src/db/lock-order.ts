/**
 * What transactions lock and wait for, in one order for all of them: two that keep to it never wait for each other.
 * Each kind is named by the statements that lock it.
 *
 * The statements themselves also lock rows of one kind in one order: draws by their start, accounts of the ledger by
 * id. Steps that share a transaction (see `SharedTransactions`) take each kind for all of them in one statement, orders
 * by their players, mails by id. What is locked with `skip locked` is missing, because it never waits: jobs, and accounts that are closing.
 */
export const LOCK_ORDER = [
  { kind: 'a request of the console', statements: ['console.lock-request'] },
  { kind: 'the people of the staff', statements: ['console.lock-people'] },
  { kind: 'an invite of the staff', statements: ['console.lock-invite'] },
  { kind: 'the making of payouts', statements: ['payouts.lock-making'] },
  { kind: 'the following of wallets', statements: ['treasury.lock-following'] },
  { kind: 'the following of a payment provider', statements: ['payments.lock-following'] },
  { kind: 'settings', statements: ['settings.lock'] },
  { kind: 'rates', statements: ['payments.lock-rates', 'payments.lock-doubts'] },
  { kind: 'a player', statements: ['accounts.lock-player', 'orders.lock-player', 'orders.lock-player-of'] },
  { kind: 'an order', statements: ['orders.lock', 'orders.lock-open', 'payments.lock-order'] },
  { kind: 'a plan of games', statements: ['desk.lock-plan'] },
  { kind: 'a game', statements: ['desk.lock-games', 'draws.lock-game'] },
  {
    kind: 'draws',
    statements: ['draws.lock', 'orders.share-draws-of-order', 'orders.share-draws', 'orders.share-open-draws'],
  },
  { kind: 'the head of the fairness log', statements: ['fairness.lock-head'] },
  { kind: 'a batch of payouts', statements: ['payouts.lock-batch'] },
  { kind: 'a payout over Lightning', statements: ['payouts.lock-lightning'] },
  { kind: 'an account of the ledger', statements: ['ledger.lock-account'] },
  { kind: 'the audit log', statements: ['operator.lock-audit'] },
] as const
