-- A lane asks for the oldest job of each of its kinds: however many of one kind wait, those of another are found at once.
-- jobs_due stays for the program of the release before, which asks for the oldest of many kinds.
create index jobs_due_by_kind on jobs (kind, run_at, id);
