import type { JobHandler, JobPayload } from '../../jobs/job.ts'
import { appendBatch } from './appending.ts'
import { closeDraw } from './closing.ts'
import type { DrawsContext } from './context.ts'
import { runDraw } from './drawing.ts'
import { openDraws } from './opening.ts'
import { countWitnesses } from './postponing.ts'
import { FINISH_GAME, finishGame } from './retiring.ts'
import { finishSettling, settleDraw, TELL_WINNERS, tellWinners } from './settling.ts'
import { FINISH_SETTLING, partJobs } from './settling-parts.ts'
import { TELL_CHANGE, tellChange } from './telling-changes.ts'

/** The moments of a draw's life. Each adds the next one in the transaction of its own effects. */
export function drawsJobs(ctx: DrawsContext): JobHandler[] {
  return [
    {
      kind: 'draws.open',
      mode: 'transaction',
      run: (tx, payload) => openDraws(ctx, tx, String(payload['gameKey'])),
    },
    { kind: 'draws.append', mode: 'transaction', run: (tx, payload) => appendBatch(ctx, tx, drawIdOf(payload)) },
    { kind: 'draws.close', mode: 'transaction', run: (tx, payload) => closeDraw(ctx, tx, drawIdOf(payload)) },
    {
      kind: 'draws.count-witnesses',
      mode: 'transaction',
      run: (tx, payload) => countWitnesses(ctx, tx, drawIdOf(payload)),
    },
    { kind: 'draws.draw', mode: 'outside', run: (payload) => runDraw(ctx, drawIdOf(payload)) },
    { kind: 'draws.settle', mode: 'transaction', run: (tx, payload) => settleDraw(ctx, tx, drawIdOf(payload)) },
    ...partJobs(ctx),
    { kind: FINISH_SETTLING, mode: 'transaction', run: (tx, payload) => finishSettling(ctx, tx, drawIdOf(payload)) },
    { kind: FINISH_GAME, mode: 'transaction', run: (tx, payload) => finishGame(ctx, tx, String(payload['gameKey'])) },
    {
      kind: TELL_CHANGE,
      mode: 'transaction',
      run: (tx, { gameKey, version, afterId }) =>
        tellChange(ctx, tx, { gameKey: String(gameKey), version: Number(version), afterId: BigInt(String(afterId)) }),
    },
    {
      kind: TELL_WINNERS,
      mode: 'transaction',
      // A job of the release before has no `afterId`.
      run: (tx, payload) =>
        tellWinners(ctx, tx, { drawId: drawIdOf(payload), afterId: BigInt(String(payload['afterId'] ?? 0)) }),
    },
  ]
}

function drawIdOf(payload: JobPayload): bigint {
  return BigInt(String(payload['drawId']))
}
