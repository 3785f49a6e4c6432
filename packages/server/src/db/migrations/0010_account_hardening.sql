-- What an audit of the accounts asked to be remembered: how fresh a session is, where a person could be reached lately,
-- and for whom a two-factor secret was made.

-- A session that lies open for days is not enough to switch two-factor on: its player has to have shown the password
-- lately.
alter table sessions add column authenticated_at bigint;
update sessions set authenticated_at = created_at;
alter table sessions alter column authenticated_at set not null;
comment on column sessions.authenticated_at is 'When its player last showed who he is in it: at the login, or by the password later.';

-- A secret that was proposed belongs to the session that saw it, and goes with it. One in force belongs to the player.
delete from twofa where confirmed_at is null;
alter table twofa add column session_id uuid references sessions (id) on delete cascade;
alter table twofa add constraint twofa_proposed_to_a_session check ((confirmed_at is null) = (session_id is not null));
create index twofa_of_session on twofa (session_id);
comment on column twofa.session_id is 'The session that a secret was proposed to; null once it is confirmed.';

-- Whether the present address was ever anybody's whom we know is email_verified_at; whether any address of the account
-- was, is this.
alter table players add column first_verified_at bigint;
update players set first_verified_at = email_verified_at;
comment on column players.first_verified_at is 'When an address of this account was verified for the first time; null while none ever was.';

-- Who takes an account over changes its address first. For some days the one before goes on hearing what happens.
create table former_emails (
  player_id bigint not null references players (id),
  left_at bigint not null,
  email text not null,
  email_key text not null generated always as (lower(email collate "C")) stored,
  primary key (player_id, email_key)
);
create index former_emails_by_time on former_emails (left_at);
comment on table former_emails is 'Verified addresses that players left a short time ago: notices about the account go to them too.';
