-- A payment that replaces another one takes over its place in time (decision 38).
-- What the transaction of a payment spends, kept with one of its payments until it is final; null where the provider does not show it, and of
-- payments that an older program stored.
alter table payments add column inputs text[];
-- What of it was seen before it, in payments that it replaces: so many satoshis from each of these moments on. The rest counts from seen_at.
alter table payments add column earlier_at bigint[];
alter table payments add column earlier_sats bigint[];
