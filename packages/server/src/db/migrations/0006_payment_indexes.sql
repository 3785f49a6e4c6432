-- The transaction history lists what was given back to a player; without this it would read all that was ever owed.

create index payables_given_back on payables (player_id, created_at desc) where kind in ('refund', 'excess');
