// The log of statements, and how it binds draws (docs/fairness.md).
export { beginFairness, checkHead } from './beginning.ts'
export { type ServedCode, stateCode } from './code.ts'
export type { FairnessContext, LogContext } from './context.ts'
export { HeadFile, headFileIn } from './head-file.ts'
export { isInForce } from './in-force.ts'
export { fairnessJobs } from './jobs.ts'
export { keptLog, keptSecret, keptText, knownLog, SEED_PURPOSE } from './keys.ts'
export {
  appendStatement,
  type Appended,
  beginLog,
  changeKey,
  headOfLog,
  lockHead,
  readStatement,
  readStatementOf,
} from './log.ts'
export { statementsOfDraw } from './log-pages.ts'
export { NODE_HASH } from './node-hash.ts'
export { paidTo } from './paid.ts'
export { type PaperSigner, paperSigner } from './papers.ts'
export { solvencyOf } from './solvency.ts'
export { keepText, textOf } from './texts.ts'
export { appendToTree, consistencyPath, inclusionPath, playsTree, rootAt, sectionRoots } from './trees.ts'
