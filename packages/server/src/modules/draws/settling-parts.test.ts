import { describe, expect, it } from 'vitest'
import { START_AT, testLottery, type TestLottery } from '../../../test/lottery.ts'
import { exportWins } from '../orders/personal-data-queries.ts'
import { findViolations } from '../invariants/service.ts'
import { leavesOfPart } from './settling-parts.ts'

const DRAWN_AT = START_AT + 15 * 60 + 10
const SETTLED_AT = DRAWN_AT + 600
/** Rigged, so that lines win in every tier. */
const NUMBERS = [3, 8, 14, 21, 30]
const PLAYERS = 5

/** Twelve lines with none to five of the numbers. */
function linesOf(player: number): number[][] {
  const others = [1, 2, 4, 5, 6, 7, 9].map((number) => number + (player % 2) * 22)
  return Array.from({ length: 12 }, (_, line) => {
    const matches = (line + player) % 6
    return [...NUMBERS.slice(0, matches), ...others.filter((one) => !NUMBERS.includes(one)).slice(0, 5 - matches)]
  })
}

/** A lottery whose draw has numbers and is about to be settled. */
async function drawnLottery(linesAPart?: number): Promise<TestLottery> {
  const test = await testLottery({ linesAPart })
  for (let player = 0; player < PLAYERS; player += 1)
    await test.buy({ playerId: await test.addPlayer(), gameKey: 'bitcoin-hero', lines: linesOf(player), days: [3] })
  await test.moveTo(DRAWN_AT)
  await test.rig('bitcoin-hero', NUMBERS)
  return test
}

/** Runs jobs, one after the other, until a draw has parts that are all written. */
async function runToTheEndOfParts(test: TestLottery): Promise<void> {
  const [draw] = await test.rows<{ end_at: string }>(`select end_at from draws where status = 'drawn'`)
  test.runtime.clock.set(Number(draw?.end_at ?? 0))
  for (let runs = 0; runs < 100; runs += 1) {
    const [parts] = await test.rows<{ parts: number; left: number }>(
      'select count(*)::int as parts, (count(*) filter (where not is_written))::int as left from draw_parts',
    )
    if (parts !== undefined && parts.parts > 0 && parts.left === 0) return
    await test.lottery.queue.runOne()
  }
  throw new Error('the parts were not written')
}

/** What was settled: wins, money, tickets, and the result without its time and what follows from it. */
async function settled(test: TestLottery) {
  return {
    draws: await test.rows(
      `select status, tiers, jackpot_sats, encode(sections, 'hex') as sections from draws where stake_sats > 0`,
    ),
    wins: await test.rows(
      `select w.player_id, p.leaf_index, w.line_no, w.matches, w.win_type, w.amount_sats
        from wins w join plays p on p.id = w.play_id order by 2, 3`,
    ),
    postings: await test.rows(
      `select t.event, a.kind, a.subject, sum(p.amount_sats) as sats, count(*) as postings from transfers t join postings p on p.transfer_id = t.id
        join ledger_accounts a on a.id = p.account_id group by 1, 2, 3 order by 1, 2, 3`,
    ),
    tickets: await test.rows('select player_id, won from free_tickets order by 1'),
    payables: await test.rows('select player_id, sats, source, count(*) from payables group by 1, 2, 3 order by 3'),
    messages: await test.rows('select player_id, title, count(*) from messages group by 1, 2 order by 1, 2'),
    results: (await test.log())
      .filter(({ text }) => text.startsWith('fairball/result/'))
      .map(({ text }) => text.replace(/\ntime \d+\n/u, '\n')),
  }
}

describe('a draw that is settled in parts', () => {
  it('has the wins, the money, the news and the result that one transaction gives it', async () => {
    const whole = await drawnLottery()
    await whole.moveTo(SETTLED_AT)
    const inParts = await drawnLottery(1)
    await inParts.moveTo(SETTLED_AT)

    const expected = await settled(whole)
    expect(expected.wins.length).toBeGreaterThan(20)
    expect(expected.results).toHaveLength(1)
    expect(await settled(inParts)).toEqual(expected)
    expect(await inParts.violations()).toEqual([])
    expect(await findViolations(inParts.db)).toEqual([])
    expect(await inParts.rows('select from draw_parts')).toEqual([])
  }, 60_000)

  it('shows, books and owes nothing before its result, and breaks no invariant meanwhile', async () => {
    const test = await drawnLottery(1)
    await runToTheEndOfParts(test)

    const [draw] = await test.rows<{ status: string; wins: number }>(
      `select status, (select count(*)::int from wins) as wins, (select count(*)::int from payables) as owed,
        (select count(*)::int from transfers where event like 'draw.%prize%' or event = 'draw.jackpot') as booked,
        (select count(*)::int from free_tickets where won > 0) as tickets from draws where stake_sats > 0`,
    )
    expect(draw).toMatchObject({ status: 'drawn', booked: 0, owed: 0, tickets: 0 })
    expect(draw?.wins).toBeGreaterThan(20)
    expect(await findViolations(test.db)).toEqual([])
    expect(await test.rows('select from console_wins')).toEqual([])
    const players = await test.rows<{ id: string }>('select id from players')
    for (const { id } of players) expect(await test.db.run(exportWins, [BigInt(id)])).toEqual([])
    expect((await test.log()).filter(({ text }) => text.startsWith('fairball/result/'))).toEqual([])
  })

  it('is settled once by two workers that take its parts at the same time', async () => {
    const test = await drawnLottery(1)
    const other = await test.beside({ linesAPart: 1 })
    const [draw] = await test.rows<{ end_at: string }>(`select end_at from draws where status = 'drawn'`)
    test.runtime.clock.set(Number(draw?.end_at ?? 0))
    await Promise.all([test.lottery.queue.runDue(), other.queue.runDue(), test.lottery.queue.runDue()])
    await test.moveTo(SETTLED_AT)

    expect(await test.rows('select status from draws where stake_sats > 0')).toEqual([{ status: 'settled' }])
    expect(await findViolations(test.db)).toEqual([])
    expect(await test.violations()).toEqual([])
    expect((await test.log()).filter(({ text }) => text.startsWith('fairball/result/'))).toHaveLength(1)
  })

  it.each([
    ['a part was left out', 'delete from draw_parts where part = (select max(part) from draw_parts)'],
    ['a part covers leaves of another', 'update draw_parts set first_leaf = 0 where part = 1'],
    ['a part counted a line too many', 'update draw_parts set lines = lines + 1 where part = 0'],
    ['a win is gone', `delete from wins where ctid = (select ctid from wins where win_type = 'FREE_TICKET' limit 1)`],
    ['a prize is another', `update wins set amount_sats = amount_sats + 1 where amount_sats is not null`],
    ['the wins of a part are not written', 'update draw_parts set is_written = false where part = 0'],
  ])('is not settled if %s', async (_what, change) => {
    const test = await drawnLottery(1)
    await runToTheEndOfParts(test)
    await test.rows('alter table wins disable trigger wins_stay')
    await test.rows(change)
    for (let runs = 0; runs < 5; runs += 1) await test.lottery.queue.runOne()

    expect(await test.rows('select status from draws where stake_sats > 0')).toEqual([{ status: 'drawn' }])
    expect(await test.rows('select from payables')).toEqual([])
  })
})

it('a win is of a play, of its draw and its player, and its play stays', async () => {
  const test = await drawnLottery()
  await test.moveTo(SETTLED_AT)
  const copied = (columns: string): Promise<unknown> =>
    test.rows(`insert into wins (draw_id, player_id, play_id, line_no, matches, win_type)
      select ${columns}, line_no + 500, matches, win_type from wins limit 1`)

  await expect(copied('draw_id + 1, player_id, play_id')).rejects.toThrow('a win is of a play')
  await expect(copied('draw_id, player_id % 2 + 1 + 100, play_id')).rejects.toThrow('a win is of a play')
  await expect(copied('draw_id, player_id, gen_random_uuid()')).rejects.toThrow('a win is of a play')
  await expect(test.rows('delete from plays where id in (select play_id from wins)')).rejects.toThrow('is not removed')
})

it('a part has about as many lines as asked for, a power of two of leaves, and at most those of a section', () => {
  expect(leavesOfPart({ leaves: 100_000, leafLines: 10_000_000 }, 250_000)).toBe(2048)
  expect(leavesOfPart({ leaves: 5_000_000, leafLines: 5_000_000 }, 250_000)).toBe(65_536)
  expect(leavesOfPart({ leaves: 3, leafLines: 3000 }, 250)).toBe(1)
})
