export { scheduleCleanUp } from './clean-up.ts'
export { closeForPlayer, scheduleFinishClosing } from './closing.ts'
export type { PrivacyContext } from './context.ts'
export { personalDataOfPlayer } from './personal-data.ts'
