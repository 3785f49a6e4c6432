import { array, nullable, sql, t } from '../db/sql.ts'

export const addJob = sql({
  name: 'jobs.add',
  // A key that is already waiting keeps the earlier of the two times: adding twice is one job.
  text: `insert into jobs (kind, key, payload, run_at) values ($1, $2, $3, $4)
    on conflict (key) do update set run_at = least(jobs.run_at, excluded.run_at)`,
  params: [t.text, t.text, t.json(), t.epochSeconds],
})

const jobRow = {
  id: t.bigint,
  kind: t.text,
  key: t.text,
  payload: t.json(),
  run_at: t.epochSeconds,
  attempts: t.int,
}

export const lockDueJob = sql({
  name: 'jobs.lock-due',
  text: `select id, kind, key, payload, run_at, attempts from jobs
    where run_at <= $1 and kind = any($2) order by run_at, id for update skip locked limit 1`,
  params: [t.epochSeconds, array(t.text)],
  row: jobRow,
})

/** Leases up to $3 jobs of a kind that are due, until $4, and gives them as they were before. */
export const leaseJobs = sql({
  name: 'jobs.lease',
  text: `with due as (
      select id, kind, key, payload, run_at, attempts from jobs
      where kind = $1 and run_at <= $2 order by run_at, id limit $3 for update skip locked
    )
    update jobs set run_at = $4, attempts = jobs.attempts + 1 from due where jobs.id = due.id
    returning due.id, due.kind, due.key, due.payload, due.run_at, due.attempts`,
  params: [t.text, t.epochSeconds, t.bigint, t.epochSeconds],
  row: jobRow,
})

export const removeJob = sql({
  name: 'jobs.remove',
  text: `delete from jobs where id = $1`,
  params: [t.bigint],
})

export const removeLeasedJob = sql({
  name: 'jobs.remove-leased',
  text: `delete from jobs where id = $1 and attempts = $2`,
  params: [t.bigint, t.int],
})

export const putOffJob = sql({
  name: 'jobs.put-off',
  text: `update jobs set attempts = $2 + 1, run_at = $3, last_error = $4 where id = $1 and attempts <= $2 + 1`,
  params: [t.bigint, t.int, t.epochSeconds, t.text],
})

export const nextJobAt = sql({
  name: 'jobs.next-at',
  text: `select min(run_at) as run_at from jobs where kind = any($1)`,
  params: [array(t.text)],
  row: { run_at: nullable(t.epochSeconds) },
})
