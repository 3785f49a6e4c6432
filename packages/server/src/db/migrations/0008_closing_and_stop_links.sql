-- Closing an account pays out first, and a changed bitcoin address can be stopped by a link.
--
-- An account is closed to its player at once (closed_at: every query that lets somebody in looks at it) and erased when
-- the last draw is drawn and the last satoshi paid (erased_at). In between it keeps what paying needs and nothing more:
-- the e-mail address, the username in its mails, the bitcoin address, and who it is to a social network, so that the
-- same person does not get another account by logging in.

alter table players add column erased_at bigint;
update players set erased_at = closed_at where closed_at is not null;
alter table players add constraint players_erased_when_closed check (erased_at is null or closed_at <= erased_at);
create index players_closing on players (id) where closed_at is not null and erased_at is null;
comment on column players.closed_at is 'Nobody logs in from here on; what is owed is still paid. A closed account keeps its row, as orders and plays are the game''s record.';
comment on column players.erased_at is 'Everything was paid that can be, and everything personal is erased.';

-- The key in the mail about a changed address takes the change back while it waits. A player has one waiting address at
-- most, and another change takes the keys of the one before away, so a key needs no word for which address it stops.
alter table player_keys drop constraint player_keys_purpose_check;
alter table player_keys add constraint player_keys_purpose_check
  check (purpose in ('verify_email', 'reset_password', 'login_secure', 'stop_address_change'));
