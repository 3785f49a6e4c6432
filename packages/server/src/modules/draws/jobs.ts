import type { JobHandler, JobPayload } from '../../jobs/job.ts'
import type { Draws } from './service.ts'

/** The moments of a draw's life. Each adds the next one in the transaction of its own effects. */
export function drawsJobs(draws: Draws): JobHandler[] {
  return [
    { kind: 'draws.close', mode: 'transaction', run: (tx, payload) => draws.close(tx, drawIdOf(payload)) },
    {
      kind: 'draws.count-witnesses',
      mode: 'transaction',
      run: (tx, payload) => draws.countWitnesses(tx, drawIdOf(payload)),
    },
    { kind: 'draws.draw', mode: 'outside', run: (payload) => draws.draw(drawIdOf(payload)) },
    { kind: 'draws.settle', mode: 'transaction', run: (tx, payload) => draws.settle(tx, drawIdOf(payload)) },
    { kind: 'draws.tell-winners', mode: 'transaction', run: (tx, payload) => draws.tellWinners(tx, drawIdOf(payload)) },
  ]
}

function drawIdOf(payload: JobPayload): bigint {
  return BigInt(String(payload['drawId']))
}
