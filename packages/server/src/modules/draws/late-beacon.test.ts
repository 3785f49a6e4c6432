import { readFileSync } from 'node:fs'
import { QUICKNET, roundDueAt } from '@fairball/domain/protocol/chain'
import { readNote } from '@fairball/domain/protocol/note'
import { readStatement } from '@fairball/domain/protocol/statements'
import { describe, expect, it } from 'vitest'
import { START_AT, testLottery } from '../../../test/lottery.ts'
import { addressIn, testRelay } from '../../../test/relays.ts'
import { textHash } from '@fairball/domain/protocol/hash'
import { gameByKey } from '@fairball/domain/seeds'
import { listGames } from '../games/service.ts'
import { papersOf } from '../payments/service.ts'
import { readDraw, readWatch } from '../results/service.ts'
import { runDraw, takeRound } from './service.ts'

const FIRST_START_AT = START_AT + 15 * 60
const LINES = [
  [1, 2, 3, 4, 5],
  [6, 7, 8, 9, 10],
  [11, 12, 13, 14, 15],
]
const HOUR = 3600
const DAY = 24 * HOUR

/** A game of one draw a week, so that a week without a round is about that draw alone. */
const WEEKLY = {
  ...(gameByKey('bitcoin-hero') ?? expect.fail('there is no such game')),
  drawTimes: [{ day: 3 as const, minuteOfDay: 1080 }],
}

/** A lottery whose beacon is a relay that the test controls. */
async function lotteryWithRelay(startAt = START_AT) {
  const relay = testRelay(startAt - DAY)
  const test = await testLottery({
    startAt,
    games: [WEEKLY],
    fetch: relay.fetch,
    beacon: { current: 'drand', relays: relay.relays, chain: relay.chain },
  })
  relay.now = test.runtime.clock.now
  const draw = async (number = 1) => {
    const [row] = await test.rows<{
      id: string
      status: string
      round: string
      start_at: string
      reveal_from_at: string | null
      pot_sats: string | null
    }>(
      `select id, status, round, start_at, reveal_from_at, pot_sats from draws
        where game_key = 'bitcoin-hero' and number = $1`,
      [number],
    )
    if (row === undefined) throw new Error(`no draw ${number}`)
    return row
  }
  const typesOf = async (number = 1) =>
    (await test.statementsOf('bitcoin-hero', number)).map((statement) => statement.type)
  /** Holds back the round of the first draw, and no other. */
  const withhold = async () => {
    const round = Number((await draw()).round)
    relay.withholds = (asked) => asked === round
  }
  /** Passes an hour through all work that is due, sleeps until an hour before `at`, and passes that hour too. */
  const sleepTo = async (at: number) => {
    const now = test.runtime.clock.now()
    if (at - now > 2 * HOUR) {
      await test.moveTo(now + HOUR)
      test.runtime.clock.set(at - HOUR)
    }
    await test.moveTo(at)
  }
  return { ...test, withhold, sleepTo, lottery: () => test.lottery, relay, draw, typesOf }
}

describe('a draw whose beacon is late', () => {
  it.each([
    ['a minute', 60, 5],
    ['an hour', 3600, 180],
    ['six days', 6 * DAY, 600],
  ])(
    'a draw whose beacon is late by %s waits for it, shows its balls from then on, and is settled',
    async (_name, seconds, mostPause) => {
      const { relay, withhold, draw, typesOf, addPlayer, buy, moveTo, rows, lottery, violations, runtime } =
        await lotteryWithRelay()
      await buy({ playerId: await addPlayer(), gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
      await withhold()
      await moveTo(FIRST_START_AT + seconds)
      expect(await draw()).toMatchObject({ status: 'closed' })
      relay.withholds = () => false
      while ((await draw()).status === 'closed') await moveTo(runtime.clock.now() + 10)
      const { status, reveal_from_at } = await draw()
      expect(status).toBe('drawn')
      const revealFromAt = Number(reveal_from_at)
      expect(revealFromAt).toBeGreaterThanOrEqual(FIRST_START_AT + seconds)
      expect(revealFromAt).toBeLessThanOrEqual(FIRST_START_AT + seconds + mostPause)

      // The show moves with the balls: the first one now, the last 80 s later, the end a minute after that.
      const next = (await listGames(lottery().games, null)).find((game) => game.key === 'bitcoin-hero')?.next_draw
      expect(next).toMatchObject({ number: 1, start_at: FIRST_START_AT, end_at: revealFromAt + 4 * 20 + 60 })
      expect((await readDraw(lottery().results, 'bitcoin-hero', 1)).end_at).toBe(revealFromAt + 140)
      await moveTo(revealFromAt + 79)
      expect((await readWatch(lottery().results, 'bitcoin-hero', null)).prizes).toBe(false)
      await moveTo(revealFromAt + 80)
      expect(await draw()).toMatchObject({ status: 'settled' })
      expect(await typesOf()).toEqual(['open', 'close', 'result'])
      await moveTo(revealFromAt + 140 + 599)
      expect(
        (await listGames(lottery().games, null)).find((game) => game.key === 'bitcoin-hero')?.next_draw.number,
      ).toBe(1)
      await moveTo(revealFromAt + 140 + 600)
      expect(
        (await listGames(lottery().games, null)).find((game) => game.key === 'bitcoin-hero')?.next_draw.number,
      ).not.toBe(1)
      expect(await rows(`select from draws where status = 'void'`)).toEqual([])
      expect(runtime.logged.filter((line) => line['msg'] === 'a job failed')).toEqual([])
      expect(await violations()).toEqual([])
    },
    180_000,
  )

  it('a draw eight days late is void after seven: its entries move on without a stake, its money stays in the game', async () => {
    const { relay, withhold, draw, typesOf, statementsOf, addPlayer, buy, moveTo, sleepTo, rows, lottery, violations } =
      await lotteryWithRelay()
    const playerId = await addPlayer()
    const orderId = await buy({ playerId, gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
    const [before] = await rows<{ id: string; play_id: Buffer }>(`select id, play_id from plays`)
    await moveTo(FIRST_START_AT - 1)
    const papers = () => papersOf(lottery().payments, before?.id ?? '', playerId)
    const [receiptBefore = ''] = (await papers()).receipts.map(({ note }) => note)
    await withhold()
    await sleepTo(FIRST_START_AT + 7 * DAY - 1)
    expect(await draw()).toMatchObject({ status: 'closed', pot_sats: '2400' })
    const poolBefore = await rows<{ sum: string }>(
      `select sum(p.amount_sats) from postings p join ledger_accounts a on a.id = p.account_id
        where a.kind = 'prize_pool' and a.subject = 'bitcoin-hero'`,
    )
    await moveTo(FIRST_START_AT + 7 * DAY)
    expect(await draw()).toMatchObject({ status: 'void' })
    expect(await typesOf()).toEqual(['open', 'close', 'void'])
    expect((await statementsOf('bitcoin-hero', 1)).at(-1)).toMatchObject({
      reason: 'beacon',
      time: FIRST_START_AT + 7 * DAY,
    })

    const [play] = await rows<{
      stake_sats: string
      number: number
      status: string
      play_id: Buffer
    }>(
      `select p.stake_sats, p.play_id, d.number, d.status from plays p join draws d on d.id = p.draw_id
        where p.order_id = $1`,
      [orderId],
    )
    expect(play).toMatchObject({ stake_sats: '0', status: 'open' })
    expect(play?.play_id).not.toEqual(before?.play_id)
    // The receipt of where they went replaces the one before, once they have a leaf there.
    expect((await papers()).receipts).toHaveLength(1)
    await moveTo(FIRST_START_AT + 7 * DAY + 600)
    const [, receiptAfter = ''] = (await papers()).receipts.map(({ note }) => note)
    const textOf = (note: string): string => readNote(note)?.text ?? ''
    expect(readStatement(textOf(receiptAfter))).toMatchObject({
      type: 'receipt',
      reason: 'void',
      supersedes: textHash(textOf(receiptBefore)),
      promise: textHash(textOf((await papers()).promise)),
    })
    const messages = await rows<{ title: string }>(`select * from messages where player_id = $1`, [playerId])
    expect(JSON.stringify(messages)).toContain(String(play?.number))

    // Settle 5: pot and reserve are empty again, and the pool has what the pot had.
    const left = await rows(
      `select a.kind, sum(p.amount_sats)::int as sats from postings p join ledger_accounts a on a.id = p.account_id
        where a.kind in ('pot', 'reserve') and a.subject = $1 group by 1 order by 1`,
      [(await draw()).id],
    )
    expect(left).toEqual([
      { kind: 'pot', sats: 0 },
      { kind: 'reserve', sats: 0 },
    ])
    const poolAfter = await rows<{ sum: string }>(
      `select sum(p.amount_sats) from postings p join ledger_accounts a on a.id = p.account_id
        where a.kind = 'prize_pool' and a.subject = 'bitcoin-hero'`,
    )
    expect(Number(poolAfter[0]?.sum) - Number(poolBefore[0]?.sum)).toBe(2400)

    // The signature comes a day later: nothing changes any more, however it arrives.
    const log = await rows(`select count(*) from log_leaves where type in ('void', 'result')`)
    relay.withholds = () => false
    const round = Number((await draw()).round)
    await takeRound(lottery().draws, { round, signature: relay.signatureOf(round) })
    await runDraw(lottery().draws, BigInt((await draw()).id))
    await lottery().queue.runDue()
    expect(await draw()).toMatchObject({ status: 'void' })
    expect(await rows(`select from beacon_rounds where round = $1`, [String(round)])).toEqual([])
    expect(await rows(`select count(*) from log_leaves where type in ('void', 'result')`)).toEqual(log)
    await moveTo(FIRST_START_AT + 8 * DAY)
    expect(await violations()).toEqual([])

    // The lines are drawn in their new draw, free of charge.
    await moveTo(FIRST_START_AT + 10 * DAY)
    const [joined] = await rows<{ text: string }>(
      `select s.text from plays p join draws d on d.id = p.draw_id join log_leaves s on s.hash = d.close_hash`,
    )
    expect(joined?.text).toMatch(/\nlines 3\nfree 0\ncarried 3\n[^]*\nstake 0\n/)
    expect(await violations()).toEqual([])
  }, 180_000)

  it('a draw is drawn immediately when anyone brings the signature, and by nothing else', async () => {
    const { relay, withhold, draw, addPlayer, buy, moveTo, lottery, rows, runtime, violations } =
      await lotteryWithRelay()
    await buy({ playerId: await addPlayer(), gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
    await withhold()
    await moveTo(FIRST_START_AT + 3 * 3600)
    const round = Number((await draw()).round)
    const signature = relay.signatureOf(round)
    const refused = { code: 'INVALID_PAYLOAD' }
    await expect(takeRound(lottery().draws, { round, signature: relay.signatureOf(round + 1) })).rejects.toMatchObject(
      refused,
    )
    await expect(takeRound(lottery().draws, { round: round + 1, signature })).rejects.toMatchObject(refused)
    const tooFar = Number.MAX_SAFE_INTEGER
    await expect(takeRound(lottery().draws, { round: tooFar, signature })).rejects.toMatchObject({
      fields: { round: 'Must be a round of the near future at most.' },
    })
    expect(await rows(`select from beacon_rounds`)).toEqual([])
    await lottery().queue.runDue()
    expect(await draw()).toMatchObject({ status: 'closed' })

    await takeRound(lottery().draws, { round, signature })
    await lottery().queue.runDue()
    expect(await draw()).toMatchObject({ status: 'drawn', reveal_from_at: String(runtime.clock.now()) })
    await takeRound(lottery().draws, { round, signature })
    await expect(takeRound(lottery().draws, { round, signature: relay.signatureOf(1) })).rejects.toMatchObject(refused)
    await moveTo(runtime.clock.now() + 80)
    expect(await draw()).toMatchObject({ status: 'settled' })
    expect(await violations()).toEqual([])
  })

  it('the newest round that anyone brings is kept, and no other that no draw needs', async () => {
    const { relay, lottery, rows } = await lotteryWithRelay()
    const bring = (round: number) => takeRound(lottery().draws, { round, signature: relay.signatureOf(round) })
    await bring(500)
    await bring(700)
    await bring(600)
    await bring(700)
    expect(await rows(`select from beacon_rounds`)).toEqual([])
    const [chain] = await rows<{ newest_round: string; newest_due_at: string }>(`select * from beacon_chains`)
    expect(Number(chain?.newest_round)).toBe(700)
    expect(Number(chain?.newest_due_at)).toBe(roundDueAt(relay.chain, 700))
  })

  it('a draw is drawn once, however many work on it and bring its round at the same time', async () => {
    const { relay, withhold, draw, addPlayer, buy, moveTo, lottery, rows, violations, runtime } =
      await lotteryWithRelay()
    await buy({ playerId: await addPlayer(), gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
    await withhold()
    await moveTo(FIRST_START_AT + 600)
    relay.withholds = () => false
    const { id, round: text } = await draw()
    const round = Number(text)
    const signature = relay.signatureOf(round)
    await Promise.all([
      runDraw(lottery().draws, BigInt(id)),
      takeRound(lottery().draws, { round, signature }),
      runDraw(lottery().draws, BigInt(id)),
      takeRound(lottery().draws, { round, signature }),
      lottery().queue.runDue(),
      lottery().queue.runDue(),
    ])
    await lottery().queue.runDue()
    const [{ numbers } = { numbers: [] }] = await rows<{ numbers: number[] }>(
      `select numbers from draws where id = $1`,
      [id],
    )
    expect(numbers).toHaveLength(5)
    await moveTo(runtime.clock.now() + 80)
    await Promise.all([lottery().queue.runDue(), lottery().queue.runDue()])
    expect(await rows(`select from log_leaves where type = 'result'`)).toHaveLength(1)
    expect(await rows(`select from beacon_rounds`)).toHaveLength(1)
    expect(await violations()).toEqual([])
  })

  it('a draw is either drawn or void if the signature arrives at the moment of the void, never both', async () => {
    const { relay, withhold, draw, addPlayer, buy, moveTo, lottery, rows, violations, runtime } =
      await lotteryWithRelay()
    await buy({ playerId: await addPlayer(), gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
    await withhold()
    await moveTo(FIRST_START_AT + 600)
    const { id, round: text } = await draw()
    const round = Number(text)
    const signature = relay.signatureOf(round)
    runtime.clock.set(FIRST_START_AT + 7 * DAY)
    await Promise.allSettled([
      runDraw(lottery().draws, BigInt(id)),
      takeRound(lottery().draws, { round, signature }),
      lottery().queue.runDue(),
    ])
    await moveTo(FIRST_START_AT + 7 * DAY + 600)
    const outcomes = await rows<{ type: string }>(
      `select type from log_leaves where open_hash = (select open_hash from draws where id = $1) and type in ('void', 'result')`,
      [id],
    )
    expect(outcomes).toHaveLength(1)
    expect((await draw()).status).toBe(outcomes[0]?.type === 'void' ? 'void' : 'settled')
    expect(await violations()).toEqual([])
  }, 180_000)
})

describe('quicknet', () => {
  /** The genuine round of the worked example (fairness section 11). */
  const GENUINE = (
    JSON.parse(readFileSync(new URL('../../../../domain/vectors/drand.json', import.meta.url), 'utf8')) as {
      rounds: { round: number; time: number; signature: string }[]
    }
  ).rounds.find(({ round }) => round === 31_799_517)

  it('a game is drawn by its genuine round, even if other relays lie', async () => {
    if (GENUINE === undefined) throw new Error('the round of the worked example is among the vectors')
    const startAt = GENUINE.time - 2
    const { moveTo, addPlayer, buy, rows, violations } = await testLottery({
      startAt: startAt - 15 * 60,
      beacon: { current: 'drand', relays: ['https://liar.example', 'https://old.example', 'https://good.example'] },
      fetch: async (input) => {
        const { host, pathname } = new URL(addressIn(input))
        if (pathname !== `/${QUICKNET.hash}/public/${GENUINE.round}`) return new Response('', { status: 404 })
        if (host === 'liar.example') return Response.json({ ...GENUINE, signature: `8${GENUINE.signature.slice(1)}` })
        if (host === 'old.example') return Response.json({ ...GENUINE, round: GENUINE.round - 1 })
        return Response.json(GENUINE)
      },
    })
    const day = new Date(startAt * 1000).getUTCDay() || 7
    await buy({ playerId: await addPlayer(), gameKey: 'bitcoin-hero', lines: LINES, days: [day] })
    await moveTo(startAt + 101)
    const [draw] = await rows<{ status: string; round: string; chain_hash: string; beacon_signature: string }>(
      `select * from draws where game_key = 'bitcoin-hero' and number = 1`,
    )
    expect(draw).toMatchObject({
      status: 'settled',
      round: String(GENUINE.round),
      chain_hash: QUICKNET.hash,
      beacon_signature: GENUINE.signature,
    })
    // Every verifier has this chain compiled in, so no statement announces it.
    expect(await rows(`select from log_leaves where type = 'chain'`)).toEqual([])
    expect(await violations()).toEqual([])
  })
})

it('a draw opened with the local beacon is drawn by it after another one is configured', async () => {
  const relay = testRelay(START_AT - DAY)
  const test = await testLottery({ fetch: relay.fetch })
  relay.now = test.runtime.clock.now
  await test.buy({ playerId: await test.addPlayer(), gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
  await test.restart({ beacon: { current: 'drand', relays: relay.relays, chain: relay.chain } })
  await test.moveTo(FIRST_START_AT + 200)
  const draws = await test.rows<{ number: number; status: string; is_relay: boolean }>(
    `select number, status, chain_hash = $1 as is_relay from draws where game_key = 'bitcoin-hero' order by number`,
    [relay.chain.hash],
  )
  expect(draws[0]).toMatchObject({ status: 'settled', is_relay: false })
  expect(draws.at(-1)).toMatchObject({ status: 'open', is_relay: true })
  await test.moveTo(FIRST_START_AT + 20 * DAY)
  const settled = await test.rows<{ is_relay: boolean }>(
    `select distinct chain_hash = $1 as is_relay from draws where status = 'settled' order by 1`,
    [relay.chain.hash],
  )
  expect(settled).toEqual([{ is_relay: false }, { is_relay: true }])
  const chains = await test.rows(`select from log_leaves where type = 'chain'`)
  expect(chains).toHaveLength(2)
  expect(await test.violations()).toEqual([])
}, 180_000)
