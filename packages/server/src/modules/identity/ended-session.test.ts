import { describe, expect, it, vi } from 'vitest'
import { ADDRESSES, type Answer, keyOf, PASSWORD, type TestPlayer, useAccounts } from '../../../test/accounts.ts'
import type { SignedIn } from '../../kernel/caller.ts'
import { Unauthorized } from '../../kernel/errors.ts'
import { changePassword } from '../players/password-changes.ts'
import { savePayoutDetails } from '../players/payout-details.ts'
import { saveDetails } from '../players/profile.ts'
import { closeAccount } from '../privacy/closing.ts'
import { saveLimits } from '../safer-play/responsible-play.ts'
import { resendVerification } from './registration.ts'
import { saveSecurityQuestion } from './security-question.ts'
import { authenticate, revokeSessions } from './sessions.ts'
import { confirmTwofa, disableTwofa, proposeTwofa } from './two-factor.ts'

vi.setConfig({ testTimeout: 60_000 })

const http = useAccounts()
const NEW = 'Another-Horse-8-Staple'
const proof = { password: PASSWORD }

/** Everything that a logged-in player writes, as the routes call it once the request was admitted. */
const WRITES: Record<string, (player: SignedIn) => Promise<unknown>> = {
  'saving the details': (player) =>
    saveDetails(http.accounts, player, {
      username: `${player.username} x`,
      email: player.email ?? '',
      timezone_id: 202,
      currency_id: 1,
    }),
  'changing the email address': (player) =>
    saveDetails(http.accounts, player, {
      username: player.username,
      email: `new.${player.email}`,
      timezone_id: 202,
      currency_id: 1,
      ...proof,
    }),
  'being shown a two-factor secret': (player) => proposeTwofa(http.accounts, player),
  'switching two-factor on': (player) => confirmTwofa(http.accounts, player, '000000'),
  'switching two-factor off': (player) => disableTwofa(http.accounts, player),
  'setting a security question': (player) =>
    saveSecurityQuestion(http.accounts, player, { is_active: true, security_question_id: 1, answer: 'thief' }),
  'setting limits of play': (player) => saveLimits(http.accounts, player, { weekly_limit: 10 }),
  'changing the password': (player) =>
    changePassword(http.accounts, player, {
      current_password: PASSWORD,
      new_password: NEW,
      confirm_password: NEW,
    }),
  'saving a bitcoin address': (player) =>
    savePayoutDetails(http.accounts, player, { btc_address: ADDRESSES[0] }, proof),
  'asking for another link': (player) => resendVerification(http.accounts, player),
  'ending sessions': (player) => revokeSessions(http.accounts, player, [player.sessionId]),
  'closing the account': (player) => closeAccount(http.accounts, player, proof),
}

const ENDS: Record<string, (player: TestPlayer) => Promise<Answer>> = {
  'was logged out': ({ access }) => http.call('DELETE', '/auth/logout', { token: access }),
  'had its account closed': ({ access }) => http.call('DELETE', '/settings/account', { token: access, body: proof }),
}

async function signedIn(player: TestPlayer): Promise<SignedIn> {
  const found = await authenticate(http.accounts, player.access)
  if (found === null) throw new Error('not signed in')
  return found
}

const cases = Object.keys(WRITES).flatMap((write) => Object.keys(ENDS).map((end) => [write, end] as const))

describe('a request that was admitted and writes after its session ended', () => {
  it.each(cases)('a late request is refused as if it had come later: %s, when it %s', async (write, end) => {
    const player = await http.register()
    const letIn = await signedIn(player)
    expect((await ENDS[end]?.(player))?.status).toBe(200)
    await expect(WRITES[write]?.(letIn)).rejects.toBeInstanceOf(Unauthorized)
  })

  it('a late request leaves no answer and no secret behind when the account is erased at the same time', async () => {
    for (let round = 0; round < 6; round++) {
      const player = await http.register()
      const token = player.access
      const setting = { is_active: true, security_question_id: 1, answer: 'x' }
      const answers = await Promise.all([
        http.call('DELETE', '/settings/account', { token, body: proof }),
        http.call('PUT', '/settings/security/security-questions', { token, body: setting }),
        http.call('GET', '/settings/security/twofa/qr', { token }),
        http.call('PUT', '/settings/responsible-play', { token, body: { weekly_limit: 5 } }),
      ])
      for (const { status } of answers) expect([200, 401]).toContain(status)
    }
    const client = await http.database.connect()
    const { rows } = await client.query<{ left: string }>(
      `select 'answer' as left from security_answers a join players p on p.id = a.player_id where p.erased_at is not null
       union all select 'secret' from twofa w join players p on p.id = w.player_id where p.erased_at is not null
       union all select 'limits' from responsible_play r join players p on p.id = r.player_id where p.erased_at is not null`,
    )
    expect(rows).toEqual([])
  })
})

describe('two requests that write at the same time', () => {
  /** Makes both calls wait for the player's row, in this order, and then lets them continue. */
  async function inOrder(player: TestPlayer, first: () => Promise<Answer>, second: () => Promise<Answer>) {
    const client = await http.database.connect()
    const watcher = await http.database.connect()
    const waiting = async (count: number): Promise<void> => {
      const text = `select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      await vi.waitFor(
        async () => expect((await watcher.query<{ waiting: number }>(text)).rows[0]?.waiting).toBe(count),
        { timeout: 20_000, interval: 10 },
      )
    }
    await client.query('begin')
    await client.query('select from players where email = $1 for no key update', [player.email])
    const one = first()
    await waiting(1)
    const other = second()
    await waiting(2)
    await client.query('commit')
    return (await Promise.all([one, other])).map(({ status, code }) => `${status} ${code ?? 'OK'}`)
  }

  const resetKeyOf = async (player: TestPlayer): Promise<string> => {
    await http.call('GET', `/auth/forgotten-password?email=${player.email}`)
    return keyOf((await http.mailTo(player.email)).links[0])
  }
  const reset = (key: string) => () =>
    http.call('PUT', '/auth/reset-password', { body: { key, password: NEW, password_confirm: NEW } })
  const change = (player: TestPlayer) => () =>
    http.call('PUT', '/settings/password', {
      token: player.access,
      body: { current_password: PASSWORD, new_password: NEW, confirm_password: NEW },
    })
  const close = (player: TestPlayer) => () =>
    http.call('DELETE', '/settings/account', { token: player.access, body: proof })

  it('there is no deadlock: the password is changed, and the link that resets it comes too late', async () => {
    const player = await http.register()
    const key = await resetKeyOf(player)
    expect(await inOrder(player, change(player), reset(key))).toEqual(['200 OK', '400 INVALID_KEY'])
  })

  it('there is no deadlock: the password is reset, and the session that changes it has ended', async () => {
    const player = await http.register()
    const key = await resetKeyOf(player)
    expect(await inOrder(player, reset(key), change(player))).toEqual(['200 OK', '401 ACCESS_DENIED'])
  })

  it('there is no deadlock: the account is closed, and there is nothing to reset', async () => {
    const player = await http.register()
    const key = await resetKeyOf(player)
    expect(await inOrder(player, close(player), reset(key))).toEqual(['200 OK', '400 INVALID_KEY'])
  })

  it('there is no deadlock: the password is reset, and the session that closes the account has ended', async () => {
    const player = await http.register()
    const key = await resetKeyOf(player)
    expect(await inOrder(player, reset(key), close(player))).toEqual(['200 OK', '401 ACCESS_DENIED'])
  })

  it('there is no deadlock: the address is changed, and the link to the old one verifies nothing', async () => {
    const player = await http.register()
    const key = keyOf((await http.mailTo(player.email)).links[0])
    const { body: details } = await http.call('GET', '/settings/personal-details', { token: player.access })
    const move = () =>
      http.call('PUT', '/settings/personal-details', {
        token: player.access,
        body: { ...details, email: `moved.${player.email}`, ...proof },
      })
    const verify = () => http.call('PUT', '/auth/verify-email', { body: { key } })
    expect(await inOrder(player, move, verify)).toEqual(['200 OK', '400 INVALID_KEY'])
  })
})
