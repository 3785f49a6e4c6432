import { describe, expect, it } from 'vitest'
import type { OrderStatus } from '@fairball/domain/order-status'
import { FIXTURE_DUE_SATS as DUE } from '../money.ts'
import { seededNumbers, shuffled } from './outside.ts'
import { btcpaySide, opennodeSide, shop, type Shop, type Side } from './shop.ts'
import { casesOf } from '../share.ts'

const MINUTE = 60
const ORDERS = 10
const STORM = casesOf({ all: 10_000, share: 300 })
/** Deliveries that come in at the same moment. */
const TOGETHER = 20

/** What happens to the orders, one kind after the other; `late` after their expiry. */
const KINDS: { name: string; pay: (side: Side, ref: string) => void; late?: true; came: bigint }[] = [
  { name: 'paid', pay: (side, ref) => void side.pay(ref, DUE, true), came: DUE },
  { name: 'paid, then mined', pay: (side, ref) => side.mine(ref, side.pay(ref, DUE, false)), came: DUE },
  { name: 'underpaid', pay: (side, ref) => void side.pay(ref, DUE - 1n, true), came: DUE - 1n },
  { name: 'overpaid', pay: (side, ref) => void side.pay(ref, DUE + 7n, true), came: DUE + 7n },
  { name: 'paid over Lightning', pay: (side, ref) => side.payOverLightning(ref), came: DUE },
  { name: 'replaced away', pay: (side, ref) => side.replaceAway(ref, side.pay(ref, DUE, false)), came: 0n },
  { name: 'unpaid', pay: () => undefined, came: 0n },
  {
    name: 'replaced by another to us',
    pay(side, ref) {
      side.replaceAway(ref, side.pay(ref, DUE, false))
      side.pay(ref, DUE, true)
    },
    came: DUE,
  },
  {
    name: 'paid twice',
    pay(side, ref) {
      side.pay(ref, DUE, true)
      side.pay(ref, DUE, true)
    },
    came: DUE * 2n,
  },
  { name: 'paid late', pay: (side, ref) => void side.pay(ref, DUE, true), late: true, came: DUE },
]

const SIDES = [
  // BTCPay's money is in the operator's own wallet; the payer of an underpaid charge at OpenNode can take it back.
  ['BTCPay', btcpaySide, { underpaid: 'REFUNDED' }],
  ['OpenNode', opennodeSide, { underpaid: 'EXPIRED' }],
] as const

/** The final status of each kind, and what the player is then owed. */
function endOf(name: string, came: bigint, underpaid: OrderStatus): [OrderStatus, bigint] {
  if (name === 'underpaid') return underpaid === 'REFUNDED' ? ['REFUNDED', came] : [underpaid, 0n]
  return came === 0n ? ['EXPIRED', 0n] : ['PAID', came - DUE]
}

async function happen(one: Shop, options: { withMessages: boolean }) {
  const number = seededNumbers(17)
  const made: { orderId: string; playerId: bigint; ref: string; kind: (typeof KINDS)[number] }[] = []
  for (let place = 0; place < ORDERS; place += 1) {
    const kind = KINDS[place % KINDS.length]
    if (kind !== undefined) made.push({ ...(await one.order()), kind })
  }
  const startAt = one.now()
  for (const { kind, ref } of made) if (kind.late !== true) kind.pay(one.side, ref)
  if (options.withMessages) {
    for (const delivery of shuffled(one.side.deliveries, number)) expect(await one.deliver(delivery)).toBe(200)
    await one.runDue()
    for (const { kind, orderId } of made) {
      const isPaid = kind.came >= DUE && kind.late !== true
      // No poll was needed: no second has passed.
      expect([kind.name, await one.statusOf(orderId)]).toEqual([
        kind.name,
        isPaid ? 'PAID' : kind.name === 'underpaid' ? 'UNDERPAID' : 'PENDING',
      ])
    }
  }
  await one.moveTo(startAt + 16 * MINUTE)
  const before = one.side.deliveries.length
  for (const { kind, ref } of made) if (kind.late === true) kind.pay(one.side, ref)
  if (options.withMessages) {
    for (const delivery of one.side.deliveries.slice(before)) expect(await one.deliver(delivery)).toBe(200)
    await one.runDue()
  } else await one.moveTo(startAt + 26 * MINUTE)
  return made
}

describe.each(SIDES)('orders paid at %s', (_name, startSide, { underpaid }) => {
  async function expectEnd(one: Shop, made: Awaited<ReturnType<typeof happen>>): Promise<void> {
    let came = 0n
    for (const { kind, orderId, playerId } of made) {
      const end = endOf(kind.name, kind.came, underpaid)
      expect([kind.name, await one.statusOf(orderId), await one.owedTo(playerId)]).toEqual([kind.name, ...end])
      came += end[0] === 'EXPIRED' ? 0n : kind.came
    }
    expect(await one.booked()).toEqual({ came, undecided: 0n })
    expect(await one.problems()).toEqual([])
  }

  it('orders end as their money says if no message ever comes', { timeout: 120_000 }, async () => {
    const one = await shop(startSide)
    await expectEnd(one, await happen(one, { withMessages: false }))
  })

  it(
    'orders end the same with messages; thousands more of these, shuffled and forged, change nothing',
    { timeout: 240_000 },
    async () => {
      const one = await shop(startSide)
      const made = await happen(one, { withMessages: true })
      await expectEnd(one, made)
      const before = await one.everything()

      const number = seededNumbers(23)
      const genuine = [...one.side.deliveries]
      const messages = one.side.messages()
      const storm = Array.from({ length: STORM }, () => {
        const from = genuine[number(genuine.length)]
        if (from === undefined) throw new Error('there is no message')
        const kind = number(4)
        if (kind === 0) return { delivery: one.side.forged(from, number), status: 401 }
        // Anyone who saw one message of OpenNode's can sign any other about the same charge.
        if (kind === 1) return { delivery: one.side.leaked(from, number) ?? from, status: 200 }
        return { delivery: kind === 2 ? from : one.side.again(from), status: 200 }
      })
      let left = shuffled(storm, number)
      for (; left.length > 0; left = left.slice(TOGETHER)) {
        const statuses = await Promise.all(left.slice(0, TOGETHER).map(({ delivery }) => one.deliver(delivery)))
        expect(statuses).toEqual(left.slice(0, TOGETHER).map(({ status }) => status))
        if (number(20) === 0) await one.runDue()
      }
      expect(one.side.messages()).toBe(messages)
      await one.runDue()
      expect(await one.everything()).toBe(before)
      await expectEnd(one, made)
    },
  )
})
