-- Tickets show which of their lines were picked at random.

alter table order_lines add column dips boolean[] not null default '{}';
comment on column order_lines.dips is 'Whether each line was a lucky dip, in the order of masks; empty for orders made before this column.';
