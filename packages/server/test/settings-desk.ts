import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createDatabase, type Db } from '../src/db/pool.ts'
import { NO_CONTENT } from '../src/modules/content/operator-content.ts'
import { settingCommands } from '../src/modules/operator/setting-commands.ts'
import { type DeskSettings, LiveSettings } from '../src/modules/settings/service.ts'
import type { Runtime } from '../src/runtime/runtime.ts'
import { createSeal } from '../src/runtime/seal.ts'
import type { TestDatabase } from './database.ts'
import { TEST_SECRET_KEY } from './application.ts'
import { TEST_BITCOIN } from './lottery.ts'

/** What holds in tests where no setting says otherwise. */
const SETTING_DEFAULTS: DeskSettings & { publicUrl: string; port: number } = {
  ...TEST_BITCOIN,
  publicUrl: 'https://lottery.test',
  port: 0,
  mailFrom: null,
  supportEmail: 'help@lottery.test',
  content: NO_CONTENT,
  contentFile: null,
  mode: 'demo',
}

/** The commands on a database, as an operator types them. */
export function deskOn({ db }: { readonly db: Db }, runtime: Runtime, changed: Partial<DeskSettings> = {}) {
  const installation = {
    db,
    runtime,
    seal: createSeal(TEST_SECRET_KEY, runtime.random),
    config: { ...SETTING_DEFAULTS, ...changed },
  }
  const plan = async (settings: unknown, others: Record<string, unknown> = {}): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'fairball-settings-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'settings.json')
    const text = JSON.stringify({ format: 'fairball-settings/1', ...others, settings })
    await writeFile(file, typeof settings === 'string' ? settings : text)
    return await settingCommands['settings-plan'].run(installation, [file])
  }
  const applyPlan = (id: string, reason = 'a test') =>
    settingCommands['settings-apply'].run(installation, [id], { reason })
  return {
    plan,
    applyPlan,
    confirmMail: (code: string) => settingCommands['settings-confirm-mail'].run(installation, [code]),
    exported: async () =>
      JSON.parse(await settingCommands['settings-export'].run(installation)) as { settings: object },
    apply: async (settings: unknown, others: Record<string, unknown> = {}) =>
      await applyPlan(planIdOf(await plan(settings, others))),
  }
}

/** The id in the answer of `settings-plan`. */
export function planIdOf(planned: string): string {
  return /^Plan ([0-9a-f-]{36})/.exec(planned)?.[1] ?? ''
}

/** The settings of a process with connections of its own. @param isDeaf no notification reaches it */
export async function settingsOn(
  { url }: Pick<TestDatabase, 'url'>,
  runtime: Runtime,
  changed: Partial<DeskSettings> = {},
  isDeaf = false,
): Promise<LiveSettings> {
  const db = createDatabase({ address: url, runtime, poolSize: 2 })
  const live = new LiveSettings({ db, runtime, defaults: { ...SETTING_DEFAULTS, ...changed } })
  onTestFinished(async () => {
    await live.stop()
    await db.close(1000)
  })
  await (isDeaf ? live.read() : live.start())
  return live
}
