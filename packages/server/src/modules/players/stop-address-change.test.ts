import { describe, expect, it } from 'vitest'
import { ADDRESSES, keyOf, PASSWORD, type TestPlayer, useAccounts } from '../../../test/accounts.ts'
import { authenticate } from '../identity/sessions.ts'
import { latestAddress, usableAddress } from './payout-address.ts'

const http = useAccounts()
const DAY = 86_400
const [FIRST, SECOND] = ADDRESSES
const THIRD = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry'

const save = (player: TestPlayer, address: string) =>
  http.call('PUT', '/settings/crypto-account-details', {
    token: player.access,
    body: { btc_address: address, password: PASSWORD },
  })
const stop = (key: string) => http.call('POST', '/auth/stop-address-change', { body: { key } })
const isSignedIn = async (player: TestPlayer) =>
  (await http.call('GET', '/profile', { token: player.access })).status === 200

async function idOf(player: TestPlayer): Promise<bigint> {
  const signedIn = await authenticate(http.accounts, player.access)
  if (signedIn === null) throw new Error('not signed in')
  return signedIn.id
}

const usable = (id: bigint) => usableAddress(http.database.db, id, http.runtime.clock.now())

/** A player who has an address, and a changed one that waits; with the key from the mail about it. */
async function withWaitingChange(): Promise<{ player: TestPlayer; id: bigint; key: string }> {
  const player = await http.register()
  const id = await idOf(player)
  await save(player, FIRST)
  await save(player, SECOND)
  const [newest] = await http.mailsTo(player.email)
  return { player, id, key: keyOf(newest?.links.find((link) => link.includes('/stop-address-change/'))) }
}

describe('the link that stops a changed bitcoin address', () => {
  it('the stop link is in no mail about an address that is used immediately', async () => {
    const player = await http.register()
    await save(player, FIRST)
    expect((await http.mailTo(player.email)).links.join()).not.toContain('stop-address-change')
    await save(player, SECOND)
    await save(player, FIRST) // cancels the change
    expect((await http.mailTo(player.email)).links.join()).not.toContain('stop-address-change')
  })

  it('the stop link cancels the change, ends every session and reports it by mail', async () => {
    const { player, id, key } = await withWaitingChange()
    expect(key).toHaveLength(43) // 256 bits in base64url
    expect(await stop(key)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await isSignedIn(player)).toBe(false)
    expect((await http.call('POST', '/auth/refresh', { token: player.refresh })).status).toBe(401)
    expect(await http.mailTo(player.email)).toMatchObject({
      subject: 'The change of your bitcoin address was stopped',
      text: expect.stringContaining(FIRST) as string,
    })
    await http.runtime.clock.advance(2 * DAY)
    expect(await usable(id)).toBe(FIRST)
    expect(await latestAddress(http.accounts, id)).toBe(FIRST)
  })

  it('the stop link works once', async () => {
    const { key } = await withWaitingChange()
    expect((await stop(key)).status).toBe(200)
    expect(await stop(key)).toMatchObject({ status: 400, code: 'INVALID_KEY' })
  })

  it.each([
    ['an unknown key', 'x'.repeat(43)],
    ['a key of another kind', ''],
  ])('the stop link is refused with %s', async (_, given) => {
    const player = await http.register()
    const key = given === '' ? keyOf((await http.mailTo(player.email)).links[0]) : given
    expect(await stop(key)).toMatchObject({ status: 400, code: 'INVALID_KEY' })
  })

  it('the stop link is stored only as a hash', async () => {
    const { id, key } = await withWaitingChange()
    const client = await http.database.connect()
    const { rows } = await client.query<{ hash: Buffer; expires_at: string }>(
      `select hash, expires_at from player_keys where player_id = $1 and purpose = 'stop_address_change'`,
      [String(id)],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.hash).toHaveLength(32)
    expect(Buffer.from(key, 'base64url').equals(rows[0]?.hash ?? Buffer.alloc(0))).toBe(false)
    expect(Number(rows[0]?.expires_at)).toBe(http.runtime.clock.now() + 2 * DAY)
  })

  it('the stop link works until the second before the address is used, and not from then on', async () => {
    const inTime = await withWaitingChange()
    await http.runtime.clock.advance(DAY - 1)
    expect((await stop(inTime.key)).status).toBe(200)
    expect(await usable(inTime.id)).toBe(FIRST)

    const tooLate = await withWaitingChange()
    await http.runtime.clock.advance(DAY)
    expect(await usable(tooLate.id)).toBe(SECOND)
    expect(await stop(tooLate.key)).toMatchObject({ status: 400, code: 'INVALID_KEY' })
    expect(await usable(tooLate.id)).toBe(SECOND)
  })

  it('the stop link works for 24 hours after its mail was handed over, even if that was late', async () => {
    const player = await http.register()
    const id = await idOf(player)
    await save(player, FIRST)
    await http.mailsTo(player.email)
    await save(player, SECOND)
    await http.runtime.clock.advance(DAY / 2)
    const key = keyOf((await http.mailTo(player.email)).links[0])
    await http.runtime.clock.advance(DAY - 1)
    expect(await usable(id)).toBe(FIRST)
    expect((await stop(key)).status).toBe(200)
    expect(await latestAddress(http.accounts, id)).toBe(FIRST)
  })

  it('the stop link has nothing to stop once the address was changed again or back, which has a link of its own', async () => {
    const { player, id, key } = await withWaitingChange()
    await save(player, THIRD)
    expect(await stop(key)).toMatchObject({ status: 400, code: 'INVALID_KEY' })
    const [newest] = await http.mailsTo(player.email)
    expect((await stop(keyOf(newest?.links.find((link) => link.includes('/stop-address-change/'))))).status).toBe(200)
    await http.runtime.clock.advance(2 * DAY)
    expect(await usable(id)).toBe(FIRST)

    const back = await withWaitingChange()
    await save(back.player, FIRST)
    expect(await stop(back.key)).toMatchObject({ status: 400, code: 'INVALID_KEY' })
    expect(await isSignedIn(back.player)).toBe(true)
  })

  it('the stop link works once when it is opened twice at the same time', async () => {
    const { player, key } = await withWaitingChange()
    const statuses = (await Promise.all([stop(key), stop(key), stop(key)])).map((answer) => answer.status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400, 400])
    const stopped = (await http.mailsTo(player.email)).filter((mail) => mail.subject.endsWith('was stopped'))
    expect(stopped).toHaveLength(1)
  })

  it('a concurrent second change either comes first and has its own link, or comes too late', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { player, id, key } = await withWaitingChange()
      const [stopped, saved] = await Promise.all(
        round % 2 === 0 ? [stop(key), save(player, THIRD)] : [save(player, THIRD), stop(key)].toReversed(),
      )
      const outcome = [stopped?.status, saved?.status]
      expect([
        [200, 401], // stopped first: the session that asked for the change is gone
        [400, 200], // changed first: this link is for a change that is superseded
      ]).toContainEqual(outcome)
      await http.mailsTo(player.email) // an address waits from the time its notice is handed over
      await http.runtime.clock.advance(2 * DAY)
      expect(await usable(id)).toBe(outcome[0] === 200 ? FIRST : THIRD)
    }
  })

  it('the stop link is not guessed: wrong keys of one address are counted', async () => {
    const guess = () => http.call('POST', '/auth/stop-address-change', { body: { key: 'y'.repeat(43) } })
    let answer = await guess()
    for (let tries = 0; tries < 70 && answer.status === 400; tries += 1) answer = await guess()
    expect(answer).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    await http.runtime.clock.advance(DAY)
  })
})
