import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestPlayer, useAccounts } from '../../../test/accounts.ts'

const http = useAccounts()
const PATH = '/settings/winner-consent'
const DAY = 86_400

const setting = async (player: TestPlayer) => (await http.call('GET', PATH, { token: player.access })).body
const save = (player: TestPlayer, body: unknown) => http.call('PUT', PATH, { token: player.access, body })
const consentsOf = async (player: TestPlayer) => {
  const { body } = await http.call('GET', '/settings/personal-data', { token: player.access })
  return body.winner_consents
}

describe('the consent to show wins', () => {
  it('consent is not given until the player gives it, and is withdrawn immediately', async () => {
    const player = await http.register()
    expect(await setting(player)).toEqual({ is_shown: false })
    expect(await save(player, { is_shown: true })).toMatchObject({ status: 200, body: { is_shown: true } })
    expect(await setting(player)).toEqual({ is_shown: true })
    expect(await save(player, { is_shown: false })).toMatchObject({ status: 200, body: { is_shown: false } })
    expect(await setting(player)).toEqual({ is_shown: false })
  })

  it('consent is stored with its beginning and end, also in the player’s export', async () => {
    const player = await http.register()
    expect(await consentsOf(player)).toEqual([])
    const givenAt = http.runtime.clock.now()
    await save(player, { is_shown: true })
    await http.runtime.clock.advance(60)
    await save(player, { is_shown: true }) // again: nothing changes
    await http.runtime.clock.advance(60)
    await save(player, { is_shown: false })
    await save(player, { is_shown: false })
    await save(player, { is_shown: true })
    expect(await consentsOf(player)).toEqual([
      { given_at: givenAt, ended_at: givenAt + 120 },
      { given_at: givenAt + 120, ended_at: null },
    ])
  })

  it('concurrent requests give one consent', async () => {
    const player = await http.register()
    const answers = await Promise.all(Array.from({ length: 5 }, () => save(player, { is_shown: true })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await consentsOf(player)).toHaveLength(1)
  })

  it.each([[{}], [{ is_shown: 'yes' }], [{ is_shown: 1 }], [{ is_shown: null }], [{ is_shown: true, name: 'x' }]])(
    'consent is not given by %j',
    async (body) => {
      const player = await http.register()
      expect(await save(player, body)).toMatchObject({ status: 400, code: 'INVALID_PAYLOAD' })
      expect(await setting(player)).toEqual({ is_shown: false })
    },
  )

  it('consent ends with the account, even while money is expected', async () => {
    for (const isWaitedFor of [false, true]) {
      const player = await http.register()
      const { body } = await http.call('GET', '/profile', { token: player.access })
      const client = await http.database.connect()
      const { rows } = await client.query<{ id: string }>(
        `update players set email_verified_at = 1 where username = $1 returning id`,
        [body.username],
      )
      const id = BigInt(rows[0]?.id ?? 0)
      await client.query(
        `insert into player_addresses (player_id, created_at, usable_from, address) values ($1, 0, 0, 'bcrt1q')`,
        [id],
      )
      await save(player, { is_shown: true })
      if (isWaitedFor) http.hooks.openMoney.add(id)
      await http.runtime.clock.advance(60)
      const endsAt = http.runtime.clock.now()
      const closed = await http.call('DELETE', '/settings/account', {
        token: player.access,
        body: { password: PASSWORD },
      })
      expect(closed.status).toBe(200)
      await http.runtime.clock.advance(DAY)
      const { rows: kept } = await client.query('select ended_at from winner_consents where player_id = $1', [id])
      expect(kept).toEqual([{ ended_at: String(endsAt) }])
    }
  })
})
