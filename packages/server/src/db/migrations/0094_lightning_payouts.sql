-- Payouts over Lightning: no batch, one payment each, and every invoice that was ever tried for it.

alter table payouts alter column batch_id drop not null,
  add column kind text not null default 'chain' check (kind in ('chain', 'lightning')),
  add constraint payouts_of_kind check ((kind = 'chain') <> (batch_id is null)),
  add constraint payouts_over_lightning check (kind = 'chain' or partner_id is null);
comment on column payouts.address is 'Where it goes: an address of the chain; over Lightning the destination as its player saved it.';

create table ln_payouts (
  payout_id bigint primary key references payouts (id),
  destination_id bigint not null,
  first_at bigint not null,
  next_at bigint not null,
  attempts integer not null default 0,
  state text not null check (state in
    ('WAITING_APPROVAL', 'QUEUED', 'RESOLVED', 'SENDING', 'RETRY_AT', 'WAITING_FUNDS', 'HALTED', 'PAID', 'RETURNED')),
  halted_from text,
  reason text,
  constraint ln_payouts_halted check ((state = 'HALTED') = (halted_from is not null))
);
create index ln_payouts_open on ln_payouts (next_at) where state not in ('PAID', 'RETURNED');
create index ln_payouts_returned on ln_payouts (destination_id, next_at) where state = 'RETURNED';
comment on table ln_payouts is 'The payouts over Lightning: from QUEUED to PAID, or to RETURNED, when the money is owed again.';
comment on column ln_payouts.destination_id is 'Of player_destinations, where the row is gone once its account is erased.';
comment on column ln_payouts.first_at is 'Since when it may be tried: a day later it is returned.';
comment on column ln_payouts.next_at is 'When it is tried next, or when it ended.';

create table ln_attempts (
  payout_id bigint not null references ln_payouts (payout_id),
  attempt integer not null,
  amount_msat bigint not null check (amount_msat > 0),
  max_fee_msat bigint not null check (max_fee_msat >= 0),
  resolved_at bigint not null,
  expires_at bigint not null,
  sent_at bigint,
  dead_since bigint,
  ended_at bigint,
  sent_msat bigint,
  calls integer not null default 0,
  answers integer not null default 0 check (answers between 0 and calls),
  is_refused boolean not null default false,
  payment_hash text not null unique check (payment_hash ~ '^[0-9a-f]{64}$'),
  invoice text not null,
  outcome text check (outcome in ('complete', 'failed', 'none', 'never-left')),
  preimage text,
  call_error text,
  primary key (payout_id, attempt),
  constraint ln_attempts_ended check ((outcome is null) = (ended_at is null)),
  constraint ln_attempts_complete check ((preimage is not null) = (outcome is not distinct from 'complete')),
  constraint ln_attempts_sent check ((sent_msat is null) = (preimage is null)),
  constraint ln_attempts_preimage check (preimage is null or encode(sha256(decode(preimage, 'hex')), 'hex') = payment_hash)
);
-- Whatever program writes it: a payout has one attempt that may still pay, or that paid.
create unique index ln_attempts_live on ln_attempts (payout_id) where outcome is null or outcome = 'complete';
create index ln_attempts_lately on ln_attempts (ended_at) where outcome = 'complete';
create index ln_attempts_never_left on ln_attempts (payout_id) where outcome = 'never-left';
comment on table ln_attempts is 'The invoices that payouts were tried with, each stored before the node was asked to pay it.';
comment on column ln_attempts.sent_at is 'When the node was last asked to pay it.';
comment on column ln_attempts.calls is 'How often the node was asked; of so many the answer came: answers.';
comment on column ln_attempts.is_refused is 'The last answer was a refusal.';
comment on column ln_attempts.dead_since is 'Since when each look found that it can no longer pay; any other word clears it.';

create function refuse_changed_attempt() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (new.payout_id, new.attempt, new.payment_hash, new.invoice, new.amount_msat, new.max_fee_msat)
      is distinct from (old.payout_id, old.attempt, old.payment_hash, old.invoice, old.amount_msat, old.max_fee_msat)
    or old.outcome is not null then
    raise exception 'an attempt keeps its invoice, and ends once';
  end if;
  return new;
end $$;
create trigger ln_attempts_end_once before update or delete on ln_attempts
  for each row execute function refuse_changed_attempt();
create trigger ln_attempts_stay before truncate on ln_attempts
  for each statement execute function refuse_change();
