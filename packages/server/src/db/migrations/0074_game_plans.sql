-- The desk of the games: a checked file waits here as a plan until it is announced.

create table game_plans (
  id uuid primary key,
  base_hash text not null,
  file text not null,
  plan jsonb not null,
  created_at bigint not null,
  expires_at bigint not null check (expires_at > created_at),
  applied_at bigint
);
comment on table game_plans is 'Checked games files. One is announced only while the games are as its base says.';
comment on column game_plans.base_hash is 'SHA-256 of every game as it was announced last, when the plan was made.';
comment on column game_plans.plan is 'What the operator read of it, line by line.';
