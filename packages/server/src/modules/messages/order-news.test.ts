import { describe, expect, it } from 'vitest'
import { chainOfPayments } from '../../../test/chain-of-payments.ts'
import { ADDRESSES, START_AT, testLottery } from '../../../test/lottery.ts'
import type { OutgoingMail } from '../../ports/mail/mailer.ts'
import { createOrder } from '../orders/service.ts'
import { openInvoice, refreshPayments } from '../payments/service.ts'
import { timeIn } from './player-words.ts'
import { sendMail } from './sending.ts'

const HERO = 'bitcoin-hero'
const MINUTE = 60
const HOUR = 60 * MINUTE
const SITE = 'http://localhost:3000'
/** One line in two draws at £1 and 1,000 sats per pound. */
const DUE = 2000n

/** An order for tomorrow's draw and the one after; its player has an address and reads everything. */
async function newOrder(days = [4, 5], reader: { address?: string | null; isVerified?: boolean } = {}) {
  const test = await testLottery()
  const chain = chainOfPayments(test)
  const playerId = await test.addPlayer(reader)
  const tickets = [{ numbers: [1, 2, 3, 4, 5], isLuckyDip: false }]
  const order = { playerId, gameKey: HERO, days, weeks: 1, tickets, idempotencyKey: null }
  const { orderId } = await createOrder(test.lottery.orders, order)
  await openInvoice(test.lottery.payments, orderId)
  /** What the player got, the same by mail and in the inbox. @returns subject and text, oldest first */
  const told = async (): Promise<{ subject: string; text: string }[]> => {
    // Waiting mails are encrypted.
    for (const { id } of await test.rows<{ id: string }>(
      `select id from mail_outbox where sent_at is null order by id`,
    ))
      await sendMail(test.lottery.messages, BigInt(id))
    const mails = await test.rows<{ subject: string; text: string; links: string[] }>(
      `select subject, text, links from mail_outbox where player_id = $1 and category = 'payment' order by id`,
      [playerId],
    )
    const messages = await test.rows<{ title: string; action: string }>(
      `select title, $2::text || action_path as action from messages where player_id = $1 and title not like '%on its way%' order by id`,
      [playerId, SITE],
    )
    expect(messages.map(({ title }) => title)).toEqual(mails.map(({ subject }) => subject))
    expect(messages.map(({ action }) => action)).toEqual(mails.map(({ links }) => links[0]))
    for (const { text, links } of mails) {
      expect(links[0]).toMatch(/^http:\/\/localhost:3000\/./)
      expect(text).not.toMatch(/undefined|null|NaN|\[object|  /)
    }
    return mails
  }
  return {
    ...test,
    chain,
    orderId,
    told,
    subjects: async () => (await told()).map(({ subject }) => subject),
    /** the text of the newest, in one line */
    newest: async () => ((await told()).at(-1)?.text ?? '').replaceAll(/\s+/g, ' '),
    look: () => refreshPayments(test.lottery.payments, orderId),
    pass: (seconds: number) => test.moveTo(test.runtime.clock.now() + seconds),
  }
}

describe('messages to a player about an order', () => {
  it('an underpaid order reports what is missing and until when, once for each amount', async () => {
    const test = await newOrder()
    await test.chain.pay(test.orderId, 500n, 1)
    for (let times = 0; times < 3; times += 1) await test.look()
    expect(await test.subjects()).toEqual(['£1.50 is still missing from your Bitcoin Hero order'])
    expect(await test.newest()).toContain('Send the missing £1.50 (0.00001500 BTC) by Wed, Jan 1, 12:15 PM (London)')
    expect(await test.newest()).toContain(`${SITE}/game/${HERO}?transaction_id=${test.orderId}`)
    await test.chain.pay(test.orderId, 500n, 1)
    await test.look()
    expect((await test.subjects()).at(-1)).toBe('£1.00 is still missing from your Bitcoin Hero order')
    await test.pass(16 * MINUTE)
    await test.look()
    expect((await test.subjects()).slice(2)).toEqual(['Your Bitcoin Hero payment is refunded'])
    expect(await test.newest()).toContain(
      'was less than it costs, and the rest did not come in time. The whole £1.00 (0.00001000 BTC) goes back to you',
    )
    // More for the same order, of the same amount: another refund, and reported as one.
    await test.chain.pay(test.orderId, 1000n, 1)
    await test.look()
    await test.look()
    expect((await test.subjects()).slice(3)).toEqual(['Your Bitcoin Hero payment is refunded'])
    expect(await test.newest()).toContain('More came for your Bitcoin Hero order after its payment was refunded.')
  })

  it('a paid order lists its lines and its draws by date, with balls as pictures and the draws as a calendar file', async () => {
    const test = await newOrder()
    await test.chain.pay(test.orderId, DUE, 1)
    await test.look()
    const sent: OutgoingMail[] = []
    const mailer = {
      isOutboxKept: false,
      close: () => undefined,
      send: async (mail: OutgoingMail) => void sent.push(mail),
    }
    const painted: number[][] = []
    const paintBalls = async ({ numbers }: { numbers: readonly number[] }) => {
      painted.push([...numbers])
      return Buffer.from('balls')
    }
    const [waiting] = await test.rows<{ id: string }>(`select id from mail_outbox where sent_at is null`)
    await sendMail({ ...test.lottery.messages, mailer, paintBalls }, BigInt(waiting?.id ?? 0))
    const [mail] = sent
    const draws = await test.rows<{ number: number; at: string }>(
      `select d.number, d.start_at as at from plays p join draws d on d.id = p.draw_id
        where p.order_id = $1 order by d.start_at`,
      [test.orderId],
    )
    expect(draws).toHaveLength(2)
    const time = timeIn('Europe/London', test.runtime.clock.now())
    expect(mail?.text).toContain(draws.map(({ number, at }) => `Draw ${number}: ${time(Number(at))}`).join('\n'))
    expect(mail?.text).toContain('Line A: 1, 2, 3, 4, 5')
    expect(mail?.html).toContain('<img src="cid:balls-1" alt="Line A: 1, 2, 3, 4, 5"')
    expect(painted).toEqual([[1, 2, 3, 4, 5]])
    expect(mail?.parts?.map(({ name, inline }) => [name, inline])).toEqual([
      ['balls-1.png', 'balls-1'],
      [`${HERO}-draws.ics`, null],
    ])
    const calendar = Buffer.from(mail?.parts?.[1]?.content ?? []).toString()
    for (const { number, at } of draws) {
      expect(calendar).toContain(`UID:${HERO}-${number}@localhost:3000\r\n`)
      const start = new Date(Number(at) * 1000).toISOString().replaceAll(/[-:]|\.\d+/g, '')
      expect(calendar).toContain(`DTSTART:${start}\r\n`)
    }
    expect(calendar).toContain('1 line. Watch: http://localhost:3000/game/bitcoin-hero/watch')
  })

  it('an expired order reports that nothing is owed, and what happens to a late payment', async () => {
    const test = await newOrder()
    await test.pass(16 * MINUTE)
    for (let times = 0; times < 3; times += 1) await test.look()
    expect(await test.subjects()).toEqual(['Your Bitcoin Hero order has expired'])
    expect(await test.newest()).toContain('You owe nothing.')
    expect(await test.newest()).toContain('it counts if it is confirmed within 24 hours')
    await test.chain.pay(test.orderId, DUE, 1)
    await test.look()
    expect((await test.subjects()).slice(1)).toEqual(['Your Bitcoin Hero numbers are in'])
    expect(await test.newest()).toContain(
      'We received £2.00 (0.00002000 BTC) for your Bitcoin Hero order. It arrived late, but it still counts. Your numbers are in the draws you chose.',
    )
  })

  it('an order that expires unpaid sends no mail to a never-verified address, and a late payment does', async () => {
    const test = await newOrder([4, 5], { isVerified: false })
    await test.pass(16 * MINUTE)
    await test.look()
    const subjects = async (table: string, title: string) =>
      (await test.rows<{ title: string }>(`select ${title} as title from ${table} order by id`)).map((row) => row.title)
    expect(await subjects('messages', 'title')).toEqual(['Your Bitcoin Hero order has expired'])
    expect(await subjects('mail_outbox', 'subject')).toEqual([])
    await test.chain.pay(test.orderId, DUE, 1)
    await test.look()
    expect(await subjects('mail_outbox', 'subject')).toEqual(['Your Bitcoin Hero numbers are in'])
  })

  it('an order paid too late reports the refund', async () => {
    const test = await newOrder()
    await test.pass(26 * HOUR)
    await test.chain.pay(test.orderId, DUE, 1)
    await test.look()
    expect((await test.subjects()).slice(1)).toEqual(['Your Bitcoin Hero payment is refunded'])
    expect(await test.newest()).toContain('came too late to be used. The whole £2.00 (0.00002000 BTC) goes back to you')
    expect(await test.newest()).toContain(`less the network fee. It goes to your payout address ${ADDRESSES[0]}.`)
  })

  it.each([
    ['an address', {}, `It goes to your payout address ${ADDRESSES[0]}.`],
    ['no address', { address: null }, 'Add a payout address to receive it.'],
    ['an unverified email address', { isVerified: false }, 'Verify your email address to receive it.'],
  ])('an overpaid order with %s says where the excess goes', async (_with, reader, where) => {
    const test = await newOrder([4, 5], reader)
    await test.chain.pay(test.orderId, DUE + 700n, 1)
    await test.look()
    expect(await test.newest()).toContain(`less the network fee. ${where}`)
  })

  it('an order overpaid and paid twice reports each excess once', async () => {
    const test = await newOrder()
    await test.chain.pay(test.orderId, DUE + 700n, 1)
    await test.look()
    await test.look()
    expect(await test.subjects()).toEqual([
      'Your Bitcoin Hero numbers are in',
      'You paid more than your Bitcoin Hero order costs',
    ])
    expect((await test.told())[0]?.text).toContain('We received £2.00 (0.00002000 BTC) for your Bitcoin Hero order.')
    expect(await test.newest()).toContain('You overpaid your Bitcoin Hero order by £0.70 (0.00000700 BTC).')
    await test.chain.pay(test.orderId, DUE, 1)
    await test.look()
    await test.look()
    expect((await test.subjects()).slice(2)).toEqual(['You paid more than your Bitcoin Hero order costs'])
    expect(await test.newest()).toContain('by £2.00 (0.00002000 BTC).')
  })

  it('an excess that the chain took back before it left is reported as not sent', async () => {
    const test = await newOrder()
    await test.rows(`delete from player_addresses`)
    await test.chain.pay(test.orderId, DUE, 1)
    const more = await test.chain.pay(test.orderId, 700n, 1)
    await test.look()
    await test.chain.lose(more)
    expect(await test.chain.settleDoubts(test.orderId)).toBe('PAID')
    expect((await test.subjects()).slice(2)).toEqual(['Your Bitcoin Hero payment was reversed'])
    expect(await test.newest()).toContain('what we were to send back to you of it is not sent')
  })

  it('an order confirmed after a close names the draws its lines left and joined', async () => {
    const test = await newOrder([3])
    await test.moveTo(START_AT + 10 * MINUTE - 10)
    await test.chain.pay(test.orderId, 1000n, 0)
    await test.look()
    await test.pass(10 * MINUTE)
    expect(await test.subjects()).toEqual([
      'Your Bitcoin Hero numbers are in',
      'Your Bitcoin Hero lines moved to a later draw',
    ])
    expect(await test.newest()).toMatch(/in draw 2 on Wed, Jan 1, 6:00 PM \(London\) instead of draw 1/)
  })

  it('a payment that the chain undoes and restores is reported each time', async () => {
    const test = await newOrder()
    const outpoint = await test.chain.pay(test.orderId, DUE, 1)
    await test.look()
    for (let times = 0; times < 2; times += 1) {
      await test.chain.toMempool(outpoint)
      await test.chain.settleDoubts(test.orderId)
      await test.look()
      await test.chain.mine(outpoint)
      await test.chain.settleDoubts(test.orderId)
      await test.look()
    }
    const both = ['Your Bitcoin Hero payment was reversed', 'Your Bitcoin Hero numbers are in again']
    expect((await test.subjects()).slice(1)).toEqual([...both, ...both])
    expect(await test.newest()).toContain(
      'Your payment is confirmed again: £2.00 (0.00002000 BTC) for your Bitcoin Hero order.',
    )
    expect((await test.told()).at(-2)?.text).toContain('Your lines are out of the draws whose sales had not closed.')
  })

  it('an order whose payment is gone for good is reported as expired', async () => {
    const test = await newOrder()
    const outpoint = await test.chain.pay(test.orderId, DUE, 1)
    await test.look()
    await test.pass(20 * MINUTE)
    await test.chain.lose(outpoint)
    expect(await test.chain.settleDoubts(test.orderId)).toBe('EXPIRED')
    expect((await test.subjects()).slice(1)).toEqual([
      'Your Bitcoin Hero payment was reversed',
      'Your Bitcoin Hero order has expired',
    ])
    expect(await test.newest()).toContain('that the bitcoin network took back has not come again')
  })
})
