import type { DrawMoney } from '@fairball/contract/schemas/game'
import { gameByKey } from '@fairball/domain/seeds'
import { luckyDip } from '@fairball/domain/lucky-dip'
import { btcToSats } from '@fairball/domain/money'
import { expect, it } from 'vitest'
import { START_AT, testLottery, type TestLottery } from '../../../test/lottery.ts'
import { seededRandom } from '../../../test/seeded-random.ts'
import { casesOf } from '../../../test/share.ts'
import { bankroll, suspense } from '../ledger/accounts.ts'
import { balanceOf, postTransfer } from '../ledger/service.ts'
import { readDraw } from './service.ts'

const GAME = 'bitcoin-hero'
const HERO = gameByKey(GAME)
if (HERO === null) throw new Error('bitcoin-hero is one of the games')
const FIRST_START_AT = START_AT + 15 * 60
const RUNS = casesOf({ all: 40, share: 16 })
const PARTNERS = [1, 2, 3].map((place) => ({
  id: `p${place}`,
  name: `Partner ${place}`,
  url: `https://p${place}.example`,
  address: null,
}))

const random = seededRandom('the money of draws')
const below = (limit: number): number => (random.bytes(1)[0] ?? 0) % limit
const aLine = (): number[] => luckyDip({ pick: HERO.pick, pool: HERO.pool }, (count) => random.bytes(count))
const sats = (amount: DrawMoney['stakes']): bigint => btcToSats(amount.crypto.value)

interface OpenDraw extends Record<string, unknown> {
  readonly id: string
  readonly number: number
  readonly start_at: string
  readonly end_at: string
  readonly weekday: number
}

/** What the ledger's accounts gained in total through a draw, by kind: another way to the same figures. */
async function gainedByKind({ rows }: TestLottery, drawId: string): Promise<(kind: string) => bigint> {
  const found = await rows<{ kind: string; sats: string }>(
    `select a.kind, sum(p.amount_sats) as sats from postings p join ledger_accounts a on a.id = p.account_id
     join transfers t on t.id = p.transfer_id where t.event like 'draw.%' and t.key = t.event || ':' || $1 group by 1`,
    [drawId],
  )
  const byKind = new Map(found.map((row) => [row.kind, BigInt(row.sats)]))
  return (kind) => byKind.get(kind) ?? 0n
}

/** The next draw, with lines in it, drawn so that its first line has this many matches. */
async function playDraw(
  product: TestLottery,
  playerId: bigint,
  plan: { lines: number; matches: number; bankrollSats: number },
) {
  const { rows, buy, moveTo, lottery, runtime } = product
  const [draw] = await rows<OpenDraw>(
    `select id, number, start_at, end_at, weekday from draws
     where game_key = $1 and status = 'open' and closes_at > $2 order by start_at limit 1`,
    [GAME, runtime.clock.now()],
  )
  if (draw === undefined) throw new Error('no draw is open')
  const chosen = aLine()
  const lines = Array.from({ length: plan.lines }, () => (below(4) === 0 ? chosen : aLine()))
  if (lines.length > 0)
    await buy({
      playerId,
      gameKey: GAME,
      lines: [chosen, ...lines.slice(1)].slice(0, lines.length),
      days: [draw.weekday],
    })
  const lent = (await balanceOf(product.db, bankroll)) - BigInt(plan.bankrollSats)
  const lend = (event: string, sats: bigint) =>
    product.db.transaction((tx) =>
      postTransfer(tx, {
        event,
        subject: draw.id,
        at: runtime.clock.now(),
        moves: [sats > 0n ? { from: bankroll, to: suspense, sats } : { from: suspense, to: bankroll, sats: -sats }],
      }),
    )
  await lend('test.lent', lent)
  await moveTo(Number(draw.start_at))
  await lend('test.given-back', -lent)
  const others = Array.from({ length: HERO?.pool ?? 0 }, (_, place) => place + 1).filter(
    (number) => !chosen.includes(number),
  )
  const numbers = [...chosen.slice(0, plan.matches), ...others.slice(0, chosen.length - plan.matches)]
  await product.rig(GAME, numbers)
  await moveTo(Number(draw.end_at))
  return { id: draw.id, details: await readDraw(lottery.results, GAME, draw.number) }
}

it('the parts of a draw add up to its stakes and what came from the pool and the bankroll, as in the ledger', async () => {
  const product = await testLottery({ partners: PARTNERS })
  const playerId = await product.addPlayer({ address: null })
  const seen = { jackpot: 0, jackpotOfBankroll: 0, fixed: 0, cover: 0, scaled: 0, nothing: 0, noEntries: 0 }
  await product.moveTo(FIRST_START_AT - 600)

  for (let run = 0; run < RUNS; run++) {
    const plan = {
      lines: [0, 1, 3, 12][below(4)] ?? 0,
      matches: [0, 2, 3, 4, 5, 5][below(6)] ?? 0,
      // of the £20,000 floor and £2,000 cover: none, the floor, all
      bankrollSats: [0, 20_000_000, 22_000_000][below(3)] ?? 0,
    }
    const { id, details } = await playDraw(product, playerId, plan)
    const { money, prizes } = details
    if (money === null || prizes === false) throw new Error('a settled draw has its money')
    const at = `draw ${details.number}: ${JSON.stringify(plan)}`

    const cameIn = sats(money.stakes) + sats(money.from_pool) + sats(money.from_bankroll)
    const wentOut =
      sats(money.donation) + sats(money.fee) + sats(money.prizes) + sats(money.jackpot) + sats(money.to_next)
    expect(wentOut, at).toBe(cameIn)
    expect(sats(money.prize_pool_share), at).toBe(sats(money.stakes) - sats(money.donation) - sats(money.fee))
    for (const amount of [money.from_pool, money.from_bankroll, money.to_next])
      expect(sats(amount), at).toBeGreaterThanOrEqual(0n)

    const gained = await gainedByKind(product, id)
    const released = { fee: money.released?.fee, donation: money.released?.donation }
    const releasedSats = (part: DrawMoney['stakes'] | undefined) => (part === undefined ? 0n : sats(part))
    expect(
      {
        stakes: -gained('stakes_held'),
        donation: gained('donation_pool'),
        fee: gained('fee_reserve'),
        pool: gained('prize_pool'),
        bankroll: -gained('bankroll'),
        winnings: gained('winnings'),
        partners: gained('partner'),
        operator: gained('operator_fee'),
        pot: gained('pot'),
        reserve: gained('reserve'),
      },
      at,
    ).toEqual({
      stakes: sats(money.stakes),
      donation: sats(money.donation) - releasedSats(released.donation),
      fee: sats(money.fee) - releasedSats(released.fee),
      pool: sats(money.to_next) - sats(money.from_pool),
      bankroll: sats(money.from_bankroll),
      winnings: sats(money.prizes) + sats(money.jackpot),
      partners: releasedSats(released.donation),
      operator: releasedSats(released.fee),
      pot: 0n,
      reserve: 0n,
    })

    const paid = (type: 'JACKPOT' | 'PRIZE') =>
      prizes
        .filter((prize) => prize.type === type && prize.crypto !== null)
        .reduce((sum, prize) => sum + BigInt(prize.number_of_wins) * btcToSats(prize.crypto?.value ?? '0'), 0n)
    expect([sats(money.prizes), sats(money.jackpot)], at).toEqual([paid('PRIZE'), paid('JACKPOT')])
    expect(money.released === null, at).toBe(details.jackpot === false && paid('JACKPOT') === 0n && !wonJackpot(prizes))

    if (wonJackpot(prizes)) seen.jackpot += 1
    if (wonJackpot(prizes) && sats(money.from_bankroll) > 0n) seen.jackpotOfBankroll += 1
    if (sats(money.prizes) > 0n) seen.fixed += 1
    if (!wonJackpot(prizes) && sats(money.from_bankroll) > 0n) seen.cover += 1
    if (details.is_scaled) seen.scaled += 1
    if (cameIn > 0n && sats(money.prizes) + sats(money.jackpot) === 0n) seen.nothing += 1
    if (details.entries === 0) seen.noEntries += 1
  }

  // A run without one of these would not test it.
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0)
  // Only the numbers are wrong, which the test chose: a reader of the log finds each of them.
  expect(await product.violations()).toEqual([])
}, 120_000)

it('nothing of a draw’s money is revealed before its last ball is shown', async () => {
  const product = await testLottery()
  const playerId = await product.addPlayer()
  const moneyOf = async () => (await readDraw(product.lottery.results, GAME, 1)).money
  await product.buy({ playerId, gameKey: GAME, lines: [aLine()], days: [3] })
  expect(await moneyOf()).toBeNull()
  await product.moveTo(FIRST_START_AT + 99)
  expect(await moneyOf()).toBeNull()
  await product.moveTo(FIRST_START_AT + 100)
  expect((await moneyOf())?.stakes.crypto.value).toBe('0.00001000')
})

function wonJackpot(prizes: readonly { type: string; number_of_wins: number }[]): boolean {
  return prizes.some((prize) => prize.type === 'JACKPOT' && prize.number_of_wins > 0)
}
