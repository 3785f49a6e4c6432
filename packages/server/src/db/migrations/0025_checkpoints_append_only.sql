-- Balances are read from the newest checkpoint: one that is changed would be believed.
create trigger ledger_checkpoints_append_only before update or delete or truncate on ledger_checkpoints
  for each statement execute function refuse_change();
