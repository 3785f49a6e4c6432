-- A mail that its server refuses for good is kept, and no longer tried.
--
-- Until now a refused mail was tried every hour for ever, and nobody could tell it from one whose server is away.

alter table mail_outbox add column refused_at bigint, add column refusal text;
alter table mail_outbox add constraint mail_outbox_sent_or_refused check (sent_at is null or refused_at is null);
create index mail_outbox_not_sent on mail_outbox (id) where sent_at is null;
comment on column mail_outbox.refused_at is 'When its server refused it for good; it is not tried any more.';
comment on column mail_outbox.refusal is 'What the server said, without the address.';
