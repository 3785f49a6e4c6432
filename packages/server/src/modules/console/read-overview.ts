import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import type { readCalls } from '@fairball/contract/console/read'
import type { Queries } from '../../db/pool.ts'
import type { ConsoleContext } from './context.ts'
import { healthOf } from './health.ts'
import { listMonthsApart } from './health-queries.ts'
import { readFunds } from './read-bankroll.ts'
import * as queries from './read-money-queries.ts'
import { auditAbout, type GameNames, gameNames } from './read-parts.ts'
import { payoutsPage } from './read-payouts.ts'
import { isAlone, maySecond, needsOfRequest } from './rules.ts'
import type { SignedInStaff } from './sessions.ts'
import { findAlone, listPeople } from './staff-queries.ts'
import type { JsonObject } from './request-queries.ts'

type OverviewAnswer = ConsoleAnswerOf<typeof readCalls.getOverview>
type Alarm = OverviewAnswer['alarms'][number]

const DAY = 86_400
/** A command on the server stays an alarm for so long, in seconds. */
const COMMAND_SECONDS = 7 * DAY
/** Maximum number of characters shown of a violation. */
const MOST_SIGNS = 500

/** What an operator looks at first. */
export async function overviewPage(ctx: ConsoleContext, staff: SignedInStaff): Promise<OverviewAnswer> {
  const { db: from } = ctx
  const now = ctx.runtime.clock.now()
  const nameOf = await gameNames(from)
  const [waiting, today, paused, draws, funds, { checks }] = await Promise.all([
    countWaiting(from, staff, now),
    from.one(queries.sumSince, [now - (now % DAY)]),
    pausesOf(from, nameOf, now),
    from.run(queries.listNextDraws, []),
    readFunds(from, now),
    healthOf(from, ctx.schema),
  ])
  return {
    alarms: await alarmsOf(from, checks, now),
    waiting,
    today: {
      orders: today.orders,
      sales_sats: String(today.salesSats),
      refunds_sats: String(today.refundsSats),
      payouts_sats: String(today.payoutsSats),
    },
    paused,
    draws: draws.map(({ gameKey, number, status, closesAt, startAt, entries, stakeSats }) => ({
      game: gameKey,
      game_name: nameOf(gameKey),
      number,
      state: status,
      closes_at: closesAt,
      starts_at: startAt,
      entries,
      stake_sats: String(stakeSats),
    })),
    bankroll: funds.games.map(({ game, wantedSats, freeSats }) => ({
      game,
      game_name: nameOf(game),
      wanted_sats: String(wantedSats),
      free_sats: String(freeSats),
    })),
    checks,
  }
}

/** The pauses of sales that run, of all games first. */
export async function pausesOf(from: Queries, nameOf: GameNames, now: number): Promise<OverviewAnswer['paused']> {
  const rows = await from.run(queries.listPauses, [now])
  return rows.map(({ gameKey, publicNote, fromAt }) => ({
    game: gameKey ?? 'all',
    game_name: gameKey === null ? 'all games' : nameOf(gameKey),
    note: publicNote,
    since: fromAt,
  }))
}

/** What a person has to know: broken invariants, a stop of payouts, months apart, checks that fail, commands. */
async function alarmsOf(from: Queries, checks: OverviewAnswer['checks'], now: number): Promise<Alarm[]> {
  const [violations, { stopped, unaccepted }, months, commands, [held]] = await Promise.all([
    from.run(queries.listStanding, []),
    payoutsPage(from, { state: 'HALTED', page: 1, now }),
    from.run(listMonthsApart, []),
    from.run(queries.listCommandsSince, [now - COMMAND_SECONDS]),
    auditAbout(from, ['all'], '^payouts[.-]hold$'),
  ])
  const stoppedAt = unaccepted[0]?.found_at ?? violations[0]?.foundAt ?? held?.at ?? now
  const alarm = (
    id: string,
    severity: Alarm['severity'],
    text: string,
    since: number,
    runbook: string | null,
  ): Alarm => {
    return { id, severity, text, since, runbook, acknowledged_by: null }
  }
  // A check that only repeats an alarm says nothing new.
  const isSaidBy: Readonly<Record<string, boolean>> = { invariants: violations.length > 0, payouts: stopped !== null }
  const alarms = [
    ...violations.map(({ number, invariant, problem, foundAt }) =>
      alarm(
        `violation:${number}`,
        'page',
        `${invariant}: ${problem.slice(0, MOST_SIGNS)}`,
        foundAt,
        'an-invariant-is-broken',
      ),
    ),
    ...(stopped === null
      ? []
      : [alarm('payouts', 'page', `Payouts are stopped: ${stopped}.`, stoppedAt, 'payouts-are-stopped')]),
    ...months.map(({ month, at, words }) => alarm(`month:${month}`, 'page', words, at, 'a-month-does-not-add-up')),
    ...checks
      .filter(({ id, state }) => state === 'fail' && !isSaidBy[id])
      .map(({ id, text, since, runbook }) => alarm(`check:${id}`, 'page', text, since ?? now, runbook)),
    ...commands.map(({ id, at, kind, subject, reason }) =>
      alarm(`command:${id}`, 'ticket', `Run on the server: ${kind} ${subject}. ${reason}`, at, null),
    ),
  ]
  const acknowledged = await from.run(queries.listAcknowledged, [alarms.map(({ id }) => id)])
  return alarms.map((one) => {
    const by = acknowledged.find(({ subject, at }) => subject === one.id && at >= one.since)
    return by === undefined ? one : { ...one, acknowledged_by: { id: String(by.staffId), name: by.name } }
  })
}

/** How many requests wait for a signature of somebody. */
async function countWaiting(from: Queries, staff: SignedInStaff, now: number): Promise<number> {
  const [requests, people, decided] = await Promise.all([
    from.run(queries.listWaitingRequests, [now]),
    from.run(listPeople, []),
    from.maybeOne(findAlone, []),
  ])
  const signsBoth = isAlone(people, decided?.value ?? null)
  return requests.filter(({ kind, args, facts, proposedBy }) => {
    // Both were checked when the request was made.
    const needs = needsOfRequest({ kind, args: args as JsonObject, facts: facts as JsonObject })
    return needs.signatures === 2 && (signsBoth || (proposedBy !== staff.id && maySecond(needs, staff.roles)))
  }).length
}
