-- What an order needs after a payment of it was reorganised away is known once, when that happens, and the payer is asked
-- for exactly that. And an operator who looks into a payment wants the provider's own words about its invoice.

alter table orders add column needed_sats bigint;
comment on column orders.needed_sats is 'What has to be confirmed for the order in all, money given back included, before it is PAID again; null while no payment of it was reorganised away: then it is due_sats.';

alter table invoices
  add column words text check (length(words) <= 16384),
  add column words_at bigint;
comment on column invoices.words is 'What the provider said of the invoice last, as JSON, its end left out where it is too long. Nothing is decided upon it.';
comment on column invoices.words_at is 'When it said so first, in epoch seconds.';
