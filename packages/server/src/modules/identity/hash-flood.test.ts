import { describe, expect, it, vi } from 'vitest'
import { type Answer, PASSWORD, type TestPlayer, useAccounts } from '../../../test/accounts.ts'

vi.setConfig({ testTimeout: 60_000 }) // some hundred calls, many with a hash, on a busy computer

const http = useAccounts()
const QUESTION = '/settings/security/security-questions'
const DAY = 86_400

const setQuestion = (token: string, answer = 'Alma', is_active = true) =>
  http.call('PUT', QUESTION, { token, body: { is_active, security_question_id: 1, answer } })
const logIn = ({ email }: TestPlayer) =>
  http.call('POST', '/auth/login', { body: { email_or_username: email, password: PASSWORD } })
const changePassword = (token: string, from: string, to: string) =>
  http.call('PUT', '/settings/password', {
    token,
    body: { current_password: from, new_password: to, confirm_password: to },
  })

/** Number of answers with each status. */
function tally(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('a flood of hashes by one logged-in player', () => {
  it('80 concurrent changes of the question leave 40 of 40 logins of another player, and are refused with 429', async () => {
    const flooder = await http.register()
    const player = await http.register()
    const flood = Array.from({ length: 80 }, (_, index) => setQuestion(flooder.access, `answer ${index}`))
    const logins = await Promise.all(Array.from({ length: 40 }, () => logIn(player)))
    expect(tally(logins)).toEqual({ 200: 40 })
    expect(tally(await Promise.all(flood))).toEqual({ 200: 5, 429: 75 })
  })

  it('80 concurrent checks of the right password leave 40 of 40 logins of another player', async () => {
    const flooder = await http.register()
    const player = await http.register()
    const verify = () => http.call('POST', '/verify', { token: flooder.access, body: { password: PASSWORD } })
    const flood = Array.from({ length: 80 }, verify)
    expect(tally(await Promise.all(Array.from({ length: 40 }, () => logIn(player))))).toEqual({ 200: 40 })
    expect(tally(await Promise.all(flood))[503]).toBeUndefined()
  })

  it('checks of the right password end after 100 in a quarter of an hour', async () => {
    const flooder = await http.register()
    const verify = () => http.call('POST', '/verify', { token: flooder.access, body: { password: PASSWORD } })
    const answers: Answer[] = []
    for (let tried = 0; tried < 104; tried += 4) answers.push(...(await Promise.all(Array.from({ length: 4 }, verify))))
    expect(tally(answers)).toEqual({ 200: 100, 429: 4 })
  })
})

describe('a security question', () => {
  it('the question can be changed five times in a quarter of an hour, switching it off included, and again in the next', async () => {
    const player = await http.register()
    for (let change = 0; change < 5; change++)
      expect((await setQuestion(player.access, `answer ${change}`, change % 2 === 1)).status).toBe(200)
    const refused = await setQuestion(player.access)
    expect(refused).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' })
    expect(Number(refused.headers['retry-after'])).toBe(900)
    await http.runtime.clock.advance(900)
    const { access_token: fresh } = (await logIn(player)).body
    expect((await setQuestion(fresh)).status).toBe(200)
  })

  it('a question that cannot be set is not counted', async () => {
    const player = await http.register()
    for (let tries = 0; tries < 6; tries++) expect((await setQuestion(player.access, ' ')).status).toBe(400)
    expect((await setQuestion(player.access)).status).toBe(200)
  })
})

describe('a password', () => {
  it('a password can be changed ten times a day, and the eleventh change is refused', async () => {
    const player = await http.register()
    const password = (index: number) => (index === 0 ? PASSWORD : `Changed-Horse-${index}-Staple`)
    for (let change = 0; change < 10; change++)
      expect((await changePassword(player.access, password(change), password(change + 1))).status).toBe(200)
    expect(await changePassword(player.access, password(10), password(11))).toMatchObject({
      status: 429,
      code: 'TOO_MANY_REQUESTS',
    })
    await http.runtime.clock.advance(DAY)
    const { access_token: fresh } = (
      await http.call('POST', '/auth/login', { body: { email_or_username: player.email, password: password(10) } })
    ).body
    expect((await changePassword(fresh, password(10), password(11))).status).toBe(200)
  })

  it('a wrong password is no change: only its own limit ends the tries', async () => {
    const player = await http.register()
    for (let wrong = 0; wrong < 10; wrong++)
      expect((await changePassword(player.access, 'Wrong-Horse-7', 'Another-Horse-8')).code).toBe('INVALID_CREDENTIALS')
    expect((await changePassword(player.access, PASSWORD, 'Another-Horse-8')).status).toBe(429)
    await http.runtime.clock.advance(900)
    const { access_token: fresh } = (await logIn(player)).body
    expect((await changePassword(fresh, PASSWORD, 'Another-Horse-8')).status).toBe(200)
  })
})
