export { act, actFor, noteAction, type OperatorContext } from './action.ts'
export { appendAction, checkChain, detailOf } from './audit-chain.ts'
export { type CommandBy, type Installation, type OperatorCommand, operatorOf } from './command.ts'
export { gamesDesk } from './games-commands.ts'
export { acceptViolation } from './invariant-actions.ts'
export { approveLightning, retryLightning } from './lightning-payout-actions.ts'
export {
  block,
  endPlayerSessions,
  erasePlayer,
  exclude,
  exportPlayer,
  holdPayouts,
  notePlayer,
  releasePayouts,
  resendVerification,
  unblock,
} from './player-actions.ts'
export { payGoodwill, refreshOrder } from './order-actions.ts'
export {
  acceptSpends,
  approveBatch,
  holdAllPayouts,
  holdBatch,
  retryAddress,
  retryAllPayouts,
  retryBatch,
  takeBackBatch,
} from './payout-actions.ts'
export { pauseFirstRun, pauseSales, resumeSales } from './sales-actions.ts'
export { bookFee, bookOwnTransfer, bookWithdrawal, depositBankroll } from './treasury-actions.ts'
