-- The operator's people, their passkeys and sessions; their requests, signatures and challenges.

create table staff (
  id bigint generated always as identity primary key,
  name text not null,
  email text not null,
  roles text[] not null check (roles <@ array['owner', 'treasurer', 'approver', 'support', 'games', 'editor', 'auditor'] and roles <> '{}'),
  created_at bigint not null,
  disabled_at bigint
);
create unique index staff_email on staff (lower(email)) where disabled_at is null;
comment on table staff is 'The operator''s people. Rows are never removed.';

create table staff_keys (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff (id),
  credential_id text not null unique,
  public_key bytea not null,
  sign_count bigint not null,
  signed_count bigint not null default 0,
  transports text[] not null,
  backed_up boolean not null,
  label text not null,
  created_at bigint not null,
  last_used_at bigint,
  revoked_at bigint
);
create index staff_keys_of_staff on staff_keys (staff_id);
comment on column staff_keys.sign_count is 'The largest count of its authenticator that the console saw.';
comment on column staff_keys.signed_count is 'The largest count in a signature that a worker accepted.';
comment on table staff_keys is 'Passkeys: the public halves. Only a worker adds one.';

create table staff_invites (
  hash bytea primary key,
  staff_id bigint not null references staff (id),
  expires_at bigint not null,
  keys integer not null default 0,
  used_at bigint
);
create index staff_invites_of_staff on staff_invites (staff_id);
comment on column staff_invites.hash is 'SHA-256 of the token in the link.';
comment on column staff_invites.keys is 'Passkeys that were registered over it.';
comment on column staff_invites.used_at is 'When the last passkey that it was for was registered, or another link took its place.';

create table staff_sessions (
  id bigint generated always as identity primary key,
  hash bytea not null unique,
  staff_id bigint not null references staff (id),
  key_id bigint not null references staff_keys (id),
  device text not null,
  created_at bigint not null,
  seen_at bigint not null,
  expires_at bigint not null,
  revoked_at bigint
);
create index staff_sessions_of_staff on staff_sessions (staff_id, seen_at desc);
create index staff_sessions_ended on staff_sessions (expires_at);
comment on column staff_sessions.hash is 'SHA-256 of the cookie''s value.';

create table console_challenges (
  challenge bytea primary key,
  purpose text not null check (purpose in ('sign-in', 'enrol', 'propose', 'approve')),
  request_id uuid,
  staff_id bigint,
  text text,
  expires_at bigint not null
);
create index console_challenges_ended on console_challenges (expires_at);
comment on table console_challenges is 'What passkeys are asked to sign. The challenge of a text is its SHA-256.';

create table operator_requests (
  id uuid primary key,
  kind text not null,
  args jsonb not null,
  reason text not null,
  facts jsonb not null,
  proposed_by bigint references staff (id),
  created_at bigint not null,
  expires_at bigint not null,
  state text not null default 'draft' check (state in
    ('draft', 'proposed', 'approved', 'done', 'refused', 'failed', 'rejected', 'cancelled')),
  result jsonb,
  ended_at bigint
);
create index operator_requests_open on operator_requests (created_at) where state in ('draft', 'proposed', 'approved');
create index operator_requests_newest on operator_requests (created_at desc, id);
comment on table operator_requests is 'What people asked for. The console adds rows; a worker alone changes them.';
comment on column operator_requests.expires_at is 'Of a draft five minutes after it was made, of a proposed request 24 hours. Past it, the request has expired.';

create table operator_signatures (
  id bigint generated always as identity primary key,
  request_id uuid not null references operator_requests (id),
  part text not null check (part in ('propose', 'approve')),
  staff_id bigint not null references staff (id),
  key_id bigint not null references staff_keys (id),
  text text not null,
  challenge bytea not null unique,
  authenticator_data bytea not null,
  client_data_json bytea not null,
  signature bytea not null,
  signed_at bigint not null
);
create index operator_signatures_of_request on operator_signatures (request_id, id);
create trigger operator_signatures_append_only before update or delete or truncate on operator_signatures
  for each statement execute function refuse_change();
comment on table operator_signatures is 'Signatures of passkeys over the text of a request. A worker verifies each again before anything is done.';

-- The audit log becomes a chain: each row's hash is over its canonical text, the hash of the row before in it.
alter table operator_actions
  add column kind text,
  add column staff_id bigint references staff (id),
  add column approver_id bigint references staff (id),
  add column request_id uuid,
  add column reason text,
  add column args jsonb,
  add column prev_hash bytea,
  add column hash bytea;
create index operator_actions_of_request on operator_actions (request_id) where request_id is not null;

comment on column operator_actions.hash is 'SHA-256 of the row''s canonical text, the hash of the row before in it. Rows that are older than the chain have none.';

-- What the console reads of other tables.
create view console_audit as
  select id, at, actor, action, subject, detail, kind, staff_id, approver_id, request_id, reason, args, prev_hash, hash
  from operator_actions;
create view console_payout_batches as
  select id, created_at, state, class, reason, halted_from, needs_approval, sent_at from payout_batches;
create view console_payouts as
  select id, batch_id, kind, player_id, partner_id, address, sats, fee_share_sats, created_at, sent_at, cancelled_at from payouts;
create view console_ln_payouts as
  select payout_id, state, halted_from, reason, first_at, next_at, attempts from ln_payouts;
create view console_payables as
  select id, created_at, kind, sats, player_id, partner_id, draw_id, play_id, line_no, order_id, payout_id from payables;
create view console_draws as
  select id, game_key, number, status, closes_at, start_at from draws;
create view console_settings as select key, version, value, from_at, at, actor, reason from settings;
create view console_state with (security_barrier) as select key, value from system_state where key in ('staff-alone');

-- What the console's login finds by a secret whose hash it may not read.
create function console_invited(token text, now bigint) returns table (staff_id bigint, keys integer) language sql stable security definer
  set search_path from current as $$
  select i.staff_id, i.keys from staff_invites i join staff s on s.id = i.staff_id
  where i.hash = sha256(convert_to(token, 'UTF8')) and i.used_at is null and i.expires_at > now and s.disabled_at is null
$$;
create function console_session(token text, now bigint) returns bigint language sql stable security definer
  set search_path from current as $$
  select x.id from staff_sessions x where x.hash = sha256(convert_to(token, 'UTF8'))
    and x.revoked_at is null and x.expires_at > now and x.seen_at > now - 900
$$;
revoke all on function console_invited(text, bigint) from public;
revoke all on function console_session(text, bigint) from public;
do $$
declare one text;
begin
  foreach one in array array['console_invited(text, bigint)', 'console_session(text, bigint)'] loop
    execute format('alter function %s set search_path = pg_catalog, %I, pg_temp', one, current_schema());
  end loop;
end $$;
