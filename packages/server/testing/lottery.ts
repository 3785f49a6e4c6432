// The lottery and its modules, put together by whoever tries them. A public face of the package, for trials alone.
export { readConfig } from '../src/config/config.ts'
export { dueKinds, leaseJob, leaseJobs, leasePortion, lockDueJob, nextJobAt } from '../src/jobs/queries.ts'
export { JobQueue } from '../src/jobs/queue.ts'
export { beginLottery } from '../src/main/begin-lottery.ts'
export { createLottery, type Lottery, type LotteryDeps, lotteryJobs } from '../src/main/lottery.ts'
export { AccessTokens } from '../src/modules/identity/access-tokens.ts'
export type { Caller } from '../src/modules/identity/caller.ts'
export { checkMayPlay, saveLimits } from '../src/modules/safer-play/responsible-play.ts'
export type { SaferPlayContext } from '../src/modules/safer-play/service.ts'
export { Secrets } from '../src/modules/identity/secrets.ts'
export { endOtherSessions, openSession, refreshSession } from '../src/modules/identity/sessions.ts'
export type { IdentityContext } from '../src/modules/identity/service.ts'
export { fundDemoBankroll } from '../src/modules/demo/bankroll.ts'
export { STATEMENTS, allViolations } from '../src/modules/invariants/queries.ts'
export { countWins, findRevocations, findSealed, streamLeaves } from '../src/modules/invariants/sealed-queries.ts'
export { findSealedViolations, findViolations, findViolationsOfNew } from '../src/modules/invariants/service.ts'
export { bankroll, inFlight, operatorFee, suspense, wallet } from '../src/modules/ledger/accounts.ts'
export { balanceOf, ledgerViolations, postTransfer } from '../src/modules/ledger/service.ts'
export { fileAt } from '../src/modules/fairness/files.ts'
export { Facts } from '../src/kernel/facts.ts'
export { lotterySubscriptions } from '../src/main/subscriptions.ts'
export type { MessagesContext } from '../src/modules/messages/service.ts'
export {
  allPapersOf,
  checkoutOf,
  followProvider,
  moneyOf,
  openInvoice,
  refreshPayments,
  startFollowing,
  takeMessage,
} from '../src/modules/payments/service.ts'
export { lookAtWallets, startTreasury } from '../src/modules/treasury/service.ts'
export { lotteryInvariants } from '../src/modules/monitoring/invariants.ts'
export { createOrder, endUncovered, spentSince } from '../src/modules/orders/service.ts'
export { currentRates } from '../src/modules/payments/rates.ts'
export { LEAST_DUST_SATS, MAX_OUTPUTS } from '../src/modules/payouts/batch.ts'
export { applyPlan, type DeskContext, exportGames, planFile } from '../src/modules/games/service.ts'
export type { OperatorContext } from '../src/modules/operator/action.ts'
export { gamesDesk } from '../src/modules/operator/games-commands.ts'
export { pauseSales, resumeSales } from '../src/modules/operator/sales-actions.ts'
export {
  acceptSpends,
  approveBatch,
  listPayouts,
  retryAddress,
  retryAllPayouts,
} from '../src/modules/operator/payout-actions.ts'
export {
  AddressSeals,
  beginReconciling,
  beginSeals,
  payoutJobs,
  payoutsContext,
  schedulePayouts,
} from '../src/modules/payouts/service.ts'
export { lookAtRequest } from '../src/modules/console/carry-out.ts'
export { type CarryOutContext, type ConsoleContext, relyingAt } from '../src/modules/console/context.ts'
export { approvalOptions, approveRequest, makeRequest, signRequest } from '../src/modules/console/requests.ts'
export { approveLightning } from '../src/modules/operator/lightning-payout-actions.ts'
export { Processes } from '../src/modules/processes/service.ts'
export type { OrderRequest } from '../src/modules/orders/making.ts'
