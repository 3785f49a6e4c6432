-- Every page of a signed-in player asks how many there are.
create index messages_unread on messages (player_id) where not is_read;
