import { LotteryError } from '@fairball/domain/errors'
import { describe, expect, it } from 'vitest'
import { calls } from './calls.ts'
import type { Call } from './call.ts'
import { checkInput, FIELDS_MAX } from './check-input.ts'
import type { SentInput } from './check-input.ts'

const ticket = { isLuckyDip: false, numbers: [1, 2, 3, 4, 5] }
const order = { type: 'lotto', key: 'bitcoin-hero', days: [1, 7], weeks: 2, tickets: [ticket] }
const contact = { name: 'Ada', email: 'ada@example.org', country_id: 1, message: 'Hello.' }

/** The fields a request is refused for; null if it is accepted. */
function refusedFields(call: Call, sent: SentInput): Record<string, string> | null {
  try {
    checkInput(call, sent)
    return null
  } catch (error) {
    if (!(error instanceof LotteryError) || error.code !== 'INVALID_PAYLOAD') throw error
    return error.fields ?? {}
  }
}

describe('the page of a list', () => {
  it.each([
    [undefined, 1],
    ['1', 1],
    ['37', 37],
    ['1000000', 1_000_000],
  ])('_page %j is page %i', (_page, expected) => {
    const query = _page === undefined ? {} : { _page }
    expect(checkInput(calls.getDraws, { params: { key: 'treasure' }, query }).query).toEqual({ _page: expected })
  })

  it.each(['', '0', '-1', '+1', '1.5', '01', '1e3', 'abc', ' 1', '1 ', '0x1', 'NaN', '١', ['1', '2'], { a: '1' }])(
    '_page %j is refused',
    (_page) => {
      expect(refusedFields(calls.getTransactions, { query: { _page } })).toEqual({
        _page: 'Must be a positive whole number.',
      })
    },
  )

  it.each(['100000001', '99999999999999999999'])('page %s is past the end of every list', (_page) => {
    expect(checkInput(calls.getTransactions, { query: { _page } }).query).toEqual({ _page: 100_000_000 })
  })

  it('unknown keys of the query are ignored', () => {
    expect(checkInput(calls.getMessages, { query: { _page: '2', utm: 'x' } }).query).toEqual({ _page: 2 })
  })
})

describe('an order', () => {
  it('a complete order is accepted', () => {
    const headers = { 'idempotency-key': 'k-1', host: 'x' }
    const input = checkInput(calls.createPayment, { headers, body: order })
    expect(input.body).toEqual(order)
    expect(input.headers).toEqual({ 'idempotency-key': 'k-1' })
  })

  it('an order with an unknown game is accepted, because its error is a 404 of the service', () => {
    expect(refusedFields(calls.createPayment, { headers: {}, body: { ...order, key: 'no-such-game' } })).toBeNull()
  })

  it.each<[string, unknown, string]>([
    ['no body', undefined, 'body'],
    ['a null body', null, 'body'],
    ['a list as body', [], 'body'],
    ['a text as body', 'x', 'body'],
    ['an empty body', {}, 'type'],
    ['another type', { ...order, type: 'raffle' }, 'type'],
    ['an unknown key', { ...order, price: 1 }, 'price'],
    ['a key that is not a text', { ...order, key: 5 }, 'key'],
    ['a key with a NUL', { ...order, key: 'a\0' }, 'key'],
    ['no days', { ...order, days: [] }, 'days'],
    ['day 0', { ...order, days: [0] }, 'days.0'],
    ['day 8', { ...order, days: [1, 8] }, 'days.1'],
    ['half a day', { ...order, days: [1.5] }, 'days.0'],
    ['a day as text', { ...order, days: ['1'] }, 'days.0'],
    ['a day twice', { ...order, days: [1, 1] }, 'days'],
    ['days that are not a list', { ...order, days: 1 }, 'days'],
    ['0 weeks', { ...order, weeks: 0 }, 'weeks'],
    ['-1 weeks', { ...order, weeks: -1 }, 'weeks'],
    ['1.5 weeks', { ...order, weeks: 1.5 }, 'weeks'],
    ['weeks as text', { ...order, weeks: '2' }, 'weeks'],
    ['weeks beyond any integer', { ...order, weeks: 1e300 }, 'weeks'],
    ['null weeks', { ...order, weeks: null }, 'weeks'],
    ['no lines', { ...order, tickets: [] }, 'tickets'],
    ['1,001 lines', { ...order, tickets: Array.from({ length: 1001 }, () => ticket) }, 'tickets'],
    ['a line without numbers', { ...order, tickets: [{ isLuckyDip: true, numbers: [] }] }, 'tickets.0.numbers'],
    ['a repeated number', { ...order, tickets: [{ ...ticket, numbers: [1, 1, 2, 3, 4] }] }, 'tickets.0.numbers'],
    ['number 0', { ...order, tickets: [{ ...ticket, numbers: [0, 1, 2, 3, 4] }] }, 'tickets.0.numbers.0'],
    ['number 65', { ...order, tickets: [{ ...ticket, numbers: [1, 2, 3, 4, 65] }] }, 'tickets.0.numbers.4'],
    ['a fraction', { ...order, tickets: [{ ...ticket, numbers: [1.5, 2, 3, 4, 5] }] }, 'tickets.0.numbers.0'],
    ['a number as text', { ...order, tickets: [{ ...ticket, numbers: ['1', 2, 3, 4, 5] }] }, 'tickets.0.numbers.0'],
    ['a null number', { ...order, tickets: [{ ...ticket, numbers: [null, 2, 3, 4, 5] }] }, 'tickets.0.numbers.0'],
    ['a line without isLuckyDip', { ...order, tickets: [{ numbers: [1, 2] }] }, 'tickets.0.isLuckyDip'],
    ['an unknown key in a line', { ...order, tickets: [{ ...ticket, bonus: 1 }] }, 'tickets.0.bonus'],
    ['a null line', { ...order, tickets: [null] }, 'tickets.0'],
    ['a key named __proto__', JSON.parse(`{"__proto__":1,${JSON.stringify(order).slice(1)}`), '__proto__'],
  ])('an order with %s is refused', (_, body, field) => {
    const fields = refusedFields(calls.createPayment, { headers: {}, body })
    expect(Object.keys(fields ?? {})).toContain(field)
    for (const message of Object.values(fields ?? {})) expect(message).toMatch(/^(Must|Is) .*\.$/)
  })

  it.each(['', 'x'.repeat(256), 'tab\t', 'é'])('an order with the idempotency key %j is refused', (key) => {
    const fields = refusedFields(calls.createPayment, { headers: { 'idempotency-key': key }, body: order })
    expect(fields).toEqual({ 'idempotency-key': 'Must be 1 to 255 printable ASCII characters.' })
  })

  it('an order full of mistakes is answered with a limited list of fields', () => {
    const tickets = Array.from({ length: 1000 }, () => ({ numbers: ['x'] }))
    expect(
      Object.keys(refusedFields(calls.createPayment, { headers: {}, body: { ...order, tickets } }) ?? {}),
    ).toHaveLength(FIELDS_MAX)
  })
})

describe('a two-factor code', () => {
  it.each([
    [123456, '123456'],
    [1234, '001234'],
    [0, '000000'],
    ['012345', '012345'],
    ['12345', '012345'],
  ])('a two-factor code %j means %s', (code, digits) => {
    expect(checkInput(calls.verifyTwofa, { body: { code } }).body).toEqual({ code: digits })
  })

  it.each([-1, 1_000_000, 1.5, '', '1234567', '12a456', ' 12345', null, true, [], undefined])(
    'a two-factor code %j is refused',
    (code) => {
      expect(refusedFields(calls.verifyTwofa, { body: { code } })).toEqual({ code: 'Must be a number of six digits.' })
    },
  )
})

describe('values with their own error code', () => {
  it.each<[string, Call, unknown]>([
    ['a weak password', calls.register, { email: 'a@b.c', email_confirm: 'a@b.c', password: 'x' }],
    ['a bad address', calls.register, { email: 'nobody', email_confirm: 'other', password: '' }],
    ['no email and no password', calls.login, {}],
    ['a bad username', calls.savePersonalDetails, { username: ' <b>', email: 'x', timezone_id: 202, currency_id: 1 }],
    ['a bad bitcoin address', calls.saveCryptoAccountDetails, { btc_address: 'bc1nonsense', password: 'x' }],
    [
      'an empty security answer',
      calls.saveSecurityQuestionSetting,
      { is_active: true, security_question_id: 1, answer: '' },
    ],
  ])('%s is left to the service', (_, call, body) => {
    expect(refusedFields(call, { body })).toBeNull()
  })

  it('a forgotten-password call without an address is passed on to the service', () => {
    expect(refusedFields(calls.requestPasswordReset, { query: {} })).toBeNull()
  })
})

describe('other requests', () => {
  it.each<[string, Call, SentInput, string]>([
    ['a password of 251 characters', calls.verifyPassword, { body: { password: 'x'.repeat(251) } }, 'password'],
    ['a password that is a number', calls.login, { body: { email_or_username: 'a', password: 1 } }, 'password'],
    ['registering without anything', calls.register, { body: {} }, 'email'],
    ['a second step with a key only', calls.loginSecure, { body: { key: 'k' } }, 'twofa_code'],
    ['revoking no session', calls.revokeSessions, { body: { tokens: [] } }, 'tokens'],
    ['a validation without a key', calls.checkLoginSecureKey, { query: {} }, 'key'],
    ['a key sent twice', calls.checkResetPasswordKey, { query: { key: ['a', 'b'] } }, 'key'],
    ['a contact message without a name', calls.sendContactMessage, { body: { ...contact, name: ' ' } }, 'name'],
    [
      'a contact message without a country',
      calls.sendContactMessage,
      { body: { ...contact, country_id: 0 } },
      'country_id',
    ],
    ['an empty contact message', calls.sendContactMessage, { body: { ...contact, message: '' } }, 'message'],
    [
      'a contact message of 65,001 characters',
      calls.sendContactMessage,
      { body: { ...contact, message: 'x'.repeat(65_001) } },
      'message',
    ],
    ['a draw number of letters', calls.getDraw, { params: { key: 'treasure', number: 'abc' } }, 'number'],
    ['draw 0', calls.getDraw, { params: { key: 'treasure', number: '0' } }, 'number'],
    ['a game key with a NUL', calls.getWatch, { params: { key: '\0' } }, 'key'],
    ['a payment without an id', calls.getPayment, { query: {} }, 'transaction_id'],
    ['read as a text', calls.markMessage, { params: { id: '1' }, body: { is_read: 'true' } }, 'is_read'],
    ['switching two-factor off without proof', calls.disableTwofa, { body: {} }, 'password'],
    ['switching two-factor off without a body', calls.disableTwofa, {}, 'body'],
    ['a weekly limit below zero', calls.saveResponsiblePlay, { body: { weekly_limit: -1 } }, 'weekly_limit'],
    [
      'a weekly limit with a fraction of a penny',
      calls.saveResponsiblePlay,
      { body: { weekly_limit: 0.003 } },
      'weekly_limit',
    ],
    ['no saved lines', calls.saveNumbers, { params: { key: 'x' }, body: { lines: [] } }, 'lines'],
    ['a clock moved by zero seconds', calls.moveClock, { body: {} }, 'advance'],
    ['a clock moved twice', calls.moveClock, { body: { advance: 1, to: 2 } }, 'advance'],
    ['a clock moved back', calls.moveClock, { body: { advance: -1 } }, 'advance'],
    ['a clock moved 401 days', calls.moveClock, { body: { advance: 401 * 86_400 } }, 'advance'],
    ['a payment of zero', calls.payFromTestWallet, { body: { transaction_id: 'x', amount: '0.00' } }, 'amount'],
    [
      'a payment with a ninth decimal',
      calls.payFromTestWallet,
      { body: { transaction_id: 'x', amount: '0.000000001' } },
      'amount',
    ],
    ['a payment as a number', calls.payFromTestWallet, { body: { transaction_id: 'x', amount: 0.1 } }, 'amount'],
  ])('%s is refused', (_, call, sent, field) => {
    expect(Object.keys(refusedFields(call, sent) ?? {})).toContain(field)
  })

  it.each<[string, Call, SentInput]>([
    ['an amount of money with two decimals', calls.saveResponsiblePlay, { body: { weekly_limit: 19.99 } }],
    ['a removed limit', calls.saveResponsiblePlay, { body: { weekly_limit: null } }],
    [
      'a second step by the question, with an empty code',
      calls.loginSecure,
      { body: { key: 'k', twofa_code: null, security_question_id: 1, security_answer: 'Rex' } },
    ],
    [
      'a contact message of 65,000 characters',
      calls.sendContactMessage,
      { body: { ...contact, message: 'x'.repeat(65_000) } },
    ],
    ['a key of 251 characters that may be that of a game', calls.getWatch, { params: { key: 'x'.repeat(251) } }],
    ['an id of 251 characters', calls.getCheckout, { params: { transaction_id: 'x'.repeat(251) } }],
    [
      'a payment in whole bitcoin',
      calls.payFromTestWallet,
      { body: { transaction_id: 'x', amount: '1', confirmations: 0 } },
    ],
  ])('%s is accepted', (_, call, sent) => {
    expect(refusedFields(call, sent)).toBeNull()
  })
})
