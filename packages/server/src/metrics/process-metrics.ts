import type { PoolUse } from '../db/pool.ts'
import type { MeasuredAnswer } from '../http/app.ts'
import type { JobRun } from '../jobs/queue.ts'
import type { Vitals } from '../runtime/vitals.ts'
import { counter, type Family, gauge, histogram } from './registry.ts'

/** Of answers: from what a cache gives to what nobody waits for. */
const ANSWER_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Of jobs: from one statement to a draw of a million entries. */
const JOB_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600]
/** What a caller writes in the place of a method is no label. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export type ProcessMetrics = ReturnType<typeof createProcessMetrics>

/** What this one process measures of itself; it is gone with it, and asks nobody. */
export function createProcessMetrics(deps: {
  readonly vitals: Vitals
  readonly version: string
  readonly role: string
  readonly poolUse: () => PoolUse
}) {
  const { vitals } = deps
  const answers = counter({
    name: 'fairball_http_requests_total',
    help: 'Requests answered, by the pattern of their route. Alarm: ServerErrors.',
  })
  const answerSeconds = histogram({
    name: 'fairball_http_request_duration_seconds',
    help: 'How long requests took, without event streams. Alarm: SlowAnswers.',
    bounds: ANSWER_SECONDS,
  })
  const jobSeconds = histogram({
    name: 'fairball_job_duration_seconds',
    help: 'How long jobs ran, by kind, failed runs with them.',
    bounds: JOB_SECONDS,
  })
  const jobFailures = counter({
    name: 'fairball_job_failures_total',
    help: 'Runs of jobs that failed, by kind; each is tried again. Alarm: JobsFail.',
  })

  return {
    onAnswer({ method, route, status, seconds }: MeasuredAnswer): void {
      const labels = { method: METHODS.has(method) ? method : 'other', route }
      answers.add({ ...labels, status: String(status) })
      if (seconds !== null) answerSeconds.observe(labels, seconds)
    },

    onJobRun({ kind, seconds, isFailed }: JobRun): void {
      jobSeconds.observe({ kind }, seconds)
      if (isFailed) jobFailures.add({ kind })
    },

    /** Everything, as it stands now. The names of what Node tells are those that other programs use. */
    families(): Family[] {
      const { resident, heapUsed, heapTotal } = vitals.memory()
      const { p50, p99, max } = vitals.eventLoopDelay()
      const pool = deps.poolUse()
      return [
        gauge('fairball_build_info', 'The version and the role of this process.', [
          [{ version: deps.version, role: deps.role, node: process.version }, 1],
        ]),
        gauge('process_start_time_seconds', 'When this process began, in epoch seconds. Alarm: ProcessRestarts.', [
          [{}, vitals.startedAt],
        ]),
        {
          name: 'process_cpu_seconds_total',
          help: 'Processor time of this process.',
          type: 'counter',
          samples: [{ labels: {}, value: vitals.cpuSeconds() }],
        },
        gauge('process_resident_memory_bytes', 'Memory that this process holds.', [[{}, resident]]),
        gauge('nodejs_heap_size_used_bytes', 'Memory in use by objects.', [[{}, heapUsed]]),
        gauge('nodejs_heap_size_total_bytes', 'Memory set apart for objects.', [[{}, heapTotal]]),
        gauge('nodejs_eventloop_lag_p50_seconds', 'How late this process comes to what is due, over a minute.', [
          [{}, p50],
        ]),
        gauge('nodejs_eventloop_lag_p99_seconds', 'The same, of the latest hundredth. Alarm: EventLoopLate.', [
          [{}, p99],
        ]),
        gauge('nodejs_eventloop_lag_max_seconds', 'The same, at its latest.', [[{}, max]]),
        gauge(
          'fairball_database_connections',
          'Connections of this process to the database, and the most there may be.',
          [
            [{ state: 'in_use' }, pool.inUse],
            [{ state: 'idle' }, pool.idle],
            [{ state: 'most' }, pool.most],
          ],
        ),
        gauge(
          'fairball_database_waiting',
          'Callers in this process that wait for a connection to the database. Alarm: DatabasePoolFull.',
          [[{}, pool.waiting]],
        ),
        answers.family(),
        answerSeconds.family(),
        jobSeconds.family(),
        jobFailures.family(),
      ]
    },
  }
}
