import type { Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import * as queries from './changed-queries.ts'
import type { Ids } from './new-postings.ts'

/**
 * What breaks a rule about orders, payments, draws, games, players and payouts that new postings touched.
 *
 * @param tx its statements read one snapshot
 * @param range `after` to `to`: the new transfers and postings; `verifiedPostingId`: the watermark, which the caller has
 *   locked; `sinceAt`: changes without a posting are checked from this time on, epoch seconds
 */
export async function violationsOfTouched(
  tx: Tx,
  range: { readonly after: Ids; readonly to: Ids; readonly verifiedPostingId: bigint; readonly sinceAt: number },
): Promise<RowOf<typeof queries.changedViolations>[]> {
  const { after, to, verifiedPostingId, sinceAt } = range
  const touched = await tx.one(queries.findTouched, {
    afterPostingId: after.postingId,
    uptoPostingId: to.postingId,
    afterTransferId: after.transferId,
    uptoTransferId: to.transferId,
    sinceAt,
  })
  const { orders, accounts } = touched
  const violations = await tx.run(queries.changedViolations, { ...touched, sinceAt, verifiedPostingId })
  const suspected = await tx.run(queries.suspicions, { orders, accounts, verifiedPostingId })
  return suspected.length === 0 ? violations : [...violations, ...(await tx.run(queries.confirmedSuspicions, []))]
}
