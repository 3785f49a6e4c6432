import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { ConfigAsRead } from '../config/config.ts'
import type { Db, Tx } from '../db/pool.ts'
import { sql, t } from '../db/sql.ts'
import { Refused } from '../kernel/errors.ts'
import { changeInstallationKey } from '../modules/fairness/installation.ts'
import { renewTwofaSeals } from '../modules/identity/service.ts'
import { renewWebhookSeals } from '../modules/integrations/service.ts'
import { renewMailSeals } from '../modules/messages/service.ts'
import type { OperatorCommand } from '../modules/operator/command.ts'
import { AddressSeals } from '../modules/payouts/service.ts'
import type { KeyUse } from '../runtime/keys.ts'
import type { RandomSource } from '../runtime/runtime.ts'
import { createSeal, type InstallationSeal, type Renew, sealUnder } from '../runtime/seal.ts'

/** Processes of the program on this database: they would continue to encrypt with their key. */
const countProcesses = sql({
  name: 'operator.count-processes',
  text: `select count(*)::int as others from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and coalesce(application_name, '') ~ '^(fairball( [0-9][^ ]* (web|worker|both))?)?$'
      and usesysid is not null and coalesce(backend_type, 'client backend') = 'client backend'`,
  row: { others: t.int },
})

/** Everything that depends on SECRET_KEY, encrypted with another one: all of it or nothing. */
export async function changeSecretKey(deps: {
  readonly db: Db
  readonly seal: InstallationSeal
  readonly next: InstallationSeal
  readonly random: RandomSource
}): Promise<void> {
  const { db, seal, next, random } = deps
  const renewed = (use: KeyUse): Renew => {
    const before = sealUnder(seal.keyFor(use), random)
    const after = sealUnder(next.keyFor(use), random)
    return (secret, purpose) => after.close(before.open(secret, purpose), purpose)
  }
  const addresses = new AddressSeals(seal)
  await db.transaction(
    async (tx: Tx) => {
      await changeInstallationKey(tx, seal, next)
      await renewTwofaSeals(tx, renewed('twoFactorSecrets'))
      await renewMailSeals(tx, renewed('mails'))
      await renewWebhookSeals(tx, renewed('webhookSecrets'))
      await addresses.sealAgain(tx, new AddressSeals(next))
    },
    { statementTimeoutMs: 600_000 },
  )
}

/** The operator's manual commands for the installation's key. */
export const secretKeyCommands = {
  'change-secret-key': {
    args: ['file'],
    summary: 'seals everything with the key in a file, made where there is none; every process has to be stopped',
    async run({ db, runtime, seal, config }, [file = '']) {
      const { others } = await db.one(countProcesses, [])
      if (others > 0)
        throw new Refused(`The program still runs on this database (${others} connections). Stop every process first.`)
      const key = keyIn(file, () => runtime.random.bytes(32))
      if (config.secretKey !== null && Buffer.compare(key, config.secretKey) === 0)
        throw new Refused(`The key in ${file} is the one in use.`)
      await changeSecretKey({ db, seal, next: createSeal(key, runtime.random), random: runtime.random })
      return `Everything is sealed with the key in ${file}. Set SECRET_KEY or SECRET_KEY_FILE to it before you start, and keep it.`
    },
  },
} as const satisfies Record<string, OperatorCommand<ConfigAsRead>>

/** The key is on the disk before anything is encrypted with it. @throws Refused */
function keyIn(file: string, random: () => Uint8Array): Uint8Array {
  try {
    if (!existsSync(file))
      writeFileSync(file, `${Buffer.from(random()).toString('hex')}\n`, { mode: 0o600, flush: true, flag: 'wx' })
    const text = readFileSync(file, 'utf8').trim()
    if (/^(?:[0-9a-f]{2}){32,}$/i.test(text)) return new Uint8Array(Buffer.from(text, 'hex'))
  } catch (error) {
    throw new Refused(`${file} cannot be used: ${(error as Error).message}.`, error)
  }
  throw new Refused(`${file} holds no key: 32 random bytes in hex, as openssl rand -hex 32 makes them.`)
}
