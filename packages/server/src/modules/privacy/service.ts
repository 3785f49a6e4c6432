export { scheduleCleanUp } from './clean-up.ts'
export { scheduleFinishClosing } from './closing.ts'
export type { PrivacyContext } from './context.ts'
