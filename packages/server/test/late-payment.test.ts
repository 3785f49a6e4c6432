import { describe, expect, it } from 'vitest'
import { testApplication } from './application.ts'

const HERO = 'bitcoin-hero'

function order(days: number[]) {
  const tickets = [{ isLuckyDip: true, numbers: [1, 2, 3, 4, 5] }]
  return { type: 'lotto', key: HERO, days, weeks: 1, tickets }
}

/** A player with an order that names draw 1, which closes ten minutes after the start, on a Wednesday. */
async function orderBeforeTheClose(days: number[]) {
  const application = await testApplication({ games: 'one game' })
  const { call, signUp, logIn } = application
  const player = await signUp()
  const { bearer, email } = player
  const made = await call('POST', '/payment', { bearer, body: order(days) })
  const id = String(made.body.transaction_id)
  const games = await call('GET', '/games')
  const { next_draw: draw } = games.body.find((game: { key: string }) => game.key === HERO)
  // A fresh bearer token each time: one lives ten minutes of the clock that these tests move.
  const asPlayer = async (path: string) => (await call('GET', path, { bearer: await logIn(email) })).body
  const payment = () => asPlayer(`/payment?transaction_id=${id}`)
  const plays = async (): Promise<{ id: string; date: number; draw: null }[]> =>
    (await asPlayer(`/games/${HERO}/plays`)).data.results
  const messages = async (): Promise<{ title: string; content: string }[]> =>
    (await asPlayer('/settings/messages')).results
  const mails = async (): Promise<{ subject: string; text: string }[]> =>
    (await call('GET', `/dev/mail?to=${email}`)).body
  return { ...application, id, draw, payment, plays, messages, mails }
}

describe('an order that is confirmed after the close of a draw it named', () => {
  it('the order plays in the next draw, and page, message and mail name it', async () => {
    const { call, moveTo, draw, id, payment, plays, messages, mails } = await orderBeforeTheClose([3])
    await moveTo(draw.ticket_sell_closes_at + 30)
    expect((await call('POST', '/dev/pay', { body: { transaction_id: id } })).body).toEqual({ status: 'PAID' })

    // The demo's first draw is at noon; the next one is the regular draw of the same day.
    const nextAt = 18 * 3600 + draw.start_at - (draw.start_at % 86_400)
    const paid = await payment()
    expect(paid).toMatchObject({ status: 'PAID', moved: [{ from: 1, to: 2, date: nextAt }] })
    const [play] = await plays()
    expect(play).toMatchObject({ date: nextAt, draw: null })
    expect(paid.order.draws).toEqual([
      { number: 2, start_at: nextAt, ticket_sell_closes_at: nextAt - 300, play_id: play?.id },
    ])

    const told = (await messages()).find((message) => message.title === 'Your Bitcoin Hero lines moved to a later draw')
    expect(told?.content).toContain('confirmed after sales for draw 1 of Bitcoin Hero had closed')
    expect(told?.content).toContain('in draw 2 on Wed, Jan 1, 6:00 PM (London) instead of draw 1')
    const mail = (await mails()).find((one) => one.subject === told?.title)
    expect(mail?.text).toContain('in draw 2 on Wed, Jan 1, 6:00 PM (London) instead of draw 1')
    // The receipt does not claim that they are where they were meant to be.
    const receipt = (await messages()).find((message) => message.title === 'Your Bitcoin Hero numbers are in')
    expect(receipt?.content).toContain('in draw 2')
    expect(receipt?.content).not.toContain('the draws you chose')
  })

  it('the order moves even if its payment was seen in time and the block came late', async () => {
    const { call, moveTo, draw, id, payment } = await orderBeforeTheClose([3])
    await moveTo(draw.ticket_sell_closes_at - 60)
    const body = { transaction_id: id, confirmations: 0 }
    expect((await call('POST', '/dev/pay', { body })).body).toEqual({ status: 'PROCESSING' })
    expect(await payment()).toMatchObject({ status: 'PROCESSING' })
    await moveTo(draw.start_at + 600)
    expect(await payment()).toMatchObject({ status: 'PAID', moved: [{ from: 1, to: 2 }] })
  })

  it('the entries of the order’s other draws stay where they are', async () => {
    const { call, moveTo, draw, id, payment, plays } = await orderBeforeTheClose([3, 4])
    await moveTo(draw.ticket_sell_closes_at + 30)
    await call('POST', '/dev/pay', { body: { transaction_id: id } })
    expect((await payment()).moved).toMatchObject([{ from: 1, to: 2 }])
    const dates = await plays()
    expect(dates.map(({ date }) => new Date(date * 1000).getUTCDay())).toEqual(expect.arrayContaining([3, 4]))
  })

  it('no message is sent if the order is confirmed in time', async () => {
    const { call, moveTo, draw, id, payment, messages } = await orderBeforeTheClose([3])
    await moveTo(draw.ticket_sell_closes_at - 1)
    await call('POST', '/dev/pay', { body: { transaction_id: id } })
    const { moved, order, status } = await payment()
    expect([status, moved, order.paid_at]).toEqual(['PAID', undefined, draw.ticket_sell_closes_at - 1])
    const titles = (await messages()).map((message) => message.title)
    expect(titles).toContain('Your Bitcoin Hero numbers are in')
    expect(titles).not.toContain('Your Bitcoin Hero lines moved to a later draw')
  })
})

describe('the payment page of an unpaid order', () => {
  it('the page shows what the order costs, what is missing and until when, and once that is over, its lines', async () => {
    const { call, moveTo, payment, id, runtime } = await orderBeforeTheClose([6])
    const madeAt = runtime.clock.now()
    const expiresAt = madeAt + 900
    const unpaid = await payment()
    const { price, draws } = unpaid.order
    expect(price.fiat.GBP.value).toBe(1)
    expect(draws).toMatchObject([{ ticket_sell_closes_at: draws[0].start_at - 300, play_id: null }])
    expect(new Date(draws[0].start_at * 1000).getUTCDay()).toBe(6)
    expect(unpaid).toEqual({
      status: 'PENDING',
      game_key: HERO,
      order: {
        game_key: HERO,
        created_at: madeAt,
        paid_at: null,
        expires_at: expiresAt,
        price,
        missing: price.crypto,
        draws,
        lines: [{ numbers: [1, 2, 3, 4, 5], is_lucky_dip: true }],
      },
    })
    const [{ play_id: _none, ...ref }] = draws
    expect((await call('GET', `/checkout/${id}`)).body.draw_refs).toEqual([ref])

    const amount = '0.00000400'
    await call('POST', '/dev/pay', { body: { transaction_id: id, amount, confirmations: 0 } })
    const missing = (Number(price.crypto.value) - Number(amount)).toFixed(8)
    expect(await payment()).toMatchObject({ status: 'UNDERPAID', order: { missing: { value: missing, code: 'BTC' } } })

    const other = await orderBeforeTheClose([6])
    await other.moveTo(other.runtime.clock.now() + 901)
    const expired = await other.payment()
    expect(expired).toMatchObject({
      status: 'EXPIRED',
      order: { missing: null, lines: [{ numbers: [1, 2, 3, 4, 5] }] },
    })
    await other.call('POST', '/dev/pay', { body: { transaction_id: other.id } })
    expect(await other.payment()).toMatchObject({ status: 'PAID', order: { draws: [{ play_id: expect.any(String) }] } })
    await moveTo(expiresAt + 1)
    expect(await payment()).toMatchObject({ status: 'REFUNDED', order: { missing: null } })
  })
})
