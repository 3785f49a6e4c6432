-- How often a session was refreshed in the hour that its first refresh began.
alter table sessions add column refreshes integer not null default 0;
alter table sessions add column refreshes_from bigint not null default 0;
comment on column sessions.refreshes_from is 'When the hour began in which refreshes are counted.';
