import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import { kindOf, needsOf } from '@fairball/contract/console/kinds'
import type { readCalls } from '@fairball/contract/console/read'
import type { Queries } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { SETTING_KEYS, type SettingKey } from '../settings/service.ts'
import { findSetting } from './kinds/payout-queries.ts'
import { listSettingVersions, listStartedSettings } from './read-settings-queries.ts'

type SettingsAnswer = ConsoleAnswerOf<typeof readCalls.listSettings>

const TITLES: Readonly<Record<SettingKey, string>> = {
  'site.name': 'Name',
  'site.colors': 'Colours',
  'site.logo': 'Logo',
  'site.icon': 'Icon',
  support_email: 'Address for help',
  'mail.from': 'Sender of mails',
  operator: 'Operator',
  social: 'Social networks',
  causes: 'Good causes',
  partners: 'Partner charities',
  feedback_form_url: 'Feedback form',
  'legal.terms': 'Terms',
  'legal.privacy': 'Privacy policy',
  'legal.cookies': 'Cookies',
  'payouts.approval_sats': 'Payouts above this wait for a person, in satoshis',
  'payouts.float_sats': 'The most that the payouts’ wallet should hold, in satoshis',
  'bitcoin.confirmations': 'Blocks until a payment counts',
  'payouts.two_person_sats': 'Payouts above this to one address need two people, in satoshis',
}

/** Every setting: what is in force and where it comes from, what is coming, and its newest versions. @param now epoch seconds */
export async function settingsPage(from: Queries, now: number): Promise<SettingsAnswer> {
  const [versions, started] = await Promise.all([
    from.run(listSettingVersions, [[...SETTING_KEYS]]),
    from.run(listStartedSettings, []),
  ])
  return {
    settings: SETTING_KEYS.map((key) => {
      const own = versions.filter((one) => one.key === key)
      const inForce = own.find(({ fromAt }) => fromAt <= now)
      const initial = started.find((one) => one.key === key)
      const isFixed = initial?.isFixed ?? false
      const coming = own.filter(({ fromAt, version }) => fromAt > now && version > (inForce?.version ?? 0)).at(-1)
      return {
        key,
        title: TITLES[key],
        needs_second: needsSecond(key),
        ...(inForce === undefined || isFixed ? startedAs(initial) : { value: inForce.value, variable: null }),
        is_fixed: isFixed,
        coming: coming === undefined ? null : { value: coming.value, from_at: coming.fromAt },
        history: own.map(({ at, actor, reason, value }) => ({ at, by: actor, reason, value })),
      }
    }),
  }
}

/** One setting that no file wins over, as it is in force. @param now epoch seconds */
export async function settingInForce(
  from: Queries,
  key: SettingKey,
  now: number,
): Promise<{ readonly value: unknown; readonly variable: string | null }> {
  const set = await from.maybeOne(findSetting, [key, now])
  if (set !== null) return { value: set.value, variable: null }
  return startedAs((await from.run(listStartedSettings, [])).find((one) => one.key === key))
}

/** Without a version of it, what the program was started with holds. */
function startedAs(started: RowOf<typeof listStartedSettings> | undefined) {
  return { value: started?.value ?? null, variable: started?.variable ?? null }
}

/** Whether a change of a setting needs an owner's second signature. */
function needsSecond(key: SettingKey): boolean {
  const kind = kindOf('settings.apply')
  return kind !== null && needsOf(kind, { args: { key }, facts: {} }).signatures === 2
}
