-- A job that failed can be woken before its time; one that a worker has taken up is left to it.
alter table jobs add column leased_until bigint;
