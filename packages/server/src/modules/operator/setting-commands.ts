import { readFileSync } from 'node:fs'
import { Refused } from '../../kernel/errors.ts'
import { sealUnder } from '../../runtime/seal.ts'
import type { MailQueue } from '../messages/service.ts'
import {
  applySettings,
  confirmMailSender,
  type DeskSettings,
  exportSettings,
  LiveSettings,
  planSettings,
} from '../settings/service.ts'
import { act } from './action.ts'
import { type Installation, type OperatorCommand, operatorOf } from './command.ts'

/** What the commands read of the configuration. */
interface CommandSettings extends DeskSettings {
  /** null if it follows from the port */
  readonly publicUrl: string | null
  readonly port: number
}

/** The operator's commands for names, texts and partners. */
export const settingCommands = {
  'settings-export': {
    args: [],
    summary: 'prints the settings that apply without a restart, as a file for settings-plan',
    run: ({ db, config }) => exportSettings({ db }, config),
  },
  'settings-plan': {
    args: ['file'],
    summary: 'checks a file of settings, says what it changes, and keeps that as a plan for 24 hours',
    run: async (installation, [file = '']) =>
      (await planSettings(installation, installation.config, textOf(file))).said,
  },
  'settings-apply': {
    signatures: 2,
    args: ['plan'],
    summary: 'applies a plan of settings: every process uses them at once',
    async run(installation, [id = ''], { reason = '' } = {}) {
      const ctx = operatorOf(installation)
      const { runtime, config } = installation
      const desk = { ...ctx, runtime, mail: await mailOf(installation) }
      return await act(ctx, 'settings-apply', id, (tx) => applySettings(desk, tx, config, { id, reason }))
    },
  },
  'settings-confirm-mail': {
    signatures: 1,
    args: ['code'],
    summary: 'makes an address the sender of mails, by the code in the mail that settings-apply sent it',
    async run(installation, [code = '']) {
      const ctx = operatorOf(installation)
      return await confirmMailSender(ctx, code, (work) => act(ctx, 'settings-confirm-mail', 'mail.from', work))
    },
  },
} as const satisfies Record<string, OperatorCommand<CommandSettings>>

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new Refused(`${file} cannot be read (${code}).`, error)
  }
}

/** What the running program's mails are queued through. @throws DatabaseUnavailable */
async function mailOf(installation: Installation<CommandSettings>): Promise<MailQueue> {
  const { db, runtime, seal, config } = installation
  const live = new LiveSettings({ db, runtime, defaults: config })
  await live.read()
  const { name, supportEmail } = live.site()
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`
  return {
    runtime,
    jobs: operatorOf(installation).jobs,
    site: () => ({ name, publicUrl, supportEmail }),
    seal: sealUnder(seal.keyFor('mails'), runtime.random),
  }
}
