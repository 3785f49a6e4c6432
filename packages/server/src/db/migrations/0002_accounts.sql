-- Players, how they prove who they are, and what is sent to them.
--
-- Nothing that opens an account is stored as it was given: passwords and answers are argon2id hashes, keys and refresh
-- tokens SHA-256 hashes of 256 random bits, two-factor secrets are encrypted under the configured key. A copy of these
-- tables signs nobody in, save by a link of a mail that has not gone out yet: its text is erased once it has (the demo
-- keeps it to be read). What must happen at most once (a key used, a refresh token turned, a mail queued) is a
-- conditional update or a unique key here, so two processes at once cannot both do it.

create table players (
  id bigint generated always as identity primary key,
  created_at bigint not null,
  email_verified_at bigint,
  closed_at bigint,
  timezone_id integer not null default 202,
  currency_id integer not null default 1,
  username text not null,
  username_key text not null generated always as (lower(username collate "C")) stored unique,
  email text,
  email_key text generated always as (lower(email collate "C")) stored unique,
  password_hash text
);
comment on column players.email is 'Null for a social account whose provider told none, and after the account was closed.';
comment on column players.password_hash is 'Null for social accounts.';
comment on column players.closed_at is 'A closed account keeps its row, as orders and plays are the game''s record; everything personal is erased.';

create table social_identities (
  player_id bigint not null references players (id),
  created_at bigint not null,
  provider text not null check (provider in ('facebook', 'google', 'twitter')),
  subject text not null,
  primary key (provider, subject)
);
create index social_identities_of_player on social_identities (player_id);
comment on table social_identities is 'The provider''s own id of a person is the identity; the e-mail address it tells never is.';

create table sessions (
  id uuid primary key,
  player_id bigint not null references players (id),
  created_at bigint not null,
  expires_at bigint not null,
  seen_at bigint not null,
  revoked_at bigint,
  fingerprint text not null
);
create index sessions_of_player on sessions (player_id, created_at desc);
comment on column sessions.fingerprint is 'The device as its player knows it again in the list of sessions: browser and system.';

create table refresh_tokens (
  session_id uuid not null references sessions (id) on delete cascade,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint,
  hash bytea primary key
);
create unique index refresh_tokens_live on refresh_tokens (session_id) where used_at is null;
comment on table refresh_tokens is 'Turned at every use; a used one that comes again was stolen, and revokes its session.';

create table player_keys (
  player_id bigint not null references players (id),
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint,
  failures integer not null default 0,
  purpose text not null check (purpose in ('verify_email', 'reset_password', 'login_secure')),
  email text,
  hash bytea primary key
);
create index player_keys_of_player on player_keys (player_id, purpose);
comment on table player_keys is 'Keys of links and of the second login step: single use, hashed, with an end.';
comment on column player_keys.email is 'The address the key was sent to: it verifies that address and no other.';

create table twofa (
  player_id bigint primary key references players (id),
  created_at bigint not null,
  confirmed_at bigint,
  last_used_step bigint not null default 0,
  secret bytea not null
);
comment on column twofa.secret is 'AES-256-GCM: nonce (12), ciphertext, tag (16), with the player''s id as additional data.';
comment on column twofa.last_used_step is 'A code is taken once: its 30-second step is later than this one.';

create table recovery_codes (
  player_id bigint not null references players (id),
  used_at bigint,
  hash bytea not null,
  primary key (player_id, hash)
);

create table security_answers (
  player_id bigint primary key references players (id),
  updated_at bigint not null,
  question_id integer not null,
  answer_hash text not null
);

create table rate_counters (
  started_at bigint not null,
  expires_at bigint not null,
  count integer not null,
  key text primary key
);
comment on table rate_counters is 'How often something was tried in a window that begins with its first try; shared by all processes.';

create table player_addresses (
  id bigint generated always as identity primary key,
  player_id bigint not null references players (id),
  created_at bigint not null,
  usable_from bigint not null,
  superseded_at bigint,
  address text not null
);
create index player_addresses_of_player on player_addresses (player_id, id desc);
comment on table player_addresses is 'Payouts go to the newest address with usable_from reached and superseded_at null.';
comment on column player_addresses.superseded_at is 'Set when another address was saved before this one became usable: it never becomes usable then.';

create table email_preferences (
  player_id bigint primary key references players (id),
  is_lottery_games_active boolean not null,
  is_winners_and_good_causes_active boolean not null
);

create table responsible_play (
  player_id bigint primary key references players (id),
  weekly_limit_minor bigint check (weekly_limit_minor >= 0),
  next_limit_minor bigint check (next_limit_minor >= 0),
  next_limit_from bigint,
  time_out_until bigint,
  excluded_until bigint,
  currency_id integer not null,
  reminder_minutes integer
);
comment on column responsible_play.next_limit_from is 'When a looser limit (next_limit_minor, or none) takes the place of weekly_limit_minor; null: nothing is to change.';

create table excluded_emails (
  until bigint not null,
  hash bytea primary key
);
comment on table excluded_emails is 'Self-exclusion outlives a closed account: keyed hashes of addresses that may not register before until.';

create table messages (
  id bigint generated always as identity primary key,
  player_id bigint not null references players (id),
  created_at bigint not null,
  is_read boolean not null default false,
  title text not null,
  content text not null,
  key text not null unique
);
create index messages_of_player on messages (player_id, id desc);
comment on column messages.content is 'HTML, reduced to the allowed elements before it was written.';

create table mail_outbox (
  id bigint generated always as identity primary key,
  player_id bigint references players (id),
  created_at bigint not null,
  sent_at bigint,
  attempts integer not null default 0,
  category text not null,
  to_address text not null,
  subject text not null,
  text text not null,
  html text not null,
  links text[] not null,
  key text not null unique
);
create index mail_outbox_by_address on mail_outbox (lower(to_address collate "C"), id desc);
create index mail_outbox_of_player on mail_outbox (player_id);
comment on table mail_outbox is 'Mail is written here in the transaction of the fact it tells, and sent by a job.';

create table contact_messages (
  id bigint generated always as identity primary key,
  created_at bigint not null,
  player_id bigint references players (id),
  country_id integer not null,
  name text not null,
  email text not null,
  message text not null
);
