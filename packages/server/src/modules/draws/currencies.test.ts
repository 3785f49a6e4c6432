import { gameByKey, STARTER } from '@fairball/domain/seeds'
import { describe, expect, it } from 'vitest'
import { START_AT, testLottery } from '../../../test/lottery.ts'
import { fixedRates } from '../../ports/rates/fixed-rates.ts'
import type { Rates } from '../../ports/rates/rates.ts'
import { findViolations } from '../invariants/service.ts'
import { bankroll, suspense } from '../ledger/accounts.ts'
import { balanceOf, postTransfer } from '../ledger/service.ts'
import { currentRates, RATE_SECONDS } from '../payments/rates.ts'
import { salesState } from './service.ts'

const HERO = gameByKey('bitcoin-hero') ?? expect.fail('there is no such game')
const DOLLAR = { ...STARTER, currency: 'USD' }
const LINE = [1, 2, 3, 4, 5]
const DOLLAR_START_AT = START_AT + 6 * 3600

/** A lottery with a game in pounds and one in dollars, and live rates that the test sets. */
async function twoCurrencies() {
  const sats = { GBP: 1000n, USD: 770n, EUR: 870n }
  const { sources } = fixedRates
  const quoted = { USD: sources, GBP: sources, EUR: sources } // the lottery begins with the fixed rates
  const rateSource: Rates = {
    isFixed: false,
    sources,
    read: async () => ({
      rates: Object.entries(sats).map(([currency, satsPerUnit]) => ({ currency, satsPerUnit })),
      quotes: Object.entries(quoted).flatMap(([currency, by]) =>
        by.map((source) => ({ source, currency, satsPerUnit: sats[currency as keyof typeof sats] })),
      ),
    }),
  }
  const test = await testLottery({ games: [HERO, DOLLAR] })
  await test.restart({ rateSource })
  const buy = (playerId: bigint, gameKey: string) =>
    test.buy({ playerId, gameKey, lines: [LINE, [1, 2, 3, 6, 7]], days: [3] })
  const sales = async () => {
    const { cause, games } = await salesState(test.lottery.draws, test.db)
    return { cause, games, onSale: games.flatMap(({ gameKey, isOnSale }) => (isOnSale ? [gameKey] : [])) }
  }
  return { test, sats, quoted, buy, sales }
}

describe('games in two currencies', () => {
  it('an order, its draw and its prizes take the rate of the game’s own currency', async () => {
    const { test, sats, buy } = await twoCurrencies()
    const { rows } = test
    const playerId = await test.addPlayer()
    Object.assign(sats, { GBP: 960n, USD: 800n })
    await test.moveTo(START_AT + RATE_SECONDS)
    const [pounds, dollars] = [await buy(playerId, HERO.key), await buy(playerId, DOLLAR.key)]
    const orders = await rows(
      `select id, currency, rate_sats::int, price_minor::int, due_sats::int from orders order by game_key`,
    )
    expect(orders).toEqual([
      { id: pounds, currency: 'GBP', rate_sats: 960, price_minor: 200, due_sats: 1920 },
      { id: dollars, currency: 'USD', rate_sats: 800, price_minor: 200, due_sats: 1600 },
    ])
    sats.USD = 840n
    await test.moveTo(DOLLAR_START_AT + 60)
    await test.rig(DOLLAR.key, [1, 2, 3, 30, 31])
    await test.moveTo(DOLLAR_START_AT + 600)
    const draws = await rows(
      `select game_key, currency, rate_sats::int, floor_sats::int from draws where status = 'settled' and stake_sats > 0 order by game_key`,
    )
    expect(draws).toEqual([
      { game_key: HERO.key, currency: 'GBP', rate_sats: 960, floor_sats: 20_000 * 960 },
      { game_key: DOLLAR.key, currency: 'USD', rate_sats: 840, floor_sats: 1500 * 840 },
    ])
    const wins = await rows(
      `select w.amount_sats::int from wins w join draws d on d.id = w.draw_id where d.game_key = 'starter'`,
    )
    expect(wins).toEqual([{ amount_sats: 5 * 840 }, { amount_sats: 5 * 840 }])
    const close = (await test.statementsOf(DOLLAR.key, 1)).find(({ type }) => type === 'close')
    expect(close).toMatchObject({ rate: { currency: 'USD', value: 840 }, quotes: [{ rate: 840 }, { rate: 840 }] })
    expect(await findViolations(test.db)).toEqual([])
    expect(await test.violations()).toEqual([])
  })

  it('the bankroll carries the sum of what each game needs at the rate of its own currency', async () => {
    const { test, sales } = await twoCurrencies()
    const needs = [22_000n * 1000n, 3_500n * 770n]
    const wanted = needs.map((sats) => (sats * 5n) / 4n)
    const { games } = await sales()
    expect(games.map(({ currency, wantedSats }) => [currency, wantedSats])).toEqual([
      ['GBP', wanted[0]],
      ['USD', wanted[1]],
    ])
    const leave = async (sats: bigint) =>
      await test.db.transaction(async (tx) => {
        const taken = (await balanceOf(tx, bankroll)) - sats
        const moves = [{ from: bankroll, to: suspense, sats: taken }]
        await postTransfer(tx, { event: 'test.moved', subject: String(sats), at: test.runtime.clock.now(), moves })
      })
    const sum = (wanted[0] ?? 0n) + (wanted[1] ?? 0n)
    await leave(sum)
    expect((await sales()).onSale).toEqual([HERO.key, DOLLAR.key])
    await leave(sum - 1n)
    expect((await sales()).onSale).toEqual([HERO.key])
  })

  it('a currency that no two sources quote any more is not sold after 15 minutes, and the others are', async () => {
    const { test, sats, quoted, sales, buy } = await twoCurrencies()
    const playerId = await test.addPlayer()
    Object.assign(quoted, { USD: [], EUR: [] })
    Object.assign(sats, { USD: 771n, EUR: 871n })
    const from = test.runtime.clock.now()
    await test.moveTo(from + 3 * RATE_SECONDS)
    expect((await sales()).onSale).toEqual([HERO.key, DOLLAR.key])
    await test.moveTo(from + 4 * RATE_SECONDS)
    expect(await sales()).toMatchObject({ cause: null, onSale: [HERO.key] })
    // As a view, a rate of one source is enough, except in the currency of a game.
    const rates = await currentRates(test.db, test.runtime.clock.now())
    expect([rates.get('USD'), rates.get('EUR')]).toEqual([770n, 871n])
    await buy(playerId, HERO.key)
    await expect(buy(playerId, DOLLAR.key)).rejects.toMatchObject({ code: 'RATE_UNAVAILABLE' })
  })
})
