-- Money is counted once: an output that pays an order is not money of nobody as well. The code sees to it, and this makes
-- sure of it, also against another installation that writes into an older database. And the operator's own deposits get
-- addresses that no order ever has.

create function forbid_counting_twice() returns trigger language plpgsql as $$
begin
  -- Whoever books the same output elsewhere at the same moment waits here, and sees this one then.
  perform pg_advisory_xact_lock(hashtextextended('fairball.outpoint:' || new.outpoint, 0));
  if tg_table_name = 'payments' then
    if exists (select from unknown_deposits where outpoint = new.outpoint) then
      raise exception 'the output % is known as money of nobody: it cannot pay an order as well', new.outpoint
        using errcode = 'integrity_constraint_violation', constraint = 'outpoint_counted_once';
    end if;
  elsif exists (select from payments where outpoint = new.outpoint) then
    raise exception 'the output % pays an order: it cannot be money of nobody as well', new.outpoint
      using errcode = 'integrity_constraint_violation', constraint = 'outpoint_counted_once';
  end if;
  return new;
end
$$;
create trigger payments_counted_once before insert or update of outpoint on payments
  for each row execute function forbid_counting_twice();
create trigger unknown_deposits_counted_once before insert or update of outpoint on unknown_deposits
  for each row execute function forbid_counting_twice();

alter table deposit_addresses alter column order_id drop not null;
comment on column deposit_addresses.order_id is 'The order that pays there; null for an address of the house, for the operator''s own deposits.';

alter table unknown_deposits add column final_at bigint;
update unknown_deposits set final_at = confirmed_at;
comment on column unknown_deposits.final_at is 'When it was six deep: from then on it can become the operator''s own.';
