/**
 * The package's public entry, for programs outside of this repository. Inside it, import the file itself. What the
 * fairness protocol needs lies under `@fairball/domain/fairness/…`, so that nobody loads curve arithmetic by accident.
 */
export * from './btc-address.ts'
export * from './calendar.ts'
export * from './countdown.ts'
export * from './draw-phase.ts'
export { dateLabel, drawTimeLabel } from './draw-time-label.ts'
export * from './errors.ts'
export * from './fiat.ts'
export * from './games.ts'
export * from './jackpot.ts'
export * from './line-drafts.ts'
export * from './lines.ts'
export * from './lucky-dip.ts'
export * from './masking.ts'
export * from './money.ts'
export * from './odds.ts'
export * from './order-status.ts'
export * from './pagination.ts'
export * from './play-days.ts'
export * from './price.ts'
export * from './validation.ts'
