import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keyOf, PASSWORD, SECRET_KEY, type TestPlayer, useAccounts } from '../../../test/accounts.ts'
import { MIGRATIONS_FOLDER } from '../../db/migrate.ts'
import { deriveKey } from '../../runtime/keys.ts'
import { Secrets } from '../identity/secrets.ts'

const http = useAccounts()
const DAY = 86_400
const CENTURY = 36_525 * DAY

const put = (player: TestPlayer, path: string, body: object) => http.call('PUT', path, { token: player.access, body })
const register = (email: string) =>
  http.call('POST', '/auth/register', { body: { email, email_confirm: email, password: PASSWORD } })

/** A player with an address chosen by the test. */
async function playerAt(email: string): Promise<TestPlayer> {
  const { access_token: access, refresh_token: refresh } = (await register(email)).body
  return { email, password: PASSWORD, access, refresh }
}

async function verify(email: string): Promise<void> {
  const links = (await http.mailsTo(email)).flatMap((mail) => mail.links)
  const key = keyOf(links.find((link) => link.includes('/verify-email/')))
  expect((await http.call('PUT', '/auth/verify-email', { body: { key } })).status).toBe(200)
}

async function exclude(player: TestPlayer, seconds: number): Promise<number> {
  const until = http.runtime.clock.now() + seconds
  expect((await put(player, '/settings/responsible-play', { excluded_until: until })).status).toBe(200)
  return until
}

async function move(player: TestPlayer, email: string): Promise<void> {
  const { body } = await http.call('GET', '/settings/personal-details', { token: player.access })
  expect((await put(player, '/settings/personal-details', { ...body, email, password: PASSWORD })).status).toBe(200)
}

const close = (player: TestPlayer) =>
  http.call('DELETE', '/settings/account', { token: player.access, body: { password: PASSWORD } })

describe('a never-verified address', () => {
  it('an address is free for its owner once a stranger has excluded himself for a century and closed the account', async () => {
    const attacker = await playerAt('stranger@example.net')
    await exclude(attacker, CENTURY)
    expect((await close(attacker)).status).toBe(200)
    expect((await register('stranger@example.net')).status).toBe(201)
  })

  it('an address is free again after an excluded account used it for a while', async () => {
    const attacker = await playerAt('walker@example.net')
    await exclude(attacker, CENTURY)
    const walked = [1, 2, 3, 4, 5].map((turn) => `walked.${turn}@example.net`)
    for (const email of walked) await move(attacker, email)
    await move(attacker, 'elsewhere@example.net')
    for (const email of walked) expect((await register(email)).status).toBe(201)
  })

  it('an address is not bound by another account that verifies it', async () => {
    const attacker = await playerAt('contested@example.net')
    await exclude(attacker, CENTURY)
    await move(attacker, 'away@example.net')
    const owner = await playerAt('contested@example.net')
    await verify(owner.email)
    await close(owner)
    expect((await register(owner.email)).status).toBe(201)
  })
})

describe('a verified player who excluded himself', () => {
  it('an excluded player stays so under the old address, under one verified later, and after closing, until it ends', async () => {
    const player = await http.register()
    await verify(player.email)
    await exclude(player, 181 * DAY)
    const moved = `moved.${player.email}`
    await move(player, moved)
    expect(await register(player.email.toUpperCase())).toMatchObject({ status: 403, code: 'SELF_EXCLUDED' })
    // For an address in use, no one learns that its owner is excluded.
    expect(await register(moved)).toMatchObject({ status: 409, code: 'EMAIL_OCCUPIED' })
    await verify(moved)
    await close(player)
    for (const email of [player.email, moved]) expect((await register(email)).code).toBe('SELF_EXCLUDED')
    await http.runtime.clock.advance(181 * DAY)
    for (const email of [player.email, moved]) expect((await register(email)).status).toBe(201)
  })

  it('an excluded player is recognised by an address left a moment before, and longer if the exclusion is extended', async () => {
    const player = await http.register()
    await verify(player.email)
    await move(player, `before.${player.email}`)
    const until = await exclude(player, 181 * DAY)
    await put(player, '/settings/responsible-play', { excluded_until: until + 10 * DAY })
    await http.runtime.clock.advance(185 * DAY)
    expect((await register(player.email)).code).toBe('SELF_EXCLUDED')
  })
})

describe('exclusions from before addresses had to be verified', () => {
  it('such exclusions are pending if the address was never verified, and apply otherwise', async () => {
    const client = await http.database.connect()
    const secrets = new Secrets({ keyFor: (use) => deriveKey(SECRET_KEY, use), random: http.runtime.random })
    const bind = (email: string, until: number) =>
      client.query(
        `insert into excluded_emails (until, hash) values (${until}, '\\x${Buffer.from(secrets.emailDigest(email)).toString('hex')}')
          on conflict (hash) do update set until = excluded.until`,
      )
    const [stranger, proven] = [await playerAt('pending@example.net'), await http.register()]
    await verify(proven.email)
    const moved = `moved.${proven.email}`
    await move(stranger, 'pending.too@example.net')
    await move(proven, moved)
    await http.mailsTo(moved) // the mails are sent, and stay in the outbox
    for (const player of [stranger, proven]) {
      const until = await exclude(player, CENTURY)
      const emails = player === proven ? [proven.email, moved] : ['pending@example.net', 'pending.too@example.net']
      for (const email of emails) await bind(email, until)
    }
    await bind('closed.long.ago@example.net', http.runtime.clock.now() + CENTURY)

    await client.query(readFileSync(join(MIGRATIONS_FOLDER, '0045_pending_exclusions.sql'), 'utf8'))
    await http.mailsTo(moved) // runs what is due
    for (const player of [stranger, proven]) await move(player, `gone.${player.email}`)
    for (const email of ['pending@example.net', 'pending.too@example.net', moved])
      expect((await register(email)).status).toBe(201)
    for (const email of [proven.email, 'closed.long.ago@example.net'])
      expect((await register(email)).code).toBe('SELF_EXCLUDED')
  })
})
