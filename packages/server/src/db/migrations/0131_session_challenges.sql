-- A challenge begins one session: whoever sends its answer again is refused, also after the session has ended.

alter table staff_sessions add column challenge bytea constraint staff_sessions_challenge_key unique;
comment on column staff_sessions.challenge is 'What the passkey signed. Sessions that are older than this column have none.';
