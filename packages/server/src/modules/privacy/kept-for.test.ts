import {
  FORMER_EMAIL_SECONDS,
  KEY_SECONDS,
  KNOWN_ADDRESS_SECONDS,
  KNOWN_DEVICE_SECONDS,
  MAIL_KEPT_SECONDS,
  OTHERS_MAIL_KEPT_SECONDS,
  SESSION_SECONDS,
  TRIES_DAY_SECONDS,
} from '@fairball/domain/periods'
import { expect, it } from 'vitest'
import { ADDRESSES, keyOf, PASSWORD, useAccounts } from '../../../test/accounts.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { cleanUp } from './clean-up.ts'

const http = useAccounts()
const NEW = 'Another-Horse-8-Staple'

/** The number of rows of each kind that expire, by the name in the privacy page's periods. */
async function kept(): Promise<Record<string, number>> {
  const client = await http.database.connect()
  const { rows } = await client.query<Record<string, string>>(
    `select (select count(*) from sessions) as sessions,
      (select count(*) from former_emails) as former_emails,
      (select count(*) from known_addresses) as known_addresses,
      (select count(*) from known_devices) as known_devices,
      (select count(*) from mail_outbox where player_id is not null) as mails,
      (select count(*) from mail_outbox where player_id is null) as other_mails,
      (select count(*) from player_keys) as keys,
      (select count(*) from login_failures) as failed_logins,
      (select count(*) from rate_counters) as counters`,
  )
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, count]) => [name, Number(count)]))
}

it('expiring data is kept for its period and removed by the clean-up after it', async () => {
  const player = await http.register()
  const verification = await http.mailTo(player.email)
  await http.call('PUT', '/auth/verify-email', { body: { key: keyOf(verification.links[0]) } })
  const moved = `moved.${player.email}`
  const details = await http.call('GET', '/settings/personal-details', { token: player.access })
  const change = { ...details.body, email: moved, password: PASSWORD }
  expect((await http.call('PUT', '/settings/personal-details', { token: player.access, body: change })).status).toBe(
    200,
  )
  for (const btc_address of ADDRESSES)
    // the change brings the key with the longest lifetime
    await http.call('PUT', '/settings/crypto-account-details', {
      token: player.access,
      body: { btc_address, password: PASSWORD },
    })
  const password = { current_password: PASSWORD, new_password: NEW, confirm_password: NEW }
  expect((await http.call('PUT', '/settings/password', { token: player.access, body: password })).status).toBe(200)
  await http.call('POST', '/auth/login', { body: { email_or_username: moved, password: 'wrong' } })
  const message = { name: 'A. Person', email: 'person@example.org', country_id: 1, message: 'Hello' }
  await http.call('POST', '/contact', { body: message })
  await http.mailsTo(moved)

  const triesSeconds = Math.max(...Object.values(LIMITS).map(({ seconds }) => seconds))
  expect(triesSeconds).toBe(TRIES_DAY_SECONDS)
  /** The kinds that end after a period; mail is kept to the end of its second. */
  const ends = new Map([
    [TRIES_DAY_SECONDS, ['failed_logins', 'counters']],
    [FORMER_EMAIL_SECONDS, ['former_emails']],
    [SESSION_SECONDS, ['sessions']],
    [OTHERS_MAIL_KEPT_SECONDS + 1, ['other_mails']],
    [KNOWN_ADDRESS_SECONDS, ['known_addresses']],
    [KNOWN_DEVICE_SECONDS, ['known_devices']],
    [MAIL_KEPT_SECONDS + 1, ['mails']],
  ])
  const lastKey = Math.max(...Object.values(KEY_SECONDS))
  ends.set(lastKey, [...(ends.get(lastKey) ?? []), 'keys'])
  const begunAt = http.runtime.clock.now()
  for (const [seconds, kinds] of [...ends].toSorted(([one], [other]) => one - other)) {
    for (const [left, isThere] of [
      [1, true],
      [0, false],
    ] as const) {
      http.runtime.clock.set(begunAt + seconds - left)
      await http.transaction((tx) => cleanUp(http.accounts, tx))
      const rows = await kept()
      for (const kind of kinds) expect((rows[kind] ?? 0) > 0, `${kind}, ${left} s before the end`).toBe(isThere)
    }
  }
})
