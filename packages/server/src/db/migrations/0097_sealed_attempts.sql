alter table ln_attempts add column seal bytea;
comment on column ln_attempts.seal is 'An HMAC-SHA-256 over the invoice and what it may cost. The node is asked to pay no other.';
