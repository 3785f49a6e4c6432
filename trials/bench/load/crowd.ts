// A part of the watchers of a draw, as a process of its own: a process has a limited number of connections.
// Run by watchers-of-cache.ts; its only argument is a `CrowdSettings` as JSON, its only message a `CrowdFigures`.
import { pollEachSecond } from './polling.ts'

/** What a crowd does. */
export interface CrowdSettings {
  readonly port: number
  readonly path: string
  readonly watchers: number
  /** As in `pollEachSecond`. */
  readonly comingMs: number
  readonly untilMs: number
}

/** What a crowd saw. */
export interface CrowdFigures {
  readonly answers: number
  readonly errors: number
  /** in ms */
  readonly p99: number
  /** When the last answer without any ball arrived, by this computer's clock. */
  readonly lastHiddenMs: number
  /** CPU time of the crowd itself, in ms. */
  readonly processorMs: number
}

/** How the answer begins while the first ball is drawn. */
const NO_BALL = '"draw":[true'

const settings = JSON.parse(process.argv[2] ?? '') as CrowdSettings // the parent's
let lastHiddenMs = 0
const { latencies, errors } = await pollEachSecond({
  ...settings,
  onAnswer: ({ body }) => {
    if (body.includes(NO_BALL)) lastHiddenMs = Date.now()
  },
})
const { user, system } = process.cpuUsage()
const figures: CrowdFigures = {
  answers: latencies.count,
  errors,
  p99: latencies.quantile(0.99),
  lastHiddenMs,
  processorMs: (user + system) / 1000,
}
process.send?.(figures, () => process.disconnect())
