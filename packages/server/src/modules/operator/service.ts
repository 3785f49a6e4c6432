export { act, noteAction, type OperatorContext } from './action.ts'
export { appendAction, checkChain, detailOf } from './audit-chain.ts'
export { type Installation, type OperatorCommand, operatorOf } from './command.ts'
export { approveLightning, retryLightning } from './lightning-payout-actions.ts'
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
