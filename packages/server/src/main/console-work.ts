import type { Config } from '../config/config.ts'
import type { JobHandler } from '../jobs/job.ts'
import type { Accounts } from './accounts.ts'
import type { Lottery } from './lottery.ts'
import { beginOperations, operationsJobs } from '../modules/console/operations.ts'
import { keepTestWallet } from '../modules/treasury/service.ts'
import { checkAllInvariants } from '../modules/monitoring/service.ts'
import type { Mailer } from '../ports/mail/mailer.ts'
import type { ApplicationDeps } from './app.ts'
import { mailWayOf } from './checks/check.ts'
import { examine } from './checks/checks.ts'

/** What a worker does for the console: its jobs, and what begins them. */
interface ConsoleWork {
  readonly jobs: readonly JobHandler[]
  /** @returns what ends the listening for requests */
  begin(): Promise<() => Promise<void>>
}

const NOTHING: ConsoleWork = { jobs: [], begin: async () => async () => undefined }

/** What a worker does for the people who run the lottery. Passkeys are loaded only where there is a console. */
export async function consoleWork(
  config: Config,
  {
    db,
    runtime,
    lottery,
    accounts,
    mailer,
  }: Pick<ApplicationDeps, 'db' | 'runtime'> & {
    readonly lottery: Lottery
    readonly accounts: Accounts
    readonly mailer: Mailer
  },
): Promise<ConsoleWork> {
  const { consoleUrl, role } = config
  if (role === 'web') return NOTHING
  const operations = { db, runtime, jobs: lottery.queue }
  const published = operationsJobs(operations)
  const end = async (): Promise<void> => undefined
  if (consoleUrl === null) return { jobs: published, begin: async () => beginOperations(operations).then(() => end) }
  const { beginCarryingOut, consoleJobs } = await import('../modules/console/jobs.ts')
  const { relyingAt } = await import('../modules/console/context.ts')
  const { provider } = lottery.bitcoin
  const ctx = {
    db,
    runtime,
    jobs: lottery.queue,
    relying: relyingAt(consoleUrl),
    mail: lottery.messages,
    mailWay: mailWayOf(config.smtpUrl),
    facts: lottery.facts,
    accounts: accounts.privacy,
    log: lottery.fairness,
    settings: config,
    webhooks: lottery.webhooks,
    checkInvariants: () => checkAllInvariants(lottery.monitoring),
    examine: async (only: string | null) => {
      if (only === null) await keepTestWallet(lottery.treasury)
      const checkMail = mailer.check?.bind(mailer) ?? null
      const patient = {
        db,
        runtime,
        config,
        publicUrl: config.publicUrl,
        lottery,
        checkMail,
        isServing: role === 'both',
      }
      return await examine(patient, only)
    },
    operatorAddress: provider.operatorAddress?.bind(provider) ?? null,
  }
  return {
    jobs: [...published, ...consoleJobs(ctx)],
    begin: async () => beginOperations(operations).then(() => beginCarryingOut(ctx)),
  }
}
