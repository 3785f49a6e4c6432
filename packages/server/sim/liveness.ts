import { LEAST_DUST_SATS } from '../src/modules/payouts/batch.ts'

/** What a refund bears of the network's fee at most: it has to leave that and more than dust to be paid. */
const LARGEST_FEE_SHARE_SATS = 300n

/** What must be so at the moment $1, where all that was owed or to be mailed before `doneUntil` is done; one row a breach. */
const unfinished = (doneUntil: string): string => `
  select 'order ' || id || ' is still ' || status as what from orders where status in ('PENDING', 'PROCESSING', 'UNDERPAID')
  union all select 'draw ' || number || ' of ' || game_key || ' is still ' || status from draws
    where status in ('closed', 'drawn') or (status = 'open' and closes_at < $1)
  union all select b.kind || ' ' || b.id || ' of ' || b.sats || ' sats is not paid' from payables b
    left join payouts p on p.id = b.payout_id
    where b.created_at < ${doneUntil} and p.sent_at is null
      and (select sum(o.sats) from payables o where o.player_id = b.player_id and o.payout_id is not distinct from b.payout_id)
        >= case when b.kind = 'prize' then ${LEAST_DUST_SATS} else ${LEAST_DUST_SATS + LARGEST_FEE_SHARE_SATS} end
  union all select 'payout batch ' || id || ' is ' || state || coalesce(': ' || reason, '') from payout_batches where state in ('HALTED', 'CANCELLING', 'WAITING_APPROVAL')
  union all select 'job ' || key || ' failed ' || attempts || ' times: ' || coalesce(last_error, 'lease') from jobs where run_at < $1 - 120
  union all select 'payouts are stopped: ' || value from system_state where key = 'payouts.stopped'
  union all select 'the address ' || address || ' is set aside: ' || reason from payout_set_aside
  union all select 'mail ' || id || ' was not sent' from mail_outbox where sent_at is null and created_at < ${doneUntil}`

/** What must be so once nothing went wrong for long enough, at the moment $1 in epoch seconds: each prize is paid within an hour. One row a breach. */
export const LIVENESS = unfinished('$1 - 3600')

/** What is left to be done at the moment $1 in epoch seconds; one row each, and none where everything came to its end. */
export const LEFT_TO_DO = `${unfinished('$1 + 1')}
  union all select 'payout batch ' || id || ' is ' || state from payout_batches where state not in ('FINAL', 'CANCELLED')
  union all select 'output ' || outpoint || ' is not final' from payments where confirmed_at is not null and final_at is null`
