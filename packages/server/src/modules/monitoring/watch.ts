import type { Tx } from '../../db/pool.ts'
import { lastLook, passStatus } from '../invariants/service.ts'
import type { MonitoringContext } from './context.ts'
import { type Findings, type FindingsKeeper, HALTS_ALONE, type Violation } from './invariants.ts'
import * as queries from './queries.ts'

// Watches the invariants. Findings and the stop of all payouts are one transaction; while an unaccepted finding exists,
// payouts stay stopped whatever else is lifted (see `payouts.find-stop`).

/** Minimum time between two checks, however many processes ask. */
const LEAST_SECONDS = 50n
/**
 * What is recomputed is followed by a pause of this multiple of its duration: at most a twentieth of the time goes into it.
 */
const PAUSES = 20n
/**
 * How far back before the last check changes are checked again: a transaction may commit after a check that it began
 * before.
 */
const OVERLAP_SECONDS = 600
/** How far back the first check goes for what is expensive; `invariants-check` covers everything. */
const FIRST_SECONDS = 86_400
/** How long pieces of a pass follow each other before a pause, in ms. */
const PASS_MS = 20_000
/** More would be one fault many times over. */
const MAX_KEPT = 100
const LONGEST_PROBLEM = 500

/** What watching the invariants needs. */
export type WatchContext = Pick<MonitoringContext, 'db' | 'runtime' | 'invariants' | 'stopPayouts' | 'tellOfAlarm'>

/** What was kept of some findings. */
interface Kept {
  readonly numbers: bigint[]
  readonly newOnes: number
  /** Beyond the cap we cannot tell which were missed. */
  readonly isCapped: boolean
}

/** Keeps findings and stops payouts, in the caller's transaction. */
async function keepIn(ctx: WatchContext, tx: Tx, violations: readonly Violation[]): Promise<Kept> {
  const kept = violations.slice(0, MAX_KEPT)
  // In one order, since the check of each minute and a pass may keep the same ones.
  const problems = [...new Map(kept.map((one) => [`${one.id} ${shortened(one.problem)}`, one])).entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, violation]) => violation)
  const rows = await tx.run(queries.keepViolations, [
    problems.map((one) => one.id),
    problems.map((one) => shortened(one.problem)),
    ctx.runtime.clock.now(),
  ])
  const broken = [...new Set(kept.map((one) => one.id))].filter((id) => id !== HALTS_ALONE)
  if (rows.some((row) => !row.isAccepted && row.invariant !== HALTS_ALONE))
    await ctx.stopPayouts(tx, `an invariant is broken: ${broken.join(' ')}`)
  const newOnes = rows.filter((row) => row.isNew && !row.isAccepted)
  for (const { number, invariant } of newOnes)
    await ctx.tellOfAlarm(tx, {
      alarm: 'InvariantBroken',
      subject: `violation:${number}`,
      text: `The invariant ${invariant} is broken: violation ${number}.`,
    })
  return {
    numbers: rows.map((row) => row.number),
    newOnes: newOnes.length,
    isCapped: violations.length > MAX_KEPT,
  }
}

function logNew(ctx: WatchContext, violations: readonly Violation[], { newOnes }: Kept): void {
  if (newOnes === 0) return
  const kept = violations.slice(0, MAX_KEPT)
  const told = kept.map(({ id, problem }) => `${id}: ${shortened(problem)}`)
  const stopped = kept.every(({ id }) => id === HALTS_ALONE) ? 'payouts to these addresses wait' : 'payouts are stopped'
  ctx.runtime.log.error({ violations: told, found: violations.length }, `invariants are broken: ${stopped}`)
}

/** @param tookMs how long a check of what is recomputed took; null for one by hand, undefined for one of what is new */
async function keepFindings(ctx: WatchContext, { violations, whole }: Findings, tookMs?: bigint | null): Promise<void> {
  const kept = await ctx.db.transaction(async (tx) => {
    const at = ctx.runtime.clock.now()
    const kept = await keepIn(ctx, tx, violations)
    if (!kept.isCapped) await tx.execute(queries.endViolations, [at, kept.numbers, [...whole]])
    if (tookMs !== undefined) await tx.execute(queries.storeCheck, [at, tookMs])
    return kept
  })
  logNew(ctx, violations, kept)
}

/** Checks, and stores the findings. */
async function checkSince(ctx: WatchContext, sinceAt: number | null): Promise<Findings> {
  const sinceMs = ctx.runtime.monotonic.nowMs()
  const findings = await ctx.invariants.check(ctx.db, sinceAt)
  await keepFindings(
    ctx,
    findings,
    sinceAt === null ? null : BigInt(Math.round(ctx.runtime.monotonic.nowMs() - sinceMs)),
  )
  return findings
}

/** Checks what is new. What it does not find again stays until everything was checked. */
async function checkNew(ctx: WatchContext): Promise<void> {
  const found = await ctx.invariants.checkNew(ctx.db, ctx.runtime.clock.now())
  if (found === null) return
  if (found.violations.length > 0) await keepFindings(ctx, { violations: found.violations, whole: [] })
  await found.done()
}

/**
 * Checks what is new, and recomputes what has changed since the last time, unless another process just did, or that took
 * so long that it is too soon.
 *
 * @returns whether it checked more than what is new
 */
export async function checkInvariants(ctx: WatchContext): Promise<boolean> {
  await checkNew(ctx)
  const claimed = await ctx.db.maybeOne(queries.claimCheck, [ctx.runtime.clock.now(), LEAST_SECONDS, PAUSES])
  if (claimed === null) return false
  await checkSince(
    ctx,
    claimed.checkedAt === null ? ctx.runtime.clock.now() - FIRST_SECONDS : claimed.checkedAt - OVERLAP_SECONDS,
  )
  return true
}

/**
 * Checks pieces of the nightly pass over everything, while one is under way or due, for some seconds.
 *
 * @returns whether it checked any, and stopped before the end
 */
export async function continuePass(ctx: WatchContext, isStopped: () => boolean = () => false): Promise<boolean> {
  const { clock, monotonic } = ctx.runtime
  const sinceMs = monotonic.nowMs()
  const keeper: FindingsKeeper = {
    now: () => clock.now(),
    nowMs: () => monotonic.nowMs(),
    async keep(tx, violations) {
      const kept = await keepIn(ctx, tx, violations)
      logNew(ctx, violations, kept)
      return kept
    },
    end: async (tx, { found, beganAt, whole }) =>
      void (await tx.execute(queries.endUnseen, [clock.now(), beganAt, [...found], [...whole]])),
  }
  for (;;) {
    if (!(await ctx.invariants.continuePass(ctx.db, keeper))) return false
    if (isStopped() || monotonic.nowMs() - sinceMs >= PASS_MS) return true
  }
}

/** Checks everything, now. */
export function checkAllInvariants(ctx: WatchContext): Promise<Findings> {
  return checkSince(ctx, null)
}

/**
 * The present state: by invariant, how many findings are not accepted and how many are; the time since which nothing was
 * missed, and since when a pass over everything says how it is.
 */
export async function invariantStatus(ctx: WatchContext) {
  const check = await ctx.db.maybeOne(queries.findCheck, [])
  const lookedAt = await lastLook(ctx.db)
  const pass = await passStatus(ctx.db)
  const checkedAt = check?.checkedAt ?? null
  const rows = new Map((await ctx.db.run(queries.countStanding, [])).map((row) => [row.invariant, row]))
  return {
    checkedAt: checkedAt === null || lookedAt === null ? checkedAt : Math.min(checkedAt, lookedAt),
    tookSeconds: check === null ? null : Number(check.tookMs) / 1000,
    passedAt: pass?.checkedAt ?? null,
    longestPieceSeconds: pass === null ? null : Number(pass.longestMs) / 1000,
    byId: new Map(
      [...new Set([...ctx.invariants.ids, ...rows.keys()])].map((id) => {
        const { standing = 0, accepted = 0 } = rows.get(id) ?? {}
        return [id, { standing, accepted }] as const
      }),
    ),
  }
}

function shortened(problem: string): string {
  return problem.length > LONGEST_PROBLEM ? `${problem.slice(0, LONGEST_PROBLEM)}…` : problem
}
