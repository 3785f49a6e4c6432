import type { AnswerOf } from '@fairball/contract/calls'
import { parseBtcAddress } from '@fairball/domain/btc-address'
import { nullable, sql, t } from '../../db/sql.ts'
import { amountOf, currentRates } from '../payments/service.ts'
import type { PayoutsContext } from './context.ts'
import { usableAddressAt } from './queries.ts'

type WaitingMoney = AnswerOf<'getWaitingMoney'>[number]

/**
 * The waiting money of player $2: what is owed and in no payout, which is the ledger's balance of the player, and
 * returns that a person has yet to approve. Also what the player still needs to be paid at $1.
 */
const readWaiting = sql({
  name: 'payouts.read-waiting-money',
  text: `with waiting as (
      select kind, sats, false as is_checked from payables where player_id = $2 and payout_id is null
      union all select b.kind, b.sats, true from payouts o join payout_batches x on x.id = o.batch_id
        join payables b on b.payout_id = o.id
      where o.player_id = $2 and o.sent_at is null and o.cancelled_at is null and x.state = 'WAITING_APPROVAL'
    )
    select case when w.kind = 'prize' then 'PRIZES' else 'RETURNS' end as kind, w.is_checked, sum(w.sats)::bigint as sats,
      p.email_verified_at is not null as is_verified, a.address,
      exists (select from payout_set_aside s where s.address in (a.address, lower(a.address)))
        or exists (select from payout_players_set_aside h where h.player_id = p.id) as is_set_aside
    from waiting w join players p on p.id = $2 left join lateral (${usableAddressAt('$1')}) a on true
    group by 1, 2, 4, 5, p.id order by 1, 2`,
  params: [t.epochSeconds, t.bigint],
  row: {
    kind: t.oneOf(['PRIZES', 'RETURNS']),
    isChecked: t.bool,
    sats: t.bigint,
    isVerified: t.bool,
    address: nullable(t.text),
    isSetAside: t.bool,
  },
})

/** The money that waits for a player, prizes and returns apart, each with its reason; empty if nothing waits. */
export async function waitingMoneyOf(
  ctx: Pick<PayoutsContext, 'db' | 'runtime' | 'network'>,
  playerId: bigint,
): Promise<WaitingMoney[]> {
  const { db, runtime, network } = ctx
  const at = runtime.clock.now()
  const rows = await db.run(readWaiting, [at, playerId])
  if (rows.length === 0) return []
  const rates = await currentRates(db, at)
  const reasonOf = (row: (typeof rows)[number]): WaitingMoney['reason'] => {
    if (row.isChecked || row.isSetAside) return 'CHECKED'
    if (row.address === null) return 'NO_ADDRESS'
    if (!row.isVerified) return 'EMAIL_UNVERIFIED'
    if (row.sats < (parseBtcAddress(row.address, network)?.dustSats ?? 0n)) return 'TOO_SMALL'
    return row.kind === 'PRIZES' ? 'LEAVING' : 'NEXT_HOUR'
  }
  return rows.map((row) => ({ kind: row.kind, reason: reasonOf(row), amount: amountOf(row.sats, rates) }))
}
