import { utcOffsetSeconds } from '@fairball/domain/time-zone'
import { describe, expect, it } from 'vitest'
import { useAccounts } from '../../../test/accounts.ts'
import { TIMEZONES, zoneOf } from './timezones.ts'

const http = useAccounts()

describe('the catalogues', () => {
  it('the catalogues are bare arrays: GBP is the first currency, London time zone 202', async () => {
    expect((await http.call('GET', '/currencies')).body.slice(0, 3)).toEqual([
      { id: 1, code: 'GBP' },
      { id: 2, code: 'EUR' },
      { id: 3, code: 'USD' },
    ])
    expect((await http.call('GET', '/timezones')).body).toContainEqual({ id: 202, label: '(UTC+00:00) London' })
    expect((await http.call('GET', '/countries')).body).toContainEqual({
      id: expect.any(Number),
      name: 'United Kingdom',
    })
    expect((await http.call('GET', '/security-questions')).body[0]).toEqual({ id: 1, question: expect.any(String) })
  })

  it('the catalogues answer 304 to a client that has them', async () => {
    const { headers } = await http.call('GET', '/timezones')
    expect(headers['cache-control']).toBe('public, max-age=300')
    const again = await http.call('GET', '/timezones', { headers: { 'if-none-match': String(headers['etag']) } })
    expect(again).toMatchObject({ status: 304, text: '' })
  })

  it('the catalogues know an offset for every time zone, with summer time if there is one', () => {
    const january = Date.UTC(2026, 0, 15) / 1000
    const july = Date.UTC(2026, 6, 15) / 1000
    for (const { zone } of TIMEZONES) expect(utcOffsetSeconds(zone, january)).toBeTypeOf('number')
    expect([january, july].map((at) => utcOffsetSeconds(zoneOf(202), at))).toEqual([0, 3600])
    expect(new Set(TIMEZONES.map(({ label }) => label)).size).toBe(TIMEZONES.length)
  })
})

describe('winners and causes', () => {
  it('winners are shown under masked names', async () => {
    const [winner] = (await http.call('GET', '/winners')).body
    expect(winner).toMatchObject({ id: '1', user_image: null, game_name: 'Bitcoin Hero', when: 1_735_700_000 })
    expect(winner.user_name).not.toContain('abc2')
  })

  it("the demo's causes are marked as examples", async () => {
    const causes = (await http.call('GET', '/causes')).body
    expect(causes).toHaveLength(2)
    for (const { title } of causes) expect(title).toContain('(example)')
  })
})

describe('the contact form', () => {
  const good = { name: 'A. Person', email: 'person@example.org', country_id: 1, message: 'Hello' }

  it('the form mails the support, with nothing a stranger typed in a header', async () => {
    const body = { ...good, name: 'X\r\nBcc: y@example.org', message: '<b>bold</b>' }
    expect(await http.call('POST', '/contact', { body })).toMatchObject({ status: 201, body: { ok: true } })
    const mail = await http.mailTo('support@fairball.test')
    expect(mail.subject).toMatch(/^Contact message \d+$/)
    expect(mail.html).toContain('&lt;b&gt;bold')
  })

  it.each([
    ['no name', { ...good, name: ' ' }, 'INVALID_PAYLOAD'],
    ['a long name', { ...good, name: 'x'.repeat(251) }, 'INVALID_PAYLOAD'],
    ['no real address', { ...good, email: 'x' }, 'INVALID_EMAIL'],
    ['no country', { ...good, country_id: 0 }, 'INVALID_PAYLOAD'],
    ['an unknown country', { ...good, country_id: 9999 }, 'INVALID_PAYLOAD'],
    ['an empty message', { ...good, message: '' }, 'INVALID_PAYLOAD'],
    ['a message that is too long', { ...good, message: 'x'.repeat(65_001) }, 'INVALID_PAYLOAD'],
  ])('the form refuses %s', async (_, body, code) => {
    expect(await http.call('POST', '/contact', { body })).toMatchObject({ status: 400, code })
  })
})
