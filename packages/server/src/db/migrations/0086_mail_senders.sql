-- Addresses that are to send the site's mails. Each has to show by a mail of its own that it can.

create table mail_senders (
  id bigint generated always as identity primary key,
  name text not null,
  address text not null,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  from_at bigint not null,
  at bigint not null,
  actor text not null,
  reason text not null,
  request_id text not null,
  expires_at bigint not null check (expires_at > at),
  tries_left integer not null check (tries_left >= 0),
  ended_at bigint
);
comment on table mail_senders is 'Applied addresses of mail.from that wait for the code of their test mail. The newest that has not ended is the only one that can be confirmed.';
comment on column mail_senders.code_hash is 'SHA-256 of the code, which has 80 random bits.';
comment on column mail_senders.ended_at is 'When the code was typed back, or a later plan replaced the address.';

alter table mail_outbox add column from_name text, add column from_address text,
  add constraint mail_outbox_has_whole_sender check ((from_name is null) = (from_address is null));
comment on column mail_outbox.from_address is 'The sender of a test mail of mail.from; null for the sender in force.';
