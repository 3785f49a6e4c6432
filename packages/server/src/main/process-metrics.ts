import type { PoolUse } from '../db/pool.ts'
import type { MeasuredAnswer } from '../http/app.ts'
import type { JobRun } from '../jobs/job.ts'
import type { Vitals } from '../runtime/vitals.ts'
import { counter, type Family, gauge, histogram } from '../metrics/registry.ts'

/** For answers: from a cached one to one that no caller waits for. */
const ANSWER_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** For jobs: from one statement to a draw of a million entries. */
const JOB_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600]
/** A caller's own text in place of the method is not a label. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

interface ProcessMetricsOptions {
  readonly vitals: Vitals
  readonly version: string
  readonly role: string
  /** Whether this process only sells, and its database login may do more. */
  readonly isLoginDoubtful: boolean
  readonly poolUse: () => PoolUse
}

/** The metrics of this one process; they end with it, and cost no query. */
export class ProcessMetrics {
  readonly #options: ProcessMetricsOptions
  readonly #answers = counter({
    name: 'fairball_http_requests_total',
    help: 'Requests answered, by the pattern of their route. Alarm: ServerErrors.',
  })
  readonly #answerSeconds = histogram({
    name: 'fairball_http_request_duration_seconds',
    help: 'How long requests took, without event streams. Alarm: SlowAnswers.',
    bounds: ANSWER_SECONDS,
  })
  readonly #jobSeconds = histogram({
    name: 'fairball_job_duration_seconds',
    help: 'How long jobs ran, by kind, failed runs with them.',
    bounds: JOB_SECONDS,
  })
  readonly #jobFailures = counter({
    name: 'fairball_job_failures_total',
    help: 'Runs of jobs that failed, by kind; each is tried again. Alarm: JobsFail.',
  })
  #untrustedForwards = 0

  constructor(options: ProcessMetricsOptions) {
    this.#options = options
  }

  countForgottenProxy(): void {
    this.#untrustedForwards += 1
  }

  countAnswer({ method, route, status, seconds }: MeasuredAnswer): void {
    const labels = { method: METHODS.has(method) ? method : 'other', route }
    this.#answers.add({ ...labels, status: String(status) })
    if (seconds !== null) this.#answerSeconds.observe(labels, seconds)
  }

  countJobRun({ kind, seconds, isFailed }: JobRun): void {
    this.#jobSeconds.observe({ kind }, seconds)
    if (isFailed) this.#jobFailures.add({ kind })
  }

  /** Everything in its present state. */
  families(): Family[] {
    const { vitals, version, role, isLoginDoubtful, poolUse } = this.#options
    return [
      gauge('fairball_build_info', 'The version and the role of this process.', [
        [{ version, role, node: process.version }, 1],
      ]),
      gauge(
        'fairball_web_login_may_pay',
        'Whether a web process started with a login of the database that may write payouts. Alarm: WebLoginMayPay.',
        [[{}, isLoginDoubtful ? 1 : 0]],
      ),
      ...nodeFamilies(vitals),
      ...poolFamilies(poolUse()),
      {
        name: 'fairball_untrusted_forwards_total',
        help: 'Requests passed on by a private address that TRUST_PROXY does not name. Alarm: ProxyNotTrusted.',
        type: 'counter',
        samples: [{ labels: {}, value: this.#untrustedForwards }],
      },
      this.#answers.family(),
      this.#answerSeconds.family(),
      this.#jobSeconds.family(),
      this.#jobFailures.family(),
    ]
  }
}

/** What Node reports about the process, under the usual names. */
function nodeFamilies(vitals: Vitals): Family[] {
  const { resident, heapUsed, heapTotal } = vitals.memory()
  const { p50, p99, max } = vitals.eventLoopDelay()
  return [
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
    gauge('nodejs_eventloop_lag_p99_seconds', 'The same, of the latest hundredth. Alarm: EventLoopLate.', [[{}, p99]]),
    gauge('nodejs_eventloop_lag_max_seconds', 'The same, at its latest.', [[{}, max]]),
  ]
}

function poolFamilies(pool: PoolUse): Family[] {
  return [
    gauge('fairball_database_connections', 'Connections of this process to the database, and the most there may be.', [
      [{ state: 'in_use' }, pool.inUse],
      [{ state: 'idle' }, pool.idle],
      [{ state: 'most' }, pool.most],
    ]),
    gauge(
      'fairball_database_waiting',
      'Callers in this process that wait for a connection to the database. Alarm: DatabasePoolFull.',
      [[{}, pool.waiting]],
    ),
  ]
}
