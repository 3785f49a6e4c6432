-- What rounding leaves of payments over Lightning is booked once a day.
alter table lightning_node add column rounded_until bigint not null default 0;
comment on column lightning_node.rounded_until is 'The midnight until which it is booked.';
