import { LEAST_DUST_SATS } from '@fairball/server/testing/lottery'

/** What a refund bears of the network's fee at most: it has to leave that and more than dust to be paid. */
const MAX_FEE_SHARE_SATS = 300n

/** A batch of returns that nobody approves here: who overpays by so much waits. */
const FOR_A_PERSON = (batch: string): string =>
  `coalesce(${batch}.class = 'returns' and ${batch}.state = 'WAITING_APPROVAL', false)`

/** What must be so at the moment $1, where all that was owed or to be mailed before `doneUntil` is done; one row a breach. */
const unfinished = (doneUntil: string): string => `
  select 'order ' || id || ' is still ' || status as what from orders where status in ('PENDING', 'PROCESSING', 'UNDERPAID')
  union all select 'draw ' || number || ' of ' || game_key || ' is still ' || status from draws
    where status in ('closed', 'drawn') or (status = 'open' and closes_at < $1)
  union all select b.kind || ' ' || b.id || ' of ' || b.sats || ' sats is not paid' from payables b
    left join payouts p on p.id = b.payout_id left join payout_batches x on x.id = p.batch_id
    where b.created_at < ${doneUntil} and p.sent_at is null and not ${FOR_A_PERSON('x')}
      and (select sum(o.sats) from payables o where o.player_id = b.player_id and o.payout_id is not distinct from b.payout_id
          and (o.kind = 'prize') = (b.kind = 'prize'))
        >= case when b.kind = 'prize' then ${LEAST_DUST_SATS} else ${LEAST_DUST_SATS + MAX_FEE_SHARE_SATS} end
  union all select 'payout batch ' || id || ' is ' || state || coalesce(': ' || reason, '') from payout_batches x where state in ('HALTED', 'CANCELLING', 'WAITING_APPROVAL')
    and not ${FOR_A_PERSON('x')}
  union all select 'job ' || key || ' failed ' || attempts || ' times: ' || coalesce(last_error, 'lease') from jobs where run_at < $1 - 120
  union all select 'payouts are stopped: ' || value from system_state where key = 'payouts.stopped'
  union all select 'player ' || player_id || ' is set aside: ' || reason from payout_players_set_aside
  union all select 'the address ' || address || ' is set aside: ' || reason from payout_set_aside
  union all select 'mail ' || id || ' was not sent' from mail_outbox where sent_at is null and created_at < ${doneUntil}`

/** What must be so once nothing went wrong for long enough, at the moment $1 in epoch seconds: each prize is paid within an hour. One row a breach. */
export const LIVENESS = unfinished('$1 - 3600')

/** What is left to be done at the moment $1 in epoch seconds; one row each, and none where everything came to its end. */
export const LEFT_TO_DO = `${unfinished('$1 + 1')}
  union all select 'payout batch ' || id || ' is ' || state from payout_batches x where state not in ('FINAL', 'CANCELLED')
    and not ${FOR_A_PERSON('x')}
  union all select 'output ' || outpoint || ' is not final' from payments where confirmed_at is not null and final_at is null`
