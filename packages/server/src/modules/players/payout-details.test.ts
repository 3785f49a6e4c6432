import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ADDRESSES, keyOf, PASSWORD, type TestPlayer, useAccounts } from '../../../test/accounts.ts'
import { PayeeRefused } from '../../ports/lightning/payee-refused.ts'
import { cleanUp } from '../privacy/clean-up.ts'

const http = useAccounts()
const DAY = 86_400
const PATH = '/settings/crypto-account-details'
const ANNA = 'anna@wallet.example'
const OFFER = 'lno1zcss9mk8y3wkklfvevcrszlmu23kfrxh49px20665dqwmn4p72pksese'
const [FIRST, SECOND] = ADDRESSES

/** The destinations that were looked at. */
let looked: string[] = []

beforeEach(() => {
  looked = []
  http.hooks.payees = {
    takesOffers: false,
    fetchInvoice: () => Promise.reject(new Error('no invoice is asked for')),
    async check({ value }) {
      looked.push(value)
      if (value.startsWith('nobody@')) throw new PayeeRefused('The wallet’s server knows no such Lightning address.')
      if (value.startsWith('broken@')) throw new Error('a mistake')
      return { minMsat: 1_000n, maxMsat: 100_000_000n }
    },
  }
})
afterEach(() => {
  http.hooks.payees = null
})

/** Saves, while a worker works. */
async function put(player: TestPlayer, details: object) {
  let isOver = false
  const answer = http
    .call('PUT', PATH, { token: player.access, body: { password: PASSWORD, ...details } })
    .finally(() => (isOver = true))
  while (!isOver) {
    await http.mailsTo('nobody@example.org') // the worker: it does what is due
    await new Promise((resolve) => setImmediate(resolve))
  }
  return await answer
}

const saved = async (player: TestPlayer) => (await http.call('GET', PATH, { token: player.access })).body

async function idOf({ email }: TestPlayer): Promise<string | undefined> {
  const client = await http.database.connect()
  const { rows } = await client.query<{ id: string }>('select id from players where email = $1', [email])
  return rows[0]?.id
}

/** A day later an access token has ended. */
async function aDayLater(player: TestPlayer): Promise<void> {
  await http.runtime.clock.advance(DAY)
  const { body } = await http.call('POST', '/auth/refresh', { token: player.refresh })
  Object.assign(player, { access: body.access_token, refresh: body.refresh_token })
}

/** The destination that payouts go to. */
async function paidTo(player: TestPlayer): Promise<string | null> {
  const client = await http.database.connect()
  const { rows } = await client.query<{ value: string }>(
    `select value from player_destinations where player_id = $1 and superseded_at is null and seal is not null
       and paid_from <= $2 order by id desc limit 1`,
    [await idOf(player), http.runtime.clock.now()],
  )
  return rows[0]?.value ?? null
}

const stopLinkIn = (mail: { links: string[] }) => mail.links.find((link) => link.includes('/stop-address-change/'))

describe('a destination over Lightning', () => {
  it('is looked at by a worker, saved in one spelling, and used as soon as its notice was handed over', async () => {
    const player = await http.register()
    expect(await saved(player)).toEqual({
      btc_address: null,
      lightning: null,
      pay_first: null,
      pay_first_from: null,
      lightning_kinds: ['ADDRESS'],
    })
    expect((await put(player, { lightning: ' Anna@Wallet.Example ' })).status).toBe(200)
    const now = http.runtime.clock.now()
    expect(await saved(player)).toMatchObject({ lightning: { kind: 'ADDRESS', value: ANNA, usable_from: now } })
    const mail = await http.mailTo(player.email)
    expect([mail.subject, stopLinkIn(mail)]).toEqual(['Your Lightning address was changed', undefined])
    expect(await paidTo(player)).toBe(ANNA)
    expect(looked).toEqual([ANNA])
  })

  it('is not looked at again if it is the one saved', async () => {
    const player = await http.register()
    await put(player, { lightning: ANNA })
    expect((await put(player, { lightning: ANNA, btc_address: FIRST })).status).toBe(200)
    expect(looked).toEqual([ANNA])
    expect(await saved(player)).toMatchObject({ btc_address: FIRST, lightning: { value: ANNA } })
  })

  it('a changed one is used 24 hours after its notice was handed over', async () => {
    const player = await http.register()
    await put(player, { lightning: ANNA })
    await put(player, { lightning: 'bob@wallet.example' })
    const [mail] = await http.mailsTo(player.email)
    expect(mail?.subject).toBe('Your Lightning address was changed')
    const { lightning } = await saved(player)
    expect(lightning).toEqual({
      kind: 'ADDRESS',
      value: 'bob@wallet.example',
      usable_from: http.runtime.clock.now() + DAY,
    })
    await http.runtime.clock.advance(DAY - 1)
    expect(await paidTo(player)).toBe(ANNA)
    await http.runtime.clock.advance(1)
    expect(await paidTo(player)).toBe('bob@wallet.example')
  })

  it('saving the one in use again cancels the change', async () => {
    const player = await http.register()
    await put(player, { lightning: ANNA })
    await put(player, { lightning: 'bob@wallet.example' })
    await put(player, { lightning: ANNA })
    expect(stopLinkIn(await http.mailTo(player.email))).toBeUndefined()
    await http.runtime.clock.advance(2 * DAY)
    expect(await paidTo(player)).toBe(ANNA)
  })

  it('a removed one is used no more at once, and neither an older one; the next one is no first one', async () => {
    const player = await http.register()
    await put(player, { lightning: ANNA })
    await put(player, { lightning: 'bob@wallet.example' })
    await http.mailsTo(player.email)
    await aDayLater(player)
    expect((await put(player, { lightning: null })).status).toBe(200)
    expect(await http.mailTo(player.email)).toMatchObject({
      subject: 'Your Lightning address was removed',
      text: expect.stringContaining('bob@wallet.example') as string,
    })
    expect([await paidTo(player), (await saved(player)).lightning]).toEqual([null, null])
    await put(player, { lightning: ANNA })
    await http.mailsTo(player.email)
    expect(await paidTo(player)).toBeNull()
    await aDayLater(player)
    expect(await paidTo(player)).toBe(ANNA)
    expect((await put(player, { lightning: null })).status).toBe(200)
    expect((await put(player, { lightning: null })).status).toBe(200) // there is none to remove
  })

  it.each([
    [
      'a text that is no address',
      'anna',
      'This is no Lightning address. It looks like an email address: name@wallet.com.',
    ],
    [
      'an address of a number',
      'anna@127.0.0.1',
      'This is no Lightning address. It looks like an email address: name@wallet.com.',
    ],
    ['an offer, where the node cannot pay one', OFFER, 'Offers cannot be paid here. Please save a Lightning address.'],
    [
      'one that its server does not know',
      'nobody@wallet.example',
      'The wallet’s server knows no such Lightning address.',
    ],
    ['one that could not be looked at', 'broken@wallet.example', 'It could not be checked. Please try again later.'],
  ])('is refused with the reason, and not saved: %s', async (_what, lightning, message) => {
    const player = await http.register()
    expect(await put(player, { lightning, btc_address: FIRST })).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_LIGHTNING_DESTINATION', message } },
    })
    expect(await saved(player)).toMatchObject({ btc_address: null, lightning: null })
  })

  it('no server is asked without the right password, and none too often', async () => {
    const player = await http.register()
    expect(await put(player, { lightning: ANNA, password: 'Wrong-1-Horse' })).toMatchObject({
      code: 'INVALID_CREDENTIALS',
    })
    expect(looked).toEqual([])
    for (let tries = 0; tries < 20; tries += 1) await put(player, { lightning: `nobody@w${tries}.example` })
    expect(await put(player, { lightning: ANNA })).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' })
    expect(looked).toHaveLength(20)
  })

  it('an answer that does not come in ten seconds is a refusal, and nothing is saved by a later one', async () => {
    const player = await http.register()
    const { monotonic } = http.runtime
    const nowMs = monotonic.nowMs
    Object.assign(monotonic, { nowMs: () => nowMs() * 100 })
    try {
      const body = { lightning: ANNA, password: PASSWORD }
      expect(await http.call('PUT', PATH, { token: player.access, body })).toMatchObject({
        status: 400,
        body: { error: { message: 'It could not be checked in time. Please try again.' } },
      })
    } finally {
      Object.assign(monotonic, { nowMs })
    }
    await http.mailsTo(player.email)
    expect([looked, (await saved(player)).lightning]).toEqual([[], null])
  })

  it('an installation without Lightning saves none, and says so', async () => {
    http.hooks.payees = null
    const player = await http.register()
    expect((await saved(player)).lightning_kinds).toEqual([])
    expect(await put(player, { lightning: ANNA })).toMatchObject({
      status: 400,
      body: { error: { message: 'Winnings are not paid over Lightning here.' } },
    })
  })

  it('an offer is saved where the node can pay one', async () => {
    http.hooks.payees = { ...http.hooks.payees, takesOffers: true } as typeof http.hooks.payees
    const player = await http.register()
    expect((await put(player, { lightning: OFFER })).status).toBe(200)
    expect(await saved(player)).toMatchObject({
      lightning: { kind: 'OFFER', value: OFFER },
      lightning_kinds: ['ADDRESS', 'OFFER'],
    })
  })

  it('a check whose answer nobody read goes with the daily clean-up', async () => {
    const client = await http.database.connect()
    const count = async () => (await client.query('select from destination_checks')).rowCount
    await client.query(`insert into destination_checks (created_at, kind, value) values ($1, 'ADDRESS', 'x')`, [
      http.runtime.clock.now() - DAY,
    ])
    await http.transaction((tx) => cleanUp(http.accounts, tx))
    expect(await count()).toBe(1)
    await http.runtime.clock.advance(1)
    await http.transaction((tx) => cleanUp(http.accounts, tx))
    expect(await count()).toBe(0)
  })
})

describe('what is paid first', () => {
  it('the first choice counts at once, and a changed one after 24 hours', async () => {
    const player = await http.register()
    const now = http.runtime.clock.now()
    await put(player, { pay_first: 'LIGHTNING' })
    expect(await saved(player)).toMatchObject({ pay_first: 'LIGHTNING', pay_first_from: now })
    const first = await http.mailTo(player.email)
    expect([first.subject, stopLinkIn(first)]).toEqual(['How you are paid first was changed', undefined])
    await put(player, { pay_first: 'ONCHAIN' })
    expect(await saved(player)).toMatchObject({ pay_first: 'ONCHAIN', pay_first_from: now + DAY })
    expect(stopLinkIn(await http.mailTo(player.email))).toBeDefined()
    await put(player, { pay_first: 'LIGHTNING' })
    expect(await saved(player)).toMatchObject({ pay_first: 'LIGHTNING', pay_first_from: now })
  })

  it('an unknown way is refused', async () => {
    const player = await http.register()
    expect(await put(player, { pay_first: 'CASH' })).toMatchObject({ status: 400, code: 'INVALID_PAYLOAD' })
  })
})

describe('the link that stops a change', () => {
  it('stops everything that waits, ends every session and reports it by mail', async () => {
    const player = await http.register()
    await put(player, { btc_address: FIRST, lightning: ANNA, pay_first: 'LIGHTNING' })
    await put(player, { btc_address: SECOND, lightning: 'thief@wallet.example', pay_first: 'ONCHAIN' })
    const links = (await http.mailsTo(player.email)).flatMap((mail) => stopLinkIn(mail) ?? [])
    expect(links).toHaveLength(3)
    const id = await idOf(player)
    const stop = (link: string | undefined) =>
      http.call('POST', '/auth/stop-address-change', { body: { key: keyOf(link) } })
    expect((await stop(links[1])).status).toBe(200)
    expect(await http.call('GET', '/profile', { token: player.access })).toMatchObject({ status: 401 })
    expect((await http.mailTo(player.email)).subject).toBe('The change of how you are paid was stopped')
    for (const link of [links[0], links[2]]) expect(await stop(link)).toMatchObject({ code: 'INVALID_KEY' })
    await http.runtime.clock.advance(2 * DAY)
    const client = await http.database.connect()
    const newest = async (table: string, column: string) =>
      (
        await client.query<{ value: string }>(
          `select ${column} as value from ${table} where player_id = $1 and superseded_at is null order by id desc limit 1`,
          [id],
        )
      ).rows[0]?.value
    expect([
      await newest('player_addresses', 'address'),
      await newest('player_destinations', 'value'),
      await newest('player_pay_first', 'pay_first'),
    ]).toEqual([FIRST, ANNA, 'LIGHTNING'])
  })

  it('one change that is taken back leaves the link of another that waits', async () => {
    const player = await http.register()
    await put(player, { btc_address: FIRST, lightning: ANNA })
    await put(player, { lightning: 'thief@wallet.example' })
    const link = stopLinkIn(await http.mailTo(player.email))
    await put(player, { btc_address: SECOND })
    await put(player, { btc_address: FIRST })
    expect((await http.call('POST', '/auth/stop-address-change', { body: { key: keyOf(link) } })).status).toBe(200)
  })
})

describe('a password that was reset by mail before the address was verified', () => {
  it('takes away the destination that somebody else may have left', async () => {
    const player = await http.register()
    await put(player, { lightning: ANNA, pay_first: 'LIGHTNING' })
    await http.call('GET', `/auth/forgotten-password?email=${player.email}`)
    const mail = await http.mailTo(player.email)
    const key = keyOf(mail.links.find((link) => link.includes('/reset-password/')))
    const body = { key, password: 'Fresh-1-Horse', password_confirm: 'Fresh-1-Horse' }
    const reset = await http.call('PUT', '/auth/reset-password', { body })
    expect([reset.status, reset.text]).toEqual([200, expect.anything()])
    const client = await http.database.connect()
    const { rowCount } = await client.query(
      `select from player_destinations d join players p on p.id = d.player_id where p.email = $1`,
      [player.email],
    )
    expect(rowCount).toBe(0)
  })
})
