import { LEAST_DUST_SATS } from '@fairball/server/testing/lottery'

/** Upper limit of a refund's share of the network fee. A refund is only paid if more than dust remains after it. */
const MAX_FEE_SHARE_SATS = 300n

/** A batch of returns that waits for approval, which no one gives here: it contains a large overpayment. */
const FOR_A_PERSON = (batch: string): string =>
  `coalesce(${batch}.class = 'returns' and ${batch}.state = 'WAITING_APPROVAL', false)`

/** A payout over Lightning that failed, and is tried again at its time. */
const TRIED_AGAIN = `exists (select from ln_payouts l where l.payout_id = p.id and l.state = 'RETRY_AT' and l.next_at > $1)`

/** Conditions at the moment $1: debts and mails from before `doneUntil` are settled. One row for each breach. */
const unfinished = (doneUntil: string): string => `
  select 'order ' || id || ' is still ' || status as what from orders where status in ('PENDING', 'PROCESSING', 'UNDERPAID')
  union all select 'draw ' || number || ' of ' || game_key || ' is still ' || status from draws
    where status in ('closed', 'drawn') or (status = 'open' and closes_at < $1)
  union all select b.kind || ' ' || b.id || ' of ' || b.sats || ' sats is not paid' from payables b
    left join payouts p on p.id = b.payout_id left join payout_batches x on x.id = p.batch_id
    where b.created_at < ${doneUntil} and p.sent_at is null and not ${FOR_A_PERSON('x')} and not ${TRIED_AGAIN}
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

/**
 * Conditions after a long enough time without faults, at the moment $1 in epoch seconds: each prize is paid within an
 * hour. One row for each breach.
 */
export const LIVENESS = unfinished('$1 - 3600')

/** Unfinished work at the moment $1 in epoch seconds, one row each; empty if everything is done. */
export const LEFT_TO_DO = `${unfinished('$1 + 1')}
  union all select 'payout batch ' || id || ' is ' || state from payout_batches x where state not in ('FINAL', 'CANCELLED')
    and not ${FOR_A_PERSON('x')}
  union all select 'payout ' || payout_id || ' over Lightning is ' || state from ln_payouts where state <> 'PAID'
  union all select 'output ' || outpoint || ' is not final' from payments where confirmed_at is not null and final_at is null`
