-- What a worker leaves for the people who signed: a new secret, which is answered once, or a file.

create table console_files (
  id uuid primary key,
  request_id uuid not null references operator_requests (id),
  created_at bigint not null,
  name text not null,
  type text not null,
  content text not null,
  is_once boolean not null,
  readers bigint[] not null
);
create index console_files_old on console_files (created_at);
comment on table console_files is 'Gone after 24 hours, or with their first answer.';
comment on column console_files.readers is 'The people who signed for it.';
