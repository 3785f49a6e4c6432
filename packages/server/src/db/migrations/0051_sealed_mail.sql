-- A mail that waits holds live links: its text is kept sealed until it is sent. Mails of before stay as they are, and are sent.
alter table mail_outbox add column sealed bytea;
comment on column mail_outbox.sealed is 'Text, html and links of a mail that was not sent yet, AES-256-GCM with key and recipient as additional data.';
