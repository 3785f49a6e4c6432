-- Each row of the audit log follows a row that no other follows: whoever read the newest row too early fails, and the log
-- has one end.
create unique index operator_actions_follow on operator_actions (prev_hash) where prev_hash is not null;

-- Requests are carried out in any order; the counts of a passkey grow in that in which its signatures were given.
alter table staff_keys add column signed_id bigint not null default 0;
comment on column staff_keys.signed_count is 'The count in the last signature that a worker accepted, by the order in which they were given.';
comment on column staff_keys.signed_id is 'The number of that signature.';
