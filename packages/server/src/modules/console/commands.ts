import { Refused } from '../../kernel/errors.ts'
import type { Installation, OperatorCommand } from '../operator/service.ts'
import { operatorOf } from '../operator/service.ts'
import { verifyAudit } from './audit.ts'
import { type Relying, relyingAt } from './context.ts'
import { allowAlone, inviteFirst, type PeopleContext, resetKeys } from './people.ts'

/** What these commands read of the configuration. */
interface ConsoleSettings {
  /** null where there is no console */
  readonly consoleUrl: string | null
}

/** What the server's own commands do about people: the first one, lost passkeys, and one person alone. */
export const consoleCommands = {
  'staff-invite': {
    signatures: 1,
    args: ['name', 'email', 'roles'],
    summary: 'prints the link over which the first person of the console registers two passkeys; roles with commas',
    run: (installation, [name = '', email = '', roles = '']) =>
      inviteFirst(contextOf(installation), name, email, roles.split(',')),
  },
  'staff-reset': {
    signatures: 1,
    args: ['staff'],
    summary: 'takes back the passkeys of a person who lost them, and prints a new link',
    async run(installation, [staff = '']) {
      if (!/^[1-9]\d{0,17}$/.test(staff)) throw new Refused(`'${staff}' is no number of a person.`)
      return await resetKeys(contextOf(installation), BigInt(staff))
    },
  },
  'staff-alone': {
    signatures: 1,
    args: [],
    summary: 'lets the only enrolled person give both signatures again, each time with two passkeys',
    run: (installation) => allowAlone(contextOf(installation)),
  },
  'audit-verify': {
    args: [],
    summary: 'recomputes the chain of the audit log, and verifies the signatures under it',
    async run({ db, config: { consoleUrl } }) {
      const {
        ok,
        rows,
        first_bad: firstBad,
        head,
      } = await verifyAudit({ db, relying: consoleUrl === null ? null : relyingAt(consoleUrl) })
      if (!ok) throw new Refused(`Row ${firstBad ?? ''} of the audit log is not what was written.`)
      return `${rows} rows, each as it was written. The head is ${head}.`
    },
  },
} as const satisfies Record<string, OperatorCommand<ConsoleSettings>>

function contextOf(installation: Installation<ConsoleSettings>): PeopleContext {
  return { ...operatorOf(installation), runtime: installation.runtime, relying: relyingOf(installation) }
}

function relyingOf({ config }: Installation<ConsoleSettings>): Relying {
  if (config.consoleUrl === null) throw new Refused('CONSOLE_URL is not set: there is no console to invite to.')
  return relyingAt(config.consoleUrl)
}
