import { describe, expect, it } from 'vitest'
import { ADDRESSES, keyOf, PASSWORD, type TestPlayer, useAccounts } from '../../../test/accounts.ts'
import { authenticate } from '../identity/sessions.ts'
import { cleanUp } from '../privacy/clean-up.ts'
import { saveDetails } from './profile.ts'

const http = useAccounts()
const DAY = 86_400
const NEW = 'Another-Horse-8-Staple'

const put = (player: TestPlayer, path: string, body: object) => http.call('PUT', path, { token: player.access, body })
const subjectsTo = async (email: string) => (await http.mailsTo(email)).map(({ subject }) => subject)
const logIn = (email_or_username: string) =>
  http.call('POST', '/auth/login', { body: { email_or_username, password: PASSWORD } })

async function change(player: TestPlayer, email: string, proof: object = { password: PASSWORD }) {
  const { body } = await http.call('GET', '/settings/personal-details', { token: player.access })
  return await put(player, '/settings/personal-details', { ...body, email, ...proof })
}

async function verify(email: string): Promise<void> {
  const links = (await http.mailsTo(email)).flatMap((mail) => mail.links)
  const key = keyOf(links.find((link) => link.includes('/verify-email/')))
  expect((await http.call('PUT', '/auth/verify-email', { body: { key } })).status).toBe(200)
}

async function refresh(player: TestPlayer): Promise<void> {
  const { body } = await http.call('POST', '/auth/refresh', { token: player.refresh })
  Object.assign(player, { access: body.access_token, refresh: body.refresh_token })
}

/** A player who has verified an address and a bitcoin address in use. */
async function settled(): Promise<TestPlayer> {
  const player = await http.register()
  await verify(player.email)
  await put(player, '/settings/crypto-account-details', { btc_address: ADDRESSES[0], password: PASSWORD })
  return player
}

const signedIn = async (player: TestPlayer) => {
  const found = await authenticate(http.accounts, player.access)
  if (found === null) throw new Error('not signed in')
  return found
}

describe('an address that differs', () => {
  it('an address that differs only in ASCII case is the same: it needs no proof and stays verified', async () => {
    const player = await settled()
    const email = player.email.toUpperCase()
    expect((await change(player, email, {})).body.email).toBe(email)
    const { body } = await http.call('GET', '/profile', { token: player.access })
    expect(body).toMatchObject({ email, is_email_verified: true })
    expect((await logIn(player.email)).status).toBe(200)
    expect(await subjectsTo(player.email)).not.toContain('Your email address was changed')
  })

  it.each([
    ['the Kelvin sign for a k', '\u212A'],
    ['a long s for an s', '\u017F'],
  ])(
    'an address with a sign that only looks alike is another one, to which no mail could be sent: %s',
    async (_, sign) => {
      const email = `kiss${sign.codePointAt(0)}@example.org`
      const body = { email, email_confirm: email, password: PASSWORD }
      const { access_token: access } = (await http.call('POST', '/auth/register', { body })).body
      const player = { email, password: PASSWORD, access, refresh: '' }
      await verify(email)
      const odd = email.replace(/k|s/, sign)
      for (const proof of [{}, { password: PASSWORD }])
        expect(await change(player, odd, proof)).toMatchObject({ status: 400, code: 'INVALID_EMAIL' })
      expect((await logIn(email)).status).toBe(200)
      expect((await http.call('POST', '/auth/register', { body })).code).toBe('EMAIL_OCCUPIED')
    },
  )

  it('the locked row decides: a request that was long on its way takes no mark to another address', async () => {
    const player = await http.register()
    const first = `first.${player.email}`
    await change(player, first)
    const letIn = await signedIn(player) // whose address is still the first one
    const own = `own.${player.email}`
    await change(player, own)
    await verify(own)
    const details = { username: letIn.username, email: first, timezone_id: 202, currency_id: 1 }
    await expect(saveDetails(http.accounts, letIn, details)).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' })
    const { body } = await http.call('GET', '/profile', { token: player.access })
    expect(body).toMatchObject({ email: own, is_email_verified: true })
  })

  it('an address that equals the row but not the snapshot keeps its verification: another request changed it first', async () => {
    const player = await http.register()
    const letIn = await signedIn(player)
    const own = `own.${player.email}`
    await change(player, own)
    await verify(own)
    const details = { username: letIn.username, email: own, timezone_id: 202, currency_id: 1, password: PASSWORD }
    await saveDetails(http.accounts, letIn, details)
    const { body } = await http.call('GET', '/profile', { token: player.access })
    expect(body).toMatchObject({ email: own, is_email_verified: true })
  })
})

describe('a verified address that was left', () => {
  const changed = 'Your bitcoin address was changed'

  it('a former address hears for seven days what happens to the account, and why', async () => {
    const player = await settled()
    const thief = `thief.${player.email}`
    await change(player, thief)
    await verify(thief)
    await http.enableTwofa(player)
    await put(player, '/settings/security/security-questions', {
      is_active: true,
      security_question_id: 1,
      answer: 'x',
    })
    await put(player, '/settings/crypto-account-details', { btc_address: ADDRESSES[1], password: PASSWORD })
    const passwords = { current_password: PASSWORD, new_password: NEW, confirm_password: NEW }
    await put(player, '/settings/password', passwords)
    await change(player, `next.${thief}`, { password: NEW })
    const off = { token: player.access, body: { password: NEW } }
    await http.call('DELETE', '/settings/security/twofa', off)
    const heard = await http.mailsTo(player.email)
    expect(heard.map(({ subject }) => subject).slice(0, 7)).toEqual([
      'Two-factor authentication is off',
      'Your email address was changed',
      'Your password was changed',
      changed,
      'Your security question was changed',
      'Two-factor authentication is on',
      'Your email address was changed',
    ])
    expect((await http.mailTo(player.email)).text).toContain('until a few days ago')
    expect((await http.mailTo(thief)).text).toContain('until a few days ago')
    expect((await http.mailTo(`next.${thief}`)).text).not.toContain('until a few days ago')
  })

  it('a former address hears nothing from the seventh day on, and is forgotten', async () => {
    const player = await settled()
    await change(player, `moved.${player.email}`)
    const before = (await http.mailsTo(player.email)).length
    const path = '/settings/security/security-questions'
    for (const seconds of [7 * DAY - 1, 1]) {
      await http.runtime.clock.advance(seconds)
      player.access = (await logIn(`moved.${player.email}`)).body.access_token
      await put(player, path, { is_active: true, security_question_id: 1, answer: 'x' })
      await put(player, path, { is_active: false })
      // Two notices a second before the end of the seventh day, and none after it.
      expect((await http.mailsTo(player.email)).length).toBe(before + 2)
    }
    const data = () => http.call('GET', '/settings/personal-data', { token: player.access })
    expect((await data()).body.account.former_emails).toMatchObject([{ email: player.email }])
    await http.transaction((tx) => cleanUp(http.accounts, tx))
    expect((await data()).body.account.former_emails).toEqual([])
  })

  it('a former address that was never verified is not remembered', async () => {
    const player = await http.register()
    await change(player, `moved.${player.email}`)
    await put(player, '/settings/security/security-questions', {
      is_active: true,
      security_question_id: 1,
      answer: 'x',
    })
    expect(await subjectsTo(player.email)).toEqual([
      'Your email address was changed',
      'Please verify your email address',
    ])
  })

  it('a former address gets a stop link of its own, and when either link is used both are worthless', async () => {
    for (const used of [0, 1]) {
      const player = await settled()
      const thief = `thief.${player.email}`
      await change(player, thief)
      await verify(thief)
      await put(player, '/settings/crypto-account-details', { btc_address: ADDRESSES[1], password: PASSWORD })
      const keyTo = async (email: string) => {
        const [newest] = (await http.mailsTo(email)).filter(({ subject }) => subject === changed)
        return keyOf(newest?.links.find((link) => link.includes('/stop-address-change/')))
      }
      const keys = [await keyTo(player.email), await keyTo(thief)]
      expect(new Set(keys).size).toBe(2)
      const stop = (key: string | undefined) => http.call('POST', '/auth/stop-address-change', { body: { key } })
      expect((await stop(keys[used])).status).toBe(200)
      expect(await stop(keys[1 - used])).toMatchObject({ status: 400, code: 'INVALID_KEY' })
      for (const email of [player.email, thief])
        expect((await subjectsTo(email))[0]).toBe('The change of your bitcoin address was stopped')
    }
  })

  it('a former address gets one mail when its player has returned to it', async () => {
    const player = await settled()
    await change(player, `moved.${player.email}`)
    await change(player, player.email)
    const before = (await http.mailsTo(player.email)).length
    await put(player, '/settings/security/security-questions', {
      is_active: true,
      security_question_id: 1,
      answer: 'x',
    })
    expect((await http.mailsTo(player.email)).length).toBe(before + 1)
  })
})

describe('mails to one address', () => {
  it('mails to an address are not used up by someone who asks for an address that another player has', async () => {
    const [owner, other] = [await http.register(), await http.register()]
    for (let tries = 0; tries < 12; tries++) expect((await change(other, owner.email)).code).toBe('EMAIL_OCCUPIED')
    const before = (await http.mailsTo(owner.email)).length
    await refresh(owner)
    await http.call('GET', '/auth/resend-verification-email', { token: owner.access })
    await change(owner, `moved.${owner.email}`)
    expect((await http.mailsTo(owner.email)).length).toBe(before + 2)
  })
})
