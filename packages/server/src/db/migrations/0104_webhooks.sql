-- What happens is told to servers that the operator names: docs/decisions/0081.

create table webhooks (
  id bigint generated always as identity primary key,
  created_at bigint not null,
  failing_since bigint,
  disabled_at bigint,
  revoked_at bigint,
  earlier_until bigint,
  url text not null,
  types text[] not null check (types <> '{}'),
  sealed bytea not null,
  earlier_sealed bytea,
  disabled_because text,
  check ((disabled_at is null) = (disabled_because is null)),
  check ((earlier_sealed is null) = (earlier_until is null))
);
comment on table webhooks is 'Addresses that are told of events. Rows are never removed.';
comment on column webhooks.sealed is 'The secret of its signatures, encrypted.';
comment on column webhooks.earlier_sealed is 'The secret before a change, which signs too until earlier_until.';
comment on column webhooks.failing_since is 'When the first try failed since the last that did not.';

create table webhook_events (
  id text primary key,
  at bigint not null,
  type text not null,
  body text not null
);
create index webhook_events_old on webhook_events (at);
comment on table webhook_events is 'What is told, written with its fact, if a webhook asks for it. Each try sends the same body.';

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks (id),
  next_at bigint,
  tried_at bigint,
  attempts integer not null default 0,
  status integer,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'given-up')),
  problem text,
  event_id text not null references webhook_events (id) on delete cascade,
  unique (event_id, webhook_id),
  check ((state = 'waiting') = (next_at is not null))
);
create index webhook_deliveries_newest on webhook_deliveries (webhook_id, id desc);
comment on column webhook_deliveries.next_at is 'When it is tried next.';
comment on column webhook_deliveries.status is 'Of the last answer; null if there was none.';

create view console_webhooks as
  select id, created_at, failing_since, disabled_at, revoked_at, earlier_until, url, types, disabled_because from webhooks;
create view console_webhook_deliveries as
  select d.id, d.webhook_id, d.event_id, e.type, e.at, d.state, d.attempts, d.next_at, d.tried_at, d.status, d.problem
  from webhook_deliveries d join webhook_events e on e.id = d.event_id;
