import { createHash } from 'node:crypto'
import type { ConfigAsRead } from '../../config/config.ts'
import type { Db } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Lottery } from '../lottery.ts'

/** How a check ends. */
type CheckState = 'ok' | 'warn' | 'fail' | 'unknown'

/** The finding of a check. */
export interface Finding {
  readonly state: CheckState
  /** the state in words, or the problem with its remedy, each a sentence */
  readonly text: string
  /** the heading of docs/operations.md that says more, as its anchor; null where nothing has to be said */
  readonly runbook: string | null
}

/** What a check may use. */
export interface Patient {
  readonly db: Db
  readonly runtime: Runtime
  readonly config: Pick<
    ConfigAsRead,
    | 'mode'
    | 'beacon'
    | 'databaseUrl'
    | 'policy'
    | 'dataDir'
    | 'metricsToken'
    | 'publicUrl'
    | 'secretKey'
    | 'consoleUrl'
    | 'smtpUrl'
  >
  /** the address players see */
  readonly publicUrl: string
  readonly lottery: Lottery
  /** lets itself in at the mail server; null where mails stay in the outbox */
  readonly checkMail: (() => Promise<void>) | null
  /** whether this process also serves players, so that it can be asked at PUBLIC_URL */
  readonly isServing: boolean
}

/** One check by its name. */
export type Check = (patient: Patient) => Promise<Finding>

/** The headings of docs/operations.md that checks refer to. */
export const RUNBOOK = {
  node: '2-the-node',
  start: '3-the-first-start',
  money: '4-moving-your-own-money',
  backup: '6-backup-and-restore',
  monitoring: '7-monitoring-and-remedies',
  processes: '8-several-processes',
  games: '10-games',
  console: '11-the-operators-console',
} as const

/** Nothing is wrong. */
export function ok(text: string): Finding {
  return { state: 'ok', text, runbook: null }
}

/** Something that does not keep anybody from selling. */
export function warn(text: string, runbook: string): Finding {
  return { state: 'warn', text, runbook }
}

/** Something that has to be put right. */
export function fail(text: string, runbook: string): Finding {
  return { state: 'fail', text, runbook }
}

/** Something that cannot be seen from here. */
export function unknown(text: string): Finding {
  return { state: 'unknown', text, runbook: null }
}

/** What tells one mail server from others, without its password. @param smtpUrl null for the outbox */
export function mailWayOf(smtpUrl: string | null): string {
  return createHash('sha256')
    .update(smtpUrl ?? '')
    .digest('hex')
    .slice(0, 16)
}

/** An error's message as the beginning of a sentence. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}
