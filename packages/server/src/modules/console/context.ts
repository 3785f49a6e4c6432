import type { Db } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Facts } from '../../kernel/facts.ts'
import type { LogContext } from '../fairness/service.ts'
import type { ApiKeys, WebhooksContext } from '../integrations/service.ts'
import type { MailQueue } from '../messages/service.ts'
import type { PrivacyContext } from '../privacy/service.ts'
import type { DeskSettings, SiteDefaults } from '../settings/service.ts'

/** What passkeys are made for and checked against. */
export interface Relying {
  /** the console's origin, such as `https://console.lottery.example` */
  readonly origin: string
  /** its host, without a port */
  readonly id: string
}

/** What the console's process works with. It holds no secret. */
export interface ConsoleContext {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'random' | 'monotonic' | 'log'>
  readonly relying: Relying
  /** the public site's origin */
  readonly publicUrl: string
  /** the site's name, now */
  readonly siteName: () => Promise<string>
  /** who reads with an API key in place of a person */
  readonly keys: Pick<ApiKeys, 'of'>
  /** the number of the newest migration that this program knows */
  readonly schema: number
  /** how the sign-ins of an address are counted */
  readonly failures: Failures
}

/** Counts failed sign-ins of an address. */
export interface Failures {
  /** @throws LotteryError TOO_MANY_REQUESTS after ten within 15 minutes */
  check(address: string): void
  count(address: string): void
  /** Counts a sign-in that begins. @throws LotteryError TOO_MANY_REQUESTS after 300 within 15 minutes */
  begin(address: string): void
}

/** The finding of a check. */
export interface FoundCheck {
  readonly id: string
  /** its place among all checks */
  readonly position: number
  readonly state: 'ok' | 'warn' | 'fail' | 'unknown'
  readonly text: string
  /** the heading of docs/operations.md that says more, as its anchor */
  readonly runbook: string | null
}

/** What a worker carries requests out with. */
export interface CarryOutContext {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'random' | 'log'>
  readonly jobs: Jobs
  readonly relying: Relying
  readonly mail: MailQueue
  /** tells the mail server that is used from others: a test mail says nothing of the next one */
  readonly mailWay: string
  /** accounts, for what is done about a player */
  readonly accounts: PrivacyContext
  /** what other modules are told */
  readonly facts: Pick<Facts, 'record'>
  /** the fairness log, which announcements are appended to */
  readonly log: LogContext
  /** what this process was started with, where no setting replaces it */
  readonly settings: DeskSettings & SiteDefaults
  /** what makes webhooks */
  readonly webhooks: Pick<WebhooksContext, 'seal' | 'isDemo'>
  /** Checks every invariant on everything, and keeps what it finds. */
  readonly checkInvariants: () => Promise<unknown>
  /** Looks at everything that selling, drawing and paying rest on, or at one check of it by its id. */
  readonly examine: (only: string | null) => Promise<readonly FoundCheck[]>
  /** An address of the deposits for the operator's own coins; null where the provider keeps the account. */
  readonly operatorAddress: (() => Promise<string>) | null
}

/** The relying party at the console's address. */
export function relyingAt(url: string): Relying {
  const { origin, hostname } = new URL(url)
  return { origin, id: hostname }
}
