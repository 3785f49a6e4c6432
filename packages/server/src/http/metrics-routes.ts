import { createHash, timingSafeEqual } from 'node:crypto'
import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { Unauthorized } from '../kernel/errors.ts'
import { type Family, gauge, textOf } from '../metrics/registry.ts'
import { businessFamilies, type MonitoringContext } from '../modules/monitoring/service.ts'
import { HINDRANCES, type Readiness } from './readiness.ts'
import { RawAnswer, route } from './route.ts'

/** The text format in a request of Prometheus. */
const FORMAT = 'text/plain; version=0.0.4; charset=utf-8'

/** The sources of the metrics. */
interface MetricsDeps {
  /** What this process measures of itself. */
  readonly process: { families(): Family[] }
  /** The state of the lottery, the same for all processes. */
  readonly monitoring: MonitoringContext
  readonly readiness: Readiness
  /** Number of open event streams. */
  readonly eventStreams: () => number
  /** The required bearer token; null requires none. */
  readonly token: string | null
  /** Whether requests without a token are allowed if none is configured. */
  readonly isOpen: boolean
}

/**
 * Measurements in the text format of Prometheus (version 0.0.4). Requests cost the database next to nothing, however
 * often they come.
 */
export function metricsRoutes(app: FastifyInstance, deps: MetricsDeps): void {
  const expected = deps.token === null ? null : digestOf(deps.token)

  const guard = (authorization: string | undefined): void => {
    if (expected === null ? !deps.isOpen : !isBearer(authorization, expected)) throw new Unauthorized()
  }
  const answer = async (): Promise<RawAnswer> => {
    const hindrance = await deps.readiness.hindrance()
    const families = [
      ...deps.process.families(),
      gauge('fairball_event_streams', 'Watchers of draws that are connected to this process.', [
        [{}, deps.eventStreams()],
      ]),
      gauge(
        'fairball_ready',
        'Whether this process can do its work, and by cause what keeps it from it. Alarm: NotReady.',
        [
          [{ cause: 'none' }, hindrance === null ? 1 : 0],
          ...HINDRANCES.map((one) => [{ cause: one }, one === hindrance ? 1 : 0] as const),
        ],
      ),
    ]
    return new RawAnswer(textOf([...families, ...(await howItStands())]), FORMAT)
  }
  route(app, calls.getMetrics, answer, { guard })

  /** Without the database the process still reports on itself. */
  async function howItStands(): Promise<Family[]> {
    try {
      const families = await businessFamilies(deps.monitoring)
      return [up(1), ...families]
    } catch (error) {
      app.edge.log.warn({ err: error }, 'the lottery cannot be measured')
      return [up(0)]
    }
  }

  function up(value: 0 | 1): Family {
    return gauge(
      'fairball_measured',
      'Whether the lottery could be measured; 0 leaves this process alone. Alarm: NotMeasured.',
      [[{}, value]],
    )
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Compared by digests, in a time that reveals neither where they differ nor how long they are. */
function isBearer(header: string | undefined, expected: Buffer): boolean {
  const [, token] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? []
  return token !== undefined && timingSafeEqual(digestOf(token), expected)
}
