import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { FIXTURE_DUE_SATS, FIXTURE_GAME, moneyFixture } from '../../../test/money.ts'
import { TEST_START_AT, testRuntime } from '../../runtime/test-runtime.ts'
import { winnings } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import { checkoutOf, moneyOf, paymentOf } from './service.ts'

const DUE = FIXTURE_DUE_SATS
const MINUTE = 60
const DAY = 86_400
const EXPIRES_AT = TEST_START_AT + 15 * MINUTE
const HELD_UNTIL = EXPIRES_AT + 90 * MINUTE

/**
 * An order for two draws, paid immediately. The test decides when a block takes the payment and when the provider is
 * reachable.
 */
async function fixture(
  options: {
    firstClosesAt?: number
    tellsBlockTime?: boolean
    requiredConfirmations?: number
    isAwayFromStart?: boolean
  } = {},
) {
  const { firstClosesAt = TEST_START_AT + 100 * DAY, tellsBlockTime = true, requiredConfirmations = 1 } = options
  const { db, connect } = await testDatabase()
  const client = await connect()
  const runtime = testRuntime()
  const rows = async (text: string, values: unknown[] = []) =>
    (await client.query<Record<string, unknown>>(text, values)).rows
  let minedAt: number | null = null
  let secondBlockAt: number | null = null
  let isAway = options.isAwayFromStart === true
  let isClockWrong = false
  const money = await moneyFixture({
    db,
    runtime,
    requiredConfirmations,
    isClockWrong: () => isClockWrong,
    wrapProvider: (provider) => ({
      ...provider,
      tellsBlockTime,
      nextLookAt: (now) => (Math.floor(now / MINUTE) + 1) * MINUTE,
      async get(ref) {
        if (isAway) throw new Error('the provider is away')
        const { outputs } = await provider.get(ref)
        const now = runtime.clock.now()
        const isMined = minedAt !== null && minedAt <= now
        const confirmations = isMined ? (secondBlockAt !== null && secondBlockAt <= now ? 2 : 1) : 0
        return {
          outputs: outputs.map(({ minedAt: _ofChain, ...output }) => ({
            ...output,
            confirmations: tellsBlockTime || confirmations >= requiredConfirmations ? confirmations : 0,
            ...(isMined && tellsBlockTime && minedAt !== null ? { minedAt } : {}),
          })),
        }
      },
    }),
  })
  const [first, second] = [
    await money.draw(11, firstClosesAt + 5 * MINUTE),
    await money.draw(12, TEST_START_AT + 101 * DAY),
  ]
  await money.draw(13, TEST_START_AT + 102 * DAY)
  const { id: playerId } = await money.player({ hasAddress: false })
  const orderId = await money.order(playerId, [first, second])
  if (isAway) {
    const { address } = await moneyOf(money.payments, orderId)
    await money.chain.payIn({ address: address ?? '', sats: DUE, minedConfirmations: 0 })
  } else await money.pay(orderId, DUE, 0)
  return {
    ...money,
    rows,
    orderId,
    playerId,
    mineAt: (at: number | null) => void (minedAt = at),
    deepenAt: (at: number) => void (secondBlockAt = at),
    setAway: (away: boolean) => void (isAway = away),
    setClockWrong: (wrong: boolean) => void (isClockWrong = wrong),
    price: (satsPerPound: bigint) =>
      rows(`insert into rates (at, currency, sats_per_unit) values ($1, 'GBP', $2)`, [HELD_UNTIL, satsPerPound]),
    status: async () => (await moneyOf(money.payments, orderId)).status,
    closeFirst: () => rows(`update draws set status = 'closed' where id = $1`, [first]),
    draws: async () =>
      (await rows(`select d.number from plays p join draws d on d.id = p.draw_id order by 1`)).map(
        (row) => row['number'],
      ),
    owed: () => balanceOf(db, winnings(playerId)),
  }
}

describe('a payment that was seen in time and is in no block', () => {
  it('a payment keeps price and draws if a block holds it 89 minutes after the expiry, even after a close', async () => {
    const test = await fixture({ firstClosesAt: EXPIRES_AT + 30 * MINUTE })
    await test.moveTo(EXPIRES_AT + 40 * MINUTE)
    await test.closeFirst()
    await test.price(2000n)
    test.mineAt(EXPIRES_AT + 89 * MINUTE)
    await test.moveTo(EXPIRES_AT + 91 * MINUTE)
    expect(await test.status()).toBe('PAID')
    expect(await test.draws()).toEqual([12, 13])
    expect(test.orderNews).toMatchObject([{ kind: 'paid', isLate: false }, { kind: 'moved' }])
    expect(await test.problems()).toEqual([])
  })

  it('a payment in a block 91 minutes after the expiry counts at the same rate with all draws open', async () => {
    const test = await fixture()
    test.mineAt(EXPIRES_AT + 91 * MINUTE)
    await test.moveTo(EXPIRES_AT + 90 * MINUTE)
    expect(await test.status()).toBe('EXPIRED')
    await test.moveTo(EXPIRES_AT + 101 * MINUTE)
    expect(await test.status()).toBe('PAID')
    expect(await test.draws()).toEqual([11, 12])
    expect(test.orderNews).toMatchObject([
      { kind: 'expired', isPaymentSeen: true },
      { kind: 'paid', isLate: true },
    ])
    expect(await test.problems()).toEqual([])
  })

  it('a payment 91 minutes after the expiry is refunded if bitcoin fell by 3%', async () => {
    const test = await fixture()
    await test.price(1031n)
    test.mineAt(EXPIRES_AT + 91 * MINUTE)
    await test.moveTo(EXPIRES_AT + 101 * MINUTE)
    expect([await test.status(), await test.owed()]).toEqual(['REFUNDED', DUE])
    expect(await test.problems()).toEqual([])
  })

  it('a payment 91 minutes after the expiry is refunded if a draw has closed', async () => {
    const test = await fixture({ firstClosesAt: EXPIRES_AT + 30 * MINUTE })
    await test.moveTo(EXPIRES_AT + 40 * MINUTE)
    await test.closeFirst()
    test.mineAt(EXPIRES_AT + 91 * MINUTE)
    await test.moveTo(EXPIRES_AT + 101 * MINUTE)
    expect([await test.status(), await test.owed()]).toEqual(['REFUNDED', DUE])
    expect(await test.draws()).toEqual([])
    expect(await test.problems()).toEqual([])
  })

  it.each([
    ['in time', EXPIRES_AT + 80 * MINUTE, 'PAID'],
    ['too late', EXPIRES_AT + 100 * MINUTE, 'REFUNDED'],
  ])('a payment is judged by the time of its block, %s, even if the node was down', async (_when, at, status) => {
    const test = await fixture()
    await test.price(2000n)
    await test.moveTo(EXPIRES_AT + 60 * MINUTE)
    test.setAway(true)
    test.mineAt(at)
    await test.moveTo(EXPIRES_AT + 120 * MINUTE)
    expect(await test.status()).toBe('PROCESSING')
    test.setAway(false)
    await test.moveTo(EXPIRES_AT + 200 * MINUTE)
    expect(await test.status()).toBe(status)
    expect(await test.problems()).toEqual([])
  })

  it.each([
    ['its provider could not be read', 'within it', 120 + 25, 'PAID'],
    ['its provider could not be read', 'after it', 120 + 40, 'REFUNDED'],
    ['the clock rule stopped us', 'during that', 100, 'PAID'],
    ['the clock rule stopped us', 'after it', 120 + 40, 'REFUNDED'],
  ] as const)(
    'a payment gets extra time because %s, if no block time is reported: %s',
    async (why, _when, minutes, status) => {
      const test = await fixture({ tellsBlockTime: false })
      const stop = why === 'the clock rule stopped us' ? test.setClockWrong : test.setAway
      await test.price(2000n)
      await test.moveTo(EXPIRES_AT + 60 * MINUTE)
      stop(true)
      if (minutes < 120) test.mineAt(EXPIRES_AT + minutes * MINUTE)
      await test.moveTo(EXPIRES_AT + 120 * MINUTE)
      stop(false)
      test.mineAt(EXPIRES_AT + minutes * MINUTE)
      await test.moveTo(EXPIRES_AT + 180 * MINUTE)
      expect(await test.status()).toBe(status)
    },
  )

  it('a check almost a minute late does not extend the hold if no block time is reported', async () => {
    const test = await fixture({ tellsBlockTime: false })
    await test.moveTo(EXPIRES_AT + 10 * MINUTE)
    const late = EXPIRES_AT + 12 * MINUTE - 1
    test.runtime.clock.set(late)
    await test.moveTo(late)
    await test.moveTo(HELD_UNTIL)
    expect(await test.status()).toBe('EXPIRED')
  })

  it.each([
    ['told, and a block holds it in time', true, 10, 'PAID'],
    ['told, and a block holds it too late', true, 100, 'REFUNDED'],
    ['not told, and a block holds it when it is first read', false, 10, 'PAID'],
    ['not told, and a block holds it within the time that was added', false, 125, 'PAID'],
    ['not told, and a block holds it after that', false, 120 + 100, 'REFUNDED'],
  ])(
    'but was first read two hours after the expiry is judged as if it had been read: block time %s',
    async (_case, tellsBlockTime, minutes, status) => {
      const test = await fixture({ tellsBlockTime, isAwayFromStart: true })
      await test.price(2000n)
      test.mineAt(EXPIRES_AT + minutes * MINUTE)
      await test.moveTo(EXPIRES_AT + 120 * MINUTE)
      expect(await test.status()).toBe('PENDING')
      test.setAway(false)
      await test.moveTo(EXPIRES_AT + 300 * MINUTE)
      expect(await test.status()).toBe(status)
      expect(await test.problems()).toEqual([])
    },
  )

  it('a payment may reach the required depth after the hold', async () => {
    const test = await fixture({ requiredConfirmations: 2 })
    await test.price(2000n)
    test.mineAt(HELD_UNTIL - MINUTE)
    test.deepenAt(HELD_UNTIL + 120 * MINUTE)
    await test.moveTo(HELD_UNTIL + 60 * MINUTE)
    expect(await test.status()).toBe('PROCESSING')
    await test.moveTo(HELD_UNTIL + 121 * MINUTE)
    expect(await test.status()).toBe('PAID')
  })

  it('a payment whose block the chain takes back has 90 minutes from then to get into another', async () => {
    const test = await fixture({ requiredConfirmations: 2 })
    await test.price(2000n)
    test.mineAt(HELD_UNTIL - MINUTE)
    await test.moveTo(HELD_UNTIL + 10 * MINUTE)
    test.mineAt(null)
    await test.moveTo(HELD_UNTIL + 60 * MINUTE)
    expect(await test.status()).toBe('PROCESSING')
    await test.moveTo(HELD_UNTIL + 130 * MINUTE)
    expect(await test.status()).toBe('EXPIRED')
  })

  it('a payment loses nothing while the clock rule stops us', async () => {
    const test = await fixture()
    test.setClockWrong(true)
    await test.price(2000n)
    await test.moveTo(HELD_UNTIL + 30 * MINUTE)
    expect(await test.status()).toBe('PROCESSING')
    test.mineAt(HELD_UNTIL - MINUTE)
    test.setClockWrong(false)
    await test.moveTo(HELD_UNTIL + 50 * MINUTE)
    expect(await test.status()).toBe('PAID')
  })

  it('the end of the hold frees tickets and limits, as the expiry does for a partly paid order', async () => {
    const test = await fixture()
    await test.rows(`insert into free_tickets (player_id, game_key, won, held) values ($1, $2, 1, 1)`, [
      test.playerId,
      FIXTURE_GAME,
    ])
    await test.rows(`update orders set free_count = 1 where id = $1`, [test.orderId])
    const held = async () => (await test.rows(`select held from free_tickets`))[0]?.['held']
    await test.moveTo(HELD_UNTIL - MINUTE)
    expect([await test.status(), await held()]).toEqual(['PROCESSING', 1])
    await test.moveTo(HELD_UNTIL)
    expect([await test.status(), await held()]).toEqual(['EXPIRED', 0])
    // The other order was paid in part, by a payment that is not confirmed either.
    const { id } = await test.player({ hasAddress: false })
    const [{ id: draw } = { id: 0n }] = await test.rows(`select id from draws order by id desc limit 1`)
    const part = await test.order(id, [BigInt(String(draw))])
    expect(await test.pay(part, DUE - 1n, 0)).toBe('UNDERPAID')
    await test.moveTo(HELD_UNTIL + 15 * MINUTE)
    expect((await moneyOf(test.payments, part)).status).toBe('EXPIRED')
  })

  it('the status says when a payment has to be in a block, until it is', async () => {
    const test = await fixture({ requiredConfirmations: 2 })
    const told = async () => [
      (await paymentOf(test.payments, test.orderId, test.playerId)).block_by ?? null,
      (await checkoutOf(test.payments, test.orderId)).block_by,
    ]
    expect(await told()).toEqual([HELD_UNTIL, HELD_UNTIL])
    await test.moveTo(HELD_UNTIL + MINUTE)
    expect(await test.status()).toBe('EXPIRED')
    expect(await told()).toEqual([HELD_UNTIL, HELD_UNTIL])
    const other = await fixture({ requiredConfirmations: 2 })
    other.mineAt(TEST_START_AT + MINUTE)
    await other.moveTo(TEST_START_AT + 2 * MINUTE)
    expect((await checkoutOf(other.payments, other.orderId)).block_by).toBe(null)
  })
})
