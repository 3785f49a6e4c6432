import { type Check, firstOf, only, onTables, stateAfter, unlike } from './trial.ts'

// Triggers, constraints and what statements compute.

const deferredTrigger = onTables(
  'deferred-trigger',
  async (trial) => {
    const table = await trial.table('transfer int not null, sats bigint not null')
    const check = await trial.triggerFunction(
      `if (select sum(sats) from ${table} where transfer = new.transfer) <> 0 then
        raise exception 'does not balance' using errcode = 'check_violation'; end if; return null;`,
    )
    await trial.one.query(`create constraint trigger balance after insert on ${table} deferrable initially deferred
      for each row execute function ${check}()`)
    const insert = (rows: string): Promise<string> => stateAfter(trial.one, `insert into ${table} values ${rows}`)
    await trial.one.query('begin')
    const parts = [await insert('(1, 5)'), await insert('(1, -5)'), await stateAfter(trial.one, 'commit')]
    await trial.one.query('begin')
    const odd = [await insert('(2, 5)'), await stateAfter(trial.one, 'commit')]
    const kept = await only(trial.one, `select count(*)::int as n from ${table}`)
    return firstOf(
      unlike(parts, ['none', 'none', 'none'], 'two halves that balance'),
      unlike(odd, ['none', '23514'], 'what does not balance, written and committed'),
      unlike(kept, { n: 2 }, 'kept'),
    )
  },
  true,
)

const statementTrigger = onTables('statement-trigger', async (trial) => {
  const table = await trial.table('id int primary key', '(1)')
  const refuse = await trial.triggerFunction(`raise exception 'append-only' using errcode = 'restrict_violation';`)
  await trial.one.query(`create trigger append_only before update or delete or truncate on ${table}
    for each statement execute function ${refuse}()`)
  const states: string[] = []
  for (const change of [
    `update ${table} set id = 2 where id = 9`,
    `delete from ${table} where id = 9`,
    `truncate ${table}`,
    `insert into ${table} values (2)`,
  ])
    states.push(await stateAfter(trial.one, change))
  return unlike(states, ['23001', '23001', '23001', 'none'], 'update, delete, truncate and insert')
})

const rowTriggerWhen = onTables('row-trigger', async (trial) => {
  const table = await trial.table('id int primary key, filled int')
  const fill = await trial.triggerFunction('new.filled := new.id * 2; return new;')
  await trial.one.query(`create trigger fill before insert on ${table} for each row
    when (new.filled is null) execute function ${fill}()`)
  await trial.one.query(`insert into ${table} values (1, null), (2, 7)`)
  const { rows } = await trial.one.query(`select filled from ${table} order by id`)
  return unlike(rows, [{ filled: 2 }, { filled: 7 }], 'filled before the insert')
})

const transitionTable = onTables('transition-table', async (trial) => {
  const table = await trial.table('id int primary key')
  const seen = await trial.table('n bigint, total bigint')
  const count = await trial.triggerFunction(`insert into ${seen} select count(*), sum(id) from added; return null;`)
  await trial.one.query(`create trigger counted after insert on ${table} referencing new table as added
    for each statement execute function ${count}()`)
  await trial.one.query(`insert into ${table} values (1), (2)`)
  await trial.one.query(`insert into ${table} values (3), (4), (5)`)
  const { rows } = await trial.one.query(`select n::int, total::int from ${seen} order by n`)
  return unlike(
    rows,
    [
      { n: 2, total: 3 },
      { n: 3, total: 12 },
    ],
    'a trigger saw of each statement',
  )
})

/** The program reads whether the guards of its tables are as it made them. */
const guardsReadable = onTables('guards-readable', async (trial) => {
  const table = await trial.table('id int primary key')
  const body = `raise exception 'append-only';`
  const refuse = await trial.triggerFunction(body)
  await trial.one.query(
    `create trigger guard before delete on ${table} for each statement execute function ${refuse}()`,
  )
  const look = `select pg_get_triggerdef(g.oid, true) as said, g.tgenabled as state, f.prosrc like '%append-only%' as body
    from pg_trigger g join pg_proc f on f.oid = g.tgfoid where g.tgrelid = '${table}'::regclass`
  const before = await only(trial.one, look)
  await trial.one.query(`alter table ${table} disable trigger guard`)
  const after = await only<{ state: string }>(trial.one, look)
  const said = `CREATE TRIGGER guard BEFORE DELETE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION ${refuse}()`
  return firstOf(unlike(before, { said, state: 'O', body: true }, 'a guard'), unlike(after.state, 'D', 'switched off'))
})

const constraints = onTables('constraints', async (trial) => {
  const table = await trial.table(
    `id bigint generated always as identity primary key, sats bigint not null constraint some_sats check (sats <> 0), open boolean`,
  )
  await trial.one.query(`create unique index ${table}_one_open on ${table} (open) where open`)
  const insert = (values: string): Promise<string> =>
    stateAfter(trial.one, `insert into ${table} (sats, open) values ${values}`)
  const states = [
    await insert('(1, true)'),
    await insert('(1, false), (1, false)'),
    await insert('(1, true)'),
    await insert('(0, false)'),
    await insert('(null, false)'),
  ]
  const name = await trial.one
    .query(`insert into ${table} (sats) values (0)`)
    .catch((error: unknown) => (error as { constraint?: unknown }).constraint)
  return firstOf(
    unlike(states, ['none', 'none', '23505', '23514', '23502'], 'unique among some rows, checked, and not null'),
    unlike(name, 'some_sats', 'the constraint that an error names'),
  )
})

const identityGrows = onTables('identity-grows', async (trial) => {
  const table = await trial.table('id bigint generated always as identity primary key, n int not null')
  await trial.one.query('begin')
  await trial.one.query(`insert into ${table} (n) values (1)`)
  await trial.other.query(`insert into ${table} (n) values (2)`)
  await trial.one.query('rollback')
  await trial.one.query(`insert into ${table} (n) select n from generate_series(3, 5) n order by n`)
  const { rows } = await trial.one.query<{ n: number }>(`select n from ${table} order by id`)
  return unlike(
    rows.map(({ n }) => n),
    [2, 3, 4, 5],
    'in the order of their ids',
  )
})

const writesInOneStatement = onTables('writes-in-one-statement', async (trial) => {
  const [from, to] = [await trial.table('id int primary key', '(1), (2)'), await trial.table('id int primary key')]
  const { rows } = await trial.one.query(`with gone as (delete from ${from} returning id),
      kept as (insert into ${to} select id from gone returning id)
    select (select count(*)::int from kept) as kept, (select count(*)::int from ${from}) as still`)
  return unlike(rows, [{ kept: 2, still: 2 }], 'what one statement moved, and its snapshot')
})

const cursor = onTables('cursor', async ({ one }) => {
  await one.query('begin')
  await one.query('declare walk no scroll cursor for select n from generate_series(1, 5) n order by n')
  const steps: (number | null)[] = []
  for (let step = 0; step < 4; step += 1) steps.push((await one.query('fetch 2 from walk')).rowCount)
  await one.query('close walk; commit')
  return unlike(steps, [2, 2, 1, 0], 'rows of each step')
})

/** Statements that are sent together run one after the other; after a failed one the transaction does nothing more. */
const pipelined = onTables('pipelined', async (trial) => {
  const table = await trial.table('id int primary key')
  const client = await trial.connect({ pipeline: true })
  await client.query('begin')
  const answers = await Promise.allSettled(
    [1, 2, 2, 3].map((id) => client.query({ text: `insert into ${table} values ($1)`, values: [id] })),
  )
  const { command } = await client.query('commit')
  await client.end()
  return unlike(
    [answers.map(({ status }) => status === 'fulfilled'), command],
    [[true, true, false, false], 'ROLLBACK'],
    'four statements at once, and their commit',
  )
})

const transactionId: Check = {
  id: 'transaction-id',
  async run({ one }) {
    const look = 'select pg_current_xact_id()::text as id'
    await one.query('begin')
    const [first, second] = [await only<{ id: string }>(one, look), await only<{ id: string }>(one, look)]
    await one.query('commit')
    const next = await only<{ id: string }>(one, look)
    return first.id === second.id && next.id !== first.id ? null : 'a transaction has no number of its own'
  },
}

/** What statements compute, each with what it has to give. */
const COMPUTED: readonly (readonly [expression: string, wanted: string])[] = [
  [`bit_count(9223372036854775807::bit(64) & 255::bit(64))`, '8'],
  [
    `encode(sha256(convert_to('fairball', 'UTF8')), 'hex')`,
    '9eb87d63c6bf6ffe2430fd18372b630afb3cb7cd63520547240d2ae575d06429',
  ],
  [`substring(E'open x\\nprice GBP 100\\n' from E'\\nprice [A-Z]{3} ([0-9]+)\\n')`, '100'],
  [`(regexp_match('a 1 2', '([0-9]) ([0-9])'))[2]`, '2'],
  [
    `select string_agg(a || b || place, ',' order by place)
      from unnest('{x,y}'::text[], '{1,2}'::int[]) with ordinality as w (a, b, place)`,
    'x11,y22',
  ],
  [
    `select string_agg(k || n, ',' order by k)
      from (select distinct on (k) k, n from (values ('a', 1), ('a', 3), ('b', 2)) v (k, n) order by k, n desc) x`,
    'a3,b2',
  ],
  [`select string_agg(x, '' order by x collate "C") from unnest('{b,B,a}'::text[]) x`, 'Bab'],
  [`jsonb_strip_nulls(jsonb_build_object('a', 1, 'b', null))`, '{"a": 1}'],
  [
    `select count(*) filter (where n > 1) || ' ' || max(twice)
      from generate_series(1, 3) n cross join lateral (select n * 2 as twice) o`,
    '2 6',
  ],
]

const computed: Check = {
  id: 'functions',
  async run({ one }) {
    for (const [expression, wanted] of COMPUTED) {
      const { seen } = await only<{ seen: string }>(one, `select (${expression})::text as seen`)
      if (seen !== wanted) return unlike(seen, wanted, expression)
    }
    return null
  },
}

const exactSums: Check = {
  id: 'exact-sums',
  async run({ one }) {
    const { seen } = await only<{ seen: string }>(
      one,
      `select sum(n)::text as seen from unnest('{9223372036854775807,9223372036854775807,-1}'::bigint[]) n`,
    )
    const over = await stateAfter(one, 'select 9223372036854775807::bigint + 1')
    return firstOf(unlike(seen, '18446744073709551613', 'a sum of large numbers'), unlike(over, '22003', 'an overflow'))
  },
}

export const SCHEMA_CHECKS: readonly Check[] = [
  deferredTrigger,
  statementTrigger,
  rowTriggerWhen,
  transitionTable,
  guardsReadable,
  constraints,
  identityGrows,
  writesInOneStatement,
  cursor,
  pipelined,
  transactionId,
  exactSums,
  computed,
]
