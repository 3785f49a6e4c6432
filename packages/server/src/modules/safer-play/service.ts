export type { LimitsContext, SaferPlayContext } from './context.ts'
export { removeLimits } from './limits-queries.ts'
export {
  changeLimitsCurrency,
  checkMayPlay,
  excludePlayer,
  keepExclusionOfVerified,
  limitsSettingOf,
} from './responsible-play.ts'
