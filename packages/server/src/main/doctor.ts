import type { ConfigAsRead } from '../config/config.ts'
import { Refused } from '../kernel/errors.ts'
import type { OperatorCommand } from '../modules/operator/command.ts'
import { LiveSettings } from '../modules/settings/service.ts'
import { examine, type NamedFinding } from './checks/checks.ts'
import { lotterySettings, lotterySite } from './lottery-settings.ts'
import { createLottery } from './lottery.ts'

/** The operator's check before the first sale, and when something is wrong: the list that the console shows. */
export const doctorCommands = {
  doctor: {
    args: [],
    summary: 'looks at everything that selling, drawing and paying rest on, and says what to do',
    async run({ db, runtime, config }) {
      const { secretKey } = config
      if (secretKey === null) throw new Refused('SECRET_KEY is not set.')
      const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`
      const live = new LiveSettings({ db, runtime, defaults: config })
      await live.read()
      const settings = lotterySettings({ ...config, publicUrl }, runtime, live)
      const lottery = await createLottery({
        ...settings,
        site: () => lotterySite(live.site()),
        money: () => live.money(),
        db,
        runtime,
        secretKey,
        headFile: null,
        checkMayPlay: async () => undefined,
      })
      const findings = await examine({
        db,
        runtime,
        config,
        publicUrl,
        lottery,
        checkMail: settings.mailer.check?.bind(settings.mailer) ?? null,
        isServing: false,
      })
      settings.mailer.close()
      const text = findings.map(lineOf).join('\n')
      if (findings.some(({ state }) => state === 'fail')) throw new Refused(text)
      return text
    },
  },
} as const satisfies Record<string, OperatorCommand<ConfigAsRead>>

/** `FAIL     bankroll        …`, with where to read more. */
function lineOf({ id, state, text, runbook }: NamedFinding): string {
  const word = state === 'fail' ? 'FAIL' : state
  const more = runbook === null ? '' : ` See docs/operations.md#${runbook}.`
  return `${word.padEnd(9)}${id.padEnd(16)}${text}${more}`
}
