import { calls, type Call } from '@fairball/contract/calls'
import { pathOf, type ADDRESSES, type PageCallName } from '@fairball/contract/paths'
import { expect, it, vi } from 'vitest'
import { ADDRESS, PASSWORD, testApplication, type Answer, type TestApplication } from './application.ts'

vi.setConfig({ testTimeout: 120_000 }) // hundreds of calls, many with a hash, on a busy computer

/** The calls that need a player: a new one does not compile here before it has a line below. */
type PlayerCall = { [N in PageCallName]: (typeof ADDRESSES)[N]['access'] extends 'player' ? N : never }[PageCallName]

/** What the first player owns, by the names under which calls ask for it. */
interface Owned {
  readonly email: string
  readonly username: string
  readonly orderId: string
  readonly messageId: string
  readonly playId: string
  readonly session: string
}

/** How a stranger makes a call about the first player's things, and what may result. */
interface Try {
  readonly address?: (owned: Owned) => string
  readonly body?: (owned: Owned) => unknown
  /** The stranger reaches nothing, or only their own things; `mine` is the stranger's email address. */
  readonly outcome: (answer: Answer, mine: string) => void
}

const hidden = (answer: Answer): void => expect([answer.status, answer.body.error?.code]).toEqual([404, 'NOT_FOUND'])
const empty = (answer: Answer): void => {
  expect(answer.status).toBe(200)
  const { data = answer.body } = answer.body
  expect(Array.isArray(data) ? data : data.results).toEqual([])
}
const done = (answer: Answer): void => expect(answer.status).toBe(200)
const mine = (answer: Answer, email: string): void => {
  expect(answer.status).toBe(200)
  expect(JSON.stringify(answer.body)).toContain(email)
}
const hero = (path: string) => (): string => path.replace('{key}', 'bitcoin-hero')

/** In this order; what ends the stranger's session comes last. */
const TRIES: Record<PlayerCall, Try> = {
  getPayment: { address: ({ orderId }) => `/payment?transaction_id=${orderId}`, outcome: hidden },
  getCheckoutAddress: { address: ({ orderId }) => `/checkout/${orderId}/address`, outcome: hidden },
  getReceipt: { address: ({ playId }) => `/plays/${playId}/receipt`, outcome: hidden },
  markMessage: {
    address: ({ messageId }) => `/settings/messages/${messageId}`,
    body: () => ({ is_read: true }),
    outcome: hidden,
  },
  markAllMessages: { body: () => ({ is_read: true }), outcome: done },
  getUnreadMessages: { outcome: (answer) => expect(answer.body).toEqual({ count: 0 }) },
  revokeSessions: { body: ({ session }) => ({ tokens: [session] }), outcome: hidden },
  getSavedNumbers: { address: hero('/games/{key}/saved-numbers'), outcome: empty },
  saveNumbers: {
    address: hero('/games/{key}/saved-numbers'),
    body: () => ({ lines: [[7, 8, 9, 10, 11]] }),
    outcome: done,
  },
  deleteSavedNumbers: { address: hero('/games/{key}/saved-numbers'), outcome: done },
  getLastPlayedNumbers: { address: hero('/games/{key}/last-played-numbers'), outcome: empty },
  getWins: { address: hero('/games/{key}/wins'), outcome: empty },
  getPlays: { address: hero('/games/{key}/plays'), outcome: empty },
  getMyGames: { outcome: empty },
  getMessages: { outcome: empty },
  getTransactions: { outcome: empty },
  getSessions: {
    outcome: (answer) => expect(answer.body).toMatchObject([{ is_current_session: true }]),
  },
  getProfile: { outcome: mine },
  getPersonalDetails: { outcome: mine },
  getPersonalData: { outcome: mine },
  savePersonalDetails: {
    body: ({ email, username }) => ({ username, email, timezone_id: 202, currency_id: 1, password: PASSWORD }),
    outcome: (answer) => expect(answer.status).toBe(409),
  },
  getUsernameAvailability: {
    address: ({ username }) => `/settings/personal-details/username/${username}/availability`,
    outcome: (answer) => expect(answer.body).toEqual([false]),
  },
  getEmailAvailability: {
    address: ({ email }) => `/settings/personal-details/email/${email}/availability`,
    outcome: (answer) => expect(answer.body).toEqual([false]),
  },
  getSecurityQuestionSetting: { outcome: (answer) => expect(answer.body.is_active).toBe(false) },
  saveSecurityQuestionSetting: { body: () => ({ is_active: false }), outcome: done },
  getEmailPreferences: { outcome: done },
  saveEmailPreferences: {
    body: () => ({ is_lottery_games_active: false, is_winners_and_good_causes_active: false }),
    outcome: done,
  },
  getWinnerConsent: { outcome: (answer) => expect(answer.body).toEqual({ is_shown: false }) },
  saveWinnerConsent: { body: () => ({ is_shown: true }), outcome: done },
  getTickets: { outcome: (answer) => expect(answer.body).toEqual({ results: [], total_pages: 0 }) },
  getBalance: { outcome: (answer) => expect(answer.body).toMatchObject({ waiting: { items: [] }, free_tickets: [] }) },
  getCryptoAccountDetails: {
    outcome: (answer) =>
      expect(answer.body).toMatchObject({ btc_address: null, lightning: null, pay_first: null, pay_first_from: null }),
  },
  saveCryptoAccountDetails: {
    body: () => ({
      btc_address: 'bcrt1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5ssm803es',
      password: PASSWORD,
    }),
    outcome: done,
  },
  getResponsiblePlay: { outcome: (answer) => expect(answer.body.weekly_limit).toBeNull() },
  saveResponsiblePlay: { body: () => ({ weekly_limit: 1 }), outcome: done },
  verifyPassword: { body: () => ({ password: PASSWORD }), outcome: done },
  resendVerificationEmail: { outcome: done },
  getTwofaQr: { outcome: done },
  verifyTwofa: { body: () => ({ code: '000000' }), outcome: (answer) => expect(answer.status).toBe(400) },
  disableTwofa: { body: () => ({ password: PASSWORD }), outcome: (answer) => expect(answer.status).toBe(403) },
  createPayment: {
    body: () => ({
      type: 'lotto',
      key: 'bitcoin-hero',
      days: [1],
      weeks: 1,
      tickets: [{ isLuckyDip: false, numbers: [1, 2, 3, 4, 5] }],
    }),
    outcome: (answer) => expect([201, 403]).toContain(answer.status),
  },
  changePassword: {
    body: () => ({
      current_password: PASSWORD,
      new_password: 'Another-Horse-8-Staple',
      confirm_password: 'Another-Horse-8-Staple',
    }),
    outcome: done,
  },
  logout: { outcome: done },
  closeAccount: { body: () => ({ password: PASSWORD }), outcome: done },
}

async function owner({ call, signUp }: TestApplication): Promise<{ bearer: string; owned: Owned }> {
  const { bearer, email } = await signUp({ address: null })
  // A first address is used immediately; whatever may be owned is owned now.
  const line = [1, 2, 3, 4, 5]
  const put = (path: string, body: unknown) => call('PUT', path, { bearer, body })
  await put('/settings/crypto-account-details', { btc_address: ADDRESS, password: PASSWORD })
  await put('/games/bitcoin-hero/saved-numbers', { lines: [line] })
  await put('/settings/responsible-play', { weekly_limit: 500 })
  await put('/settings/security/security-questions', { is_active: true, security_question_id: 1, answer: 'Alma' })
  const days = [1, 2, 3, 4, 5, 6, 7]
  const tickets = [{ isLuckyDip: false, numbers: line }]
  const made = await call('POST', '/payment', {
    bearer,
    body: { type: 'lotto', key: 'bitcoin-hero', days, weeks: 1, tickets },
  })
  const orderId = String(made.body.transaction_id)
  await call('POST', '/dev/pay', { body: { transaction_id: orderId } })
  const plays = await call('GET', '/games/bitcoin-hero/plays', { bearer })
  const messages = await call('GET', '/settings/messages', { bearer })
  const sessions = await call('GET', '/auth/tokens', { bearer })
  const profile = await call('GET', '/profile', { bearer })
  const owned = {
    email,
    username: String(profile.body.username),
    orderId,
    messageId: String(messages.body.results[0].id),
    playId: String(plays.body.data.results[0].id),
    session: String(sessions.body[0].access_token),
  }
  return { bearer, owned }
}

/** All that players can see of their own account. */
async function viewOf(
  { call }: TestApplication,
  bearer: string,
  { orderId, playId }: Owned,
): Promise<Record<string, unknown>> {
  const view: Record<string, unknown> = {}
  const shown = (Object.keys(TRIES) as PlayerCall[]).filter(
    (name) => calls[name].method === 'GET' && !['getTwofaQr', 'resendVerificationEmail'].includes(name),
  )
  for (const name of shown) {
    const path = TRIES[name].address?.({
      orderId,
      playId,
      email: 'free@example.org',
      username: 'free',
      messageId: '',
      session: '',
    })
    const answer = await call('GET', path ?? pathOf(calls[name]), { bearer })
    view[name] = [answer.status, answer.body]
  }
  return view
}

it('a stranger reaches nothing of another player, by any call', async () => {
  const program = await testApplication()
  const { call, signUp } = program
  const { bearer, owned } = await owner(program)
  const before = await viewOf(program, bearer, owned)
  expect(before['getPayment']).toMatchObject([200, { status: 'PAID' }])

  let stranger = await signUp({ address: null, isVerified: false })
  for (const name of Object.keys(TRIES) as PlayerCall[]) {
    const one: Call = calls[name]
    const { address, body, outcome } = TRIES[name]
    const path = address?.(owned) ?? pathOf(one)
    const sent = body?.(owned)
    const nobody = await call(one.method, path, { body: sent })
    expect([name, nobody.status, nobody.headers['www-authenticate']]).toEqual([name, 401, 'Bearer'])

    const answer = await call(one.method, path, { bearer: stranger.bearer, body: sent })
    expect([name, answer.status < 500]).toEqual([name, true])
    outcome(answer, stranger.email)
    expect([name, JSON.stringify(answer.body).includes(owned.orderId)]).toEqual([name, false])
    expect([name, JSON.stringify(answer.body).includes(owned.email)]).toEqual([name, false])
    if (name === 'logout') stranger = await signUp({ address: null, isVerified: false })
  }
  expect(await viewOf(program, bearer, owned)).toEqual(before)
}, 60_000)

it('a call about another player’s things answers as for things that do not exist', async () => {
  const program = await testApplication()
  const { call, signUp } = program
  const { owned } = await owner(program)
  const { bearer } = await signUp({ address: null })
  const unknown = '00000000-0000-4000-8000-000000000000'
  const pairs: [string, string, string, unknown][] = [
    ['GET', `/payment?transaction_id=${owned.orderId}`, `/payment?transaction_id=${unknown}`, undefined],
    ['GET', `/plays/${owned.playId}/receipt`, `/plays/${unknown}/receipt`, undefined],
    ['PUT', `/settings/messages/${owned.messageId}`, '/settings/messages/999999', { is_read: true }],
  ]
  for (const [method, theirs, nobodys, body] of pairs) {
    const [one, other] = [await call(method, theirs, { bearer, body }), await call(method, nobodys, { bearer, body })]
    expect([one.status, one.body]).toEqual([other.status, other.body])
  }
  const revoke = (session: string) => call('DELETE', '/auth/tokens', { bearer, body: { tokens: [session] } })
  expect((await revoke(owned.session)).body).toEqual((await revoke(unknown)).body)
})

it('a checkout page, which needs no bearer token, does not reveal its owner', async () => {
  const program = await testApplication()
  const { owned } = await owner(program)
  const { status, body } = await program.call('GET', `/checkout/${owned.orderId}`)
  expect(status).toBe(200)
  expect(JSON.stringify(body)).not.toContain(owned.email)
  expect(JSON.stringify(body)).not.toContain(owned.username)
})
