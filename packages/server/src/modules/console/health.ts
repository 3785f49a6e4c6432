import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import type { readCalls } from '@fairball/contract/console/read'
import type { Queries, Tx } from '../../db/pool.ts'
import { Refused } from '../../kernel/errors.ts'
import type { FoundCheck } from './context.ts'
import { findConsoleSchema, keepFindings, listFindings, listProcesses, saveFinding } from './health-queries.ts'

// What a worker finds when it looks at everything. The console's process asks nobody outside: it shows what is stored.

/** Without these nobody can be sold a ticket that is drawn and paid: sales begin once none of them fails. */
const NEEDED_TO_SELL = [
  'database',
  'migrations',
  'grants',
  'wal-archive',
  'backup-head',
  'clock',
  'node',
  'wallets',
  'wallet-ledger',
  'bankroll',
  'games',
  'beacon',
  'rates',
  'mail',
  'texts',
  'staff',
]

/** Findings that are older say nothing of now: a look takes a minute, and some minutes where nobody answers. */
const FINDINGS_SECONDS = 600

/**
 * Replaces findings.
 *
 * @param how.now epoch seconds
 * @param how.isWhole they are of every check: others are removed
 * @returns the checks that fail from now on
 */
export async function storeFindings(
  tx: Tx,
  findings: readonly FoundCheck[],
  { now, isWhole }: { readonly now: number; readonly isWhole: boolean },
): Promise<{ id: string; since: number }[]> {
  if (isWhole) await tx.execute(keepFindings, [findings.map(({ id }) => id)])
  const failing: { id: string; since: number }[] = []
  for (const { id, position, state, text, runbook } of findings) {
    const { since } = await tx.one(saveFinding, { id, position, state, text, runbook, now })
    if (state === 'fail' && since === now) failing.push({ id, since })
  }
  return failing
}

type Health = ConsoleAnswerOf<typeof readCalls.getHealth>

/**
 * The findings, and the processes that run.
 *
 * @param schema the number of the newest migration that this console knows
 */
export async function healthOf(from: Queries, schema: number): Promise<Health> {
  const [checks, processes, { version }] = await Promise.all([
    from.run(listFindings, []),
    from.run(listProcesses, []),
    from.one(findConsoleSchema, []),
  ])
  const newest = processes.filter(({ isWorker }) => isWorker).at(-1)
  return {
    checks: [
      ...olderThan(version ?? 0, schema),
      ...checks.map(({ id, state, text, runbook, since }) => ({ id, state, text, runbook, since })),
    ],
    processes: processes.map(({ id, role, version, settings, startedAt, seenAt }) => ({
      id,
      role,
      version,
      settings,
      differs: newest !== undefined && settings !== newest.settings,
      started_at: startedAt,
      seen_at: seenAt,
    })),
  }
}

/** Workers check their own schema; a console that was left behind can only say so of itself. */
function olderThan(database: number, known: number): Health['checks'] {
  if (database <= known) return []
  const text =
    `The database has schema ${database} of a newer version; this console knows ${known}. ` +
    'Update it: until then a screen may fail or leave things out.'
  return [{ id: 'console-schema', state: 'fail', text, runbook: '8-several-processes', since: null }]
}

/** @throws Refused while something fails that selling rests on, or nobody has looked */
export async function requireReadyToSell(from: Queries, now: number): Promise<void> {
  const findings = await from.run(listFindings, [])
  if (findings.length === 0 || findings.some(({ checkedAt }) => checkedAt < now - FINDINGS_SECONDS))
    throw new Refused('Nobody has looked at the checks lately. A worker does each minute: is one running?')
  const failing = findings.filter(({ id, state }) => state === 'fail' && NEEDED_TO_SELL.includes(id))
  if (failing.length > 0)
    throw new Refused(`Put right first: ${failing.map(({ id, text }) => `${id}: ${text}`).join(' ')}`)
}
