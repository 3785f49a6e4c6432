import { readFileSync } from 'node:fs'
import { Refused } from '../../kernel/errors.ts'
import { applySettings, type DeskSettings, exportSettings, planSettings } from '../settings/service.ts'
import { act } from './action.ts'
import { type OperatorCommand, operatorOf } from './command.ts'

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
    run: (installation, [file = '']) => planSettings(installation, installation.config, textOf(file)),
  },
  'settings-apply': {
    args: ['plan'],
    options: ['reason'],
    summary: 'applies a plan of settings: every process uses them at once',
    run(installation, [id = ''], { reason = '' } = {}) {
      const ctx = operatorOf(installation)
      return act(ctx, 'settings-apply', id, (tx) => applySettings(ctx, tx, installation.config, { id, reason }))
    },
  },
} as const satisfies Record<string, OperatorCommand<DeskSettings>>

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new Refused(`${file} cannot be read (${code}).`, error)
  }
}
