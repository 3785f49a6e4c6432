-- A spend of the payouts' wallet is a payout or the operator's own, never both: booked twice, a prize would be shown as paid by coins that left for
-- something else. Whoever comes second waits for the first here: the operator's word locks the movement too.

create function check_spend_booked_once() returns trigger language plpgsql as $$
declare
  stands text;
begin
  select state into stands from treasury_movements where txid = new.txid for update;
  if stands = 'BOOKED' then
    raise exception 'the transaction % is booked as the operator''s own and can be no payout', new.txid
      using errcode = 'check_violation', constraint = 'spend_booked_once';
  end if;
  return new;
end
$$;

create trigger payout_txs_booked_once before insert on payout_txs
  for each row execute function check_spend_booked_once();
