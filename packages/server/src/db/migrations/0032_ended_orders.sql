-- Why an open order ended before its time: a time-out or an exclusion began, or the weekly limit was lowered (decision 38).
-- What is paid for it later goes back.
alter table orders add column ended_because text check (ended_because in ('PAUSE', 'WEEKLY_LIMIT'));
