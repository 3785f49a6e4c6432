-- An address at which we take payments is no address a player can be paid at: it is looked for whenever one is saved.
create index invoices_address on invoices (address) where address is not null;
