import { describe, expect, it } from 'vitest'
import { ADDRESSES, keyOf, PASSWORD, type TestPlayer, useAccounts } from '../../../test/accounts.ts'

const http = useAccounts()
const HOUR = 3600
const DAY = 86_400
const MERGED = 'Several changes to your account'
const QUESTION = 'Your security question was changed'

const put = (player: TestPlayer, path: string, body: object) => http.call('PUT', path, { token: player.access, body })
const subjectsTo = async (email: string) => (await http.mailsTo(email)).map(({ subject }) => subject)

let devices = 0
async function logIn(player: TestPlayer, email = player.email): Promise<void> {
  const answer = await http.call('POST', '/auth/login', {
    body: { email_or_username: email, password: PASSWORD },
    headers: { 'user-agent': `Device${++devices}` },
  })
  expect(answer.status).toBe(200)
  player.access = answer.body.access_token
}

async function move(player: TestPlayer, email: string): Promise<void> {
  const { body } = await http.call('GET', '/settings/personal-details', { token: player.access })
  expect((await put(player, '/settings/personal-details', { ...body, email, password: PASSWORD })).status).toBe(200)
}

async function verified(): Promise<TestPlayer> {
  const player = await http.register()
  const [mail] = await http.mailsTo(player.email)
  await http.call('PUT', '/auth/verify-email', { body: { key: keyOf(mail?.links[0]) } })
  return player
}

/** Sets the security question 30 times, five in each quarter of an hour. */
async function changeQuestion30Times(player: TestPlayer): Promise<void> {
  const body = { is_active: true, security_question_id: 1, answer: 'x' }
  for (let turn = 0; turn < 30; turn++) {
    if (turn % 5 === 0) {
      await http.runtime.clock.advance(900)
      await http.mailsTo(player.email) // runs what is due
      const { body: tokens } = await http.call('POST', '/auth/refresh', { token: player.refresh })
      Object.assign(player, { access: tokens.access_token, refresh: tokens.refresh_token })
      await http.call('POST', '/verify', { token: player.access, body: { password: PASSWORD } }) // a question needs it
    }
    expect((await put(player, '/settings/security/security-questions', body)).status).toBe(200)
  }
}

describe('a never-verified address', () => {
  it('an address gets 10 account mails an hour and 20 a day, whichever accounts send them', async () => {
    const stranger = 'stranger@example.net'
    const [first, second] = [await http.register(), await http.register()]
    const spam = async (player: TestPlayer, logins: number) => {
      await move(player, stranger)
      for (let login = 0; login < logins; login++) await logIn(player, stranger)
      await move(player, `away${++devices}@example.net`)
    }
    const counts: number[] = []
    for (const [player, logins] of [
      [first, 9],
      [second, 2],
      [first, 9],
      [second, 2],
    ] as const) {
      await logIn(player, player.email)
      await spam(player, logins)
      Object.assign(player, { email: `away${devices}@example.net` })
      counts.push((await subjectsTo(stranger)).length)
      if (counts.length > 1) await http.runtime.clock.advance(HOUR)
    }
    expect(counts).toEqual([10, 10, 20, 20])
    await http.runtime.clock.advance(DAY - 3 * HOUR)
    await logIn(first, first.email)
    await spam(first, 9)
    expect(await subjectsTo(stranger)).toHaveLength(30)
  })

  it('an address gets no more when many come at the same time', async () => {
    const player = await http.register()
    await Promise.all(Array.from({ length: 15 }, () => logIn(player)))
    await Promise.all(
      Array.from({ length: 15 }, () => http.call('GET', `/auth/forgotten-password?email=${player.email}`)),
    )
    expect(await subjectsTo(player.email)).toHaveLength(10)
  })
})

describe('a verified address', () => {
  it('an address gets 5 notices of a kind immediately and later ones merged hourly, and a changed bitcoin address never waits', async () => {
    const player = await verified()
    await changeQuestion30Times(player)
    await put(player, '/settings/crypto-account-details', { btc_address: ADDRESSES[0], password: PASSWORD })
    const subjects = await subjectsTo(player.email)
    expect(subjects[0]).toBe('Your bitcoin address was changed')
    expect(subjects.filter((subject) => subject === QUESTION)).toHaveLength(5)
    const next = 'Another-Horse-8-Staple'
    const passwords = { current_password: PASSWORD, new_password: next, confirm_password: next }
    expect((await put(player, '/settings/password', passwords)).status).toBe(200)
    expect((await subjectsTo(player.email))[0]).toBe('Your password was changed') // another kind

    await http.runtime.clock.advance(HOUR)
    const merged = (await http.mailsTo(player.email)).filter(({ subject }) => subject === MERGED)
    const times = merged.map(({ text }) =>
      Number(/\((\d+) times, last on \w+, \w+ \d+, \d+:\d+ [AP]M \(London\)\)/.exec(text)?.[1]),
    )
    expect(times.length).toBeLessThanOrEqual(3)
    expect(times.reduce((sum, count) => sum + count, 0)).toBe(25)
    await http.runtime.clock.advance(DAY)
    expect((await subjectsTo(player.email)).filter((subject) => subject === MERGED)).toHaveLength(times.length)
  })

  it('an address gets what was to be merged before its account is closed', async () => {
    const player = await verified()
    await changeQuestion30Times(player)
    await http.call('DELETE', '/settings/account', { token: player.access, body: { password: PASSWORD } })
    expect((await subjectsTo(player.email)).slice(0, 2)).toEqual(['Your account was closed', MERGED])
  })
})
