-- A changed payout address waits by the worker's clock: docs/decisions/0042.
alter table player_addresses add column paid_from bigint;
comment on column player_addresses.paid_from is 'Written with the seal, which covers it: payouts go there from then on. Of seals from before this column null: usable_from counts.';
comment on table player_addresses is 'Payouts go to the newest address with a seal, paid_from (or usable_from) reached and superseded_at null.';
