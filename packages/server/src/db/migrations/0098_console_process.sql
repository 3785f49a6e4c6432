-- What the console's process reads of how the program stands. Its login may select from the views whose names begin with
-- console_, and call the functions: src/db/grants.ts.

create view console_schema with (security_barrier) as
  select max(version) as version from schema_migrations;
comment on view console_schema is 'The number of the newest migration.';

-- A barrier: a condition of whoever selects is not tried on the rows that the view leaves out.
create view console_demo_clock with (security_barrier) as
  select value from system_state where key = 'demo.clock-offset';
comment on view console_demo_clock is 'By how many seconds the clock of the demo is ahead.';
