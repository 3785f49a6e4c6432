-- Money that the operator gives a player for an order that stands: docs/decisions/0083.

create table order_goodwill (
  order_id uuid primary key references orders (id),
  sats bigint not null check (sats > 0),
  at bigint not null,
  request_id uuid not null,
  payable_id bigint not null unique references payables (id)
);
create trigger order_goodwill_append_only before update or delete or truncate on order_goodwill
  for each statement execute function refuse_change();
comment on table order_goodwill is 'What the operator gave for an order out of its own fee, once an order. The order and its plays stay as they are.';
comment on column order_goodwill.payable_id is 'What is owed to the player for it. The payable names no order: the money did not come with the order''s payment.';

create view console_order_money as
  select o.id, o.player_id, p.username, o.game_key, o.status, o.due_sats, coalesce(g.sats, 0) as goodwill_sats, g.at as goodwill_at
  from orders o join players p on p.id = o.player_id left join order_goodwill g on g.order_id = o.id;
comment on view console_order_money is 'What goodwill for an order is decided by.';
