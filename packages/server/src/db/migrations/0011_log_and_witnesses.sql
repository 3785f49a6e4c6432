-- What lets outsiders follow a draw through the log, and prove one entry without reading all of them.

-- A draw may have several closes (fairness.md section 9: witnesses were missing), so what is about a draw is found by
-- the draw's identity, not by what its row names last.
alter table statements add column open_hash text;
alter table statements disable trigger statements_append_only;
update statements set open_hash = case type when 'open' then hash else substring(text from '\nopen ([0-9a-f]{64})\n') end
  where type in ('open', 'close', 'postpone', 'void');
update statements s set open_hash = c.open_hash from statements c
  where s.type = 'result' and c.hash = substring(s.text from '\nclose ([0-9a-f]{64})\n');
alter table statements enable trigger statements_append_only;
create index statements_of_draw on statements (open_hash, seq) where open_hash is not null;
comment on column statements.open_hash is 'The identity of the draw that the statement is about; null for the log''s own.';

create table witness_lines (
  close_hash text not null references statements (hash),
  name text not null,
  at bigint not null,
  line text not null,
  primary key (close_hash, name)
);
comment on table witness_lines is 'Valid signature lines of witnesses over close statements: of each witness the one with the earliest date.';

-- The tree of a sealed draw is complete subtrees of 64 leaves and one that may be shorter: with their roots kept,
-- a proof reads one block of entries instead of all.
create table entry_blocks (
  draw_id bigint not null references draws (id),
  block integer not null,
  first_id bytea not null check (length(first_id) = 16),
  root bytea not null check (length(root) = 32),
  primary key (draw_id, block)
);
comment on column entry_blocks.first_id is 'The id of the block''s first entry; its others follow up to the next block''s first.';
