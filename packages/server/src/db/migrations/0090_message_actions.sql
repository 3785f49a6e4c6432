-- A message leads to what it reports.

alter table messages add column action_label text, add column action_path text,
  add constraint messages_action_whole check ((action_label is null) = (action_path is null));
comment on column messages.action_path is 'A page of this site, from / on; null for a message without one. Messages from before have a link in their content.';
