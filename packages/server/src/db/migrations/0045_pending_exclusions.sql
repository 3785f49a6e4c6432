-- An exclusion binds verified addresses only. What is kept of addresses are keyed hashes, so the program sorts out those
-- of addresses that were never verified; a database without exclusions has nothing to sort.
insert into jobs (run_at, kind, key, payload)
  select 0, 'accounts.release-unverified', 'accounts.release-unverified', '{}'
  where exists (select from excluded_emails)
  on conflict (key) do nothing;
