import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestPlayer, useAccounts } from '../../../test/accounts.ts'
import { openSession } from './sessions.ts'

const http = useAccounts()
const HOUR = 3600

const refresh = (token: string) => http.call('POST', '/auth/refresh', { token })

/**
 * The player's id, and this many more sessions without a password to hash. @returns their refresh tokens, oldest first
 */
async function openSessions({ email }: TestPlayer, count: number): Promise<string[]> {
  const client = await http.database.connect()
  const { rows } = await client.query<{ id: string }>('select id from players where email = $1', [email])
  const playerId = BigInt(rows[0]?.id ?? 0)
  const caller = { address: '11.7.0.1', userAgent: 'test', device: null, keepDevice: () => undefined }
  const tokens: string[] = []
  for (let index = 0; index < count; index++) {
    await http.runtime.clock.advance(1)
    tokens.push((await http.transaction((tx) => openSession(http.accounts, tx, playerId, caller))).refreshToken)
  }
  return tokens
}

async function rowsOf({ email }: TestPlayer): Promise<{ sessions: number; tokens: number }> {
  const client = await http.database.connect()
  const { rows } = await client.query<{ sessions: string; tokens: string }>(
    `select count(distinct s.id) as sessions, count(r.hash) as tokens from sessions s join players p on p.id = s.player_id
      left join refresh_tokens r on r.session_id = s.id where p.email = $1`,
    [email],
  )
  return { sessions: Number(rows[0]?.sessions), tokens: Number(rows[0]?.tokens) }
}

describe('the sessions of a player', () => {
  it('a player has at most 50 sessions: the next one ends the least used, and its tokens are worthless', async () => {
    const player = await http.register()
    const tokens = await openSessions(player, 49)
    const used = await refresh(player.refresh) // the oldest login, and the one used last
    const { body: list } = await http.call('GET', '/auth/tokens', { token: used.body.access_token })
    expect(list).toHaveLength(50)

    const next = await http.call('POST', '/auth/login', {
      body: { email_or_username: player.email, password: PASSWORD },
    })
    expect(next.status).toBe(200)
    expect((await http.call('GET', '/auth/tokens', { token: next.body.access_token })).body).toHaveLength(50)
    expect((await refresh(tokens[0] ?? '')).status).toBe(401)
    expect((await refresh(tokens[1] ?? '')).status).toBe(200)
    expect((await refresh(used.body.refresh_token)).status).toBe(200)
  })

  it('50 ended sessions are kept to show, and not one row for each login of 30 days', async () => {
    const player = await http.register()
    await openSessions(player, 120)
    expect((await rowsOf(player)).sessions).toBe(100)
    const { body } = await http.call('POST', '/auth/login', {
      body: { email_or_username: player.email, password: PASSWORD },
    })
    const { body: exported } = await http.call('GET', '/settings/personal-data', { token: body.access_token })
    const ended = exported.sessions.filter((one: { revoked_at: number | null }) => one.revoked_at !== null)
    expect([exported.sessions.length, ended.length]).toEqual([100, 50])
  })

  it('a player has at most 50 sessions even if logins come at the same time', async () => {
    const player = await http.register()
    await openSessions(player, 48)
    const logIn = () =>
      http.call('POST', '/auth/login', { body: { email_or_username: player.email, password: PASSWORD } })
    const answers = await Promise.all([logIn(), logIn(), logIn()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const { body: list } = await http.call('GET', '/auth/tokens', { token: answers[0].body.access_token })
    expect(list).toHaveLength(50)
  })
})

describe('a session', () => {
  it('a session is refreshed 60 times an hour; the next is 429, keeps its token, and leaves no row', async () => {
    const player = await http.register()
    let token = player.refresh
    for (let time = 0; time < 60; time++) {
      const answer = await refresh(token)
      expect(answer.status).toBe(200)
      token = answer.body.refresh_token
    }
    const refused = await refresh(token)
    expect(refused).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' })
    expect(Number(refused.headers['retry-after'])).toBe(HOUR)
    const before = await rowsOf(player)
    for (let time = 0; time < 5; time++) expect((await refresh(token)).status).toBe(429)
    expect(await rowsOf(player)).toEqual(before)

    const other = await http.call('POST', '/auth/login', {
      body: { email_or_username: player.email, password: PASSWORD },
    })
    expect((await refresh(other.body.refresh_token)).status).toBe(200)
    await http.runtime.clock.advance(HOUR)
    expect((await refresh(token)).status).toBe(200)
  })

  it('a session ends when a used token comes again, even while it may not be refreshed', async () => {
    const player = await http.register()
    let token = player.refresh
    for (let time = 0; time < 60; time++) token = (await refresh(token)).body.refresh_token
    expect((await refresh(token)).status).toBe(429)
    expect((await refresh(player.refresh)).status).toBe(401)
    await http.runtime.clock.advance(HOUR)
    expect((await refresh(token)).status).toBe(401)
  })
})
