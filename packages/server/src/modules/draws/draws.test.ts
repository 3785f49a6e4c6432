import { GAMES, gameByKey } from '@fairball/domain/seeds'
import { luckyDip } from '@fairball/domain/lucky-dip'
import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { nobleHash } from '@fairball/domain/protocol/hash'
import { seedHash } from '@fairball/domain/protocol/sampler'
import { NO_HASH } from '@fairball/domain/protocol/statement-codecs'
import { leafHash, TreeFolder } from '@fairball/domain/protocol/tree'
import { describe, expect, it } from 'vitest'
import { ADDRESSES, START_AT, testLottery } from '../../../test/lottery.ts'
import { seededRandom } from '../../../test/seeded-random.ts'
import { lockHead } from '../fairness/service.ts'
import { statusOf } from '../payments/service.ts'
import { readWatch } from '../results/service.ts'

const HERO = gameByKey('bitcoin-hero')
if (HERO === null) throw new Error('bitcoin-hero is one of the games')
const FIRST_START_AT = START_AT + 15 * 60

/** Lines as an independent program would make them. */
function manyLines(count: number): number[][] {
  const random = seededRandom('lines')
  return Array.from({ length: count }, () => luckyDip({ pick: 5, pool: 36 }, (bytes) => random.bytes(bytes)))
}

describe('the life of a draw', () => {
  it('exactly the draws an order can name are open, and one more', async () => {
    const { rows } = await testLottery({ games: GAMES })
    const opened = await rows<{ game_key: string; draws: string }>(
      `select game_key, count(*) as draws from draws where status = 'open' group by game_key order by game_key`,
    )
    expect(Object.fromEntries(opened.map((row) => [row.game_key, Number(row.draws)]))).toEqual({
      'bitcoin-hero': 15,
      'bitcoin-lotto': 9,
      'ether-lotto': 9,
      'mega-ball': 9,
      'super-game': 9,
      treasure: 9,
    })
  })

  it('winners, free tickets and every satoshi are paid as an independent count says, and nothing twice', async () => {
    const { lottery, rows, addPlayer, buy, moveTo, violations } = await testLottery()
    const playerId = await addPlayer()
    const lines = manyLines(600)
    const orderId = await buy({ playerId, gameKey: 'bitcoin-hero', lines, days: [3] })
    expect(await statusOf(lottery.payments, orderId, playerId)).toBe('PAID')
    const poolBefore = 600_000n

    await moveTo(FIRST_START_AT + 2 * 3600)
    const [draw] = await rows<{ numbers: number[]; status: string; pot_sats: string; entries: number }>(
      `select numbers, status, pot_sats, entries from draws where game_key = 'bitcoin-hero' and number = 1`,
    )
    expect(draw).toMatchObject({ status: 'settled', entries: 600, pot_sats: String((poolBefore * 80n) / 100n) })

    const drawn = new Set(draw?.numbers)
    const matches = lines.map((line) => line.filter((number) => drawn.has(number)).length)
    const counted = (count: number): number => matches.filter((match) => match === count).length
    const wins = await rows<{ win_type: string; matches: number; wins: string; sats: string | null }>(
      `select win_type, matches, count(*) as wins, sum(amount_sats) as sats from wins group by 1, 2 order by matches`,
    )
    const expected = [
      ...(counted(2) > 0 ? [{ win_type: 'FREE_TICKET', matches: 2, wins: counted(2), sats: 0 }] : []),
      ...(counted(3) > 0 ? [{ win_type: 'PRIZE', matches: 3, wins: counted(3), sats: counted(3) * 5_000 }] : []),
      ...(counted(4) > 0 ? [{ win_type: 'PRIZE', matches: 4, wins: counted(4), sats: counted(4) * 300_000 }] : []),
    ]
    const found = wins.map((win) => ({ ...win, wins: Number(win.wins), sats: Number(win.sats ?? 0) }))
    expect(found.filter((win) => win.matches < 5)).toEqual(expected)
    expect(counted(2)).toBeGreaterThan(50) // an empty count would prove nothing
    expect(counted(3)).toBeGreaterThan(0)

    const wonSats = found.reduce((sum, win) => sum + BigInt(win.sats), 0n)
    const sent = await lottery.chain.movements('out')
    expect(sent.reduce((sum, movement) => sum + movement.sats, 0n)).toBe(wonSats)
    expect(sent.every((movement) => movement.address === ADDRESSES[0])).toBe(true)
    const [free] = await rows<{ won: number; used: number; held: number }>(`select won, used, held from free_tickets`)
    expect(free).toEqual({ won: counted(2), used: 0, held: 0 })

    await moveTo(FIRST_START_AT + 3 * 86_400)
    expect(await lottery.chain.movements('out')).toEqual(sent)
    expect(await violations()).toEqual([])
  })

  it('the close seals the draw with a tree over its plays and publishes the seed it committed to', async () => {
    const { rows, addPlayer, buy, moveTo, statementsOf } = await testLottery()
    const playerId = await addPlayer()
    await buy({ playerId, gameKey: 'bitcoin-hero', lines: manyLines(3), days: [3] })
    await moveTo(FIRST_START_AT)
    const [open, close] = await statementsOf('bitcoin-hero', 1)
    if (open?.type !== 'open' || close?.type !== 'close') throw new Error('it is opened and closed')
    expect(close).toMatchObject({
      size: 1,
      lines: 3,
      free: 0,
      carried: 0,
      stake: 3000n,
      added: 0n,
      pool: 2400n,
      floor: 20_000_000n,
      cover: 2_000_000n,
      short: 0n,
      rate: { currency: 'GBP', value: 1000 },
      last: NO_HASH,
      state: { closed: 1, settled: 0, pot: 0n, won: 0, used: 0, carried: 0 },
    })
    expect(toHex(seedHash(fromHex(close.seed)))).toBe(open.seedhash)
    const leaves = await rows<{ leaf: Buffer }>(`select leaf from play_leaves order by index`)
    const tree = new TreeFolder(nobleHash)
    for (const { leaf } of leaves) tree.add(leafHash(nobleHash, leaf))
    expect(close.root).toBe(toHex(tree.root()))
  })

  it('nothing beyond the balls shown is revealed until the last one is shown', async () => {
    const { lottery, rows, addPlayer, buy, moveTo, runtime } = await testLottery()
    const playerId = await addPlayer()
    await buy({ playerId, gameKey: 'bitcoin-hero', lines: manyLines(200), days: [3] })
    await moveTo(FIRST_START_AT + 99)
    expect(await rows(`select from wins`)).toEqual([])
    expect(await rows(`select from log_leaves where type = 'result'`)).toEqual([])
    const before = await readWatch(lottery.results, 'bitcoin-hero', playerId)
    expect(before.draw.filter((ball) => typeof ball === 'number')).toHaveLength(4)
    expect(before.prizes).toBe(false)
    await moveTo(FIRST_START_AT + 100)
    expect((await rows(`select from wins`)).length).toBeGreaterThan(0)
    const after = await readWatch(lottery.results, 'bitcoin-hero', playerId)
    expect(after.draw.every((ball) => typeof ball === 'number')).toBe(true)
    expect(after.prizes).not.toBe(false)
    expect(runtime.clock.now()).toBeGreaterThanOrEqual(FIRST_START_AT + 100)
  })

  it('a draw that closes too late is postponed, and one without plays is void', async () => {
    const { rows, addPlayer, buy, runtime, lottery, moveTo, violations, statementsOf } = await testLottery()
    const playerId = await addPlayer()
    await buy({ playerId, gameKey: 'bitcoin-hero', lines: manyLines(2), days: [3] })
    // The server is down from before the close until after the start.
    runtime.clock.set(FIRST_START_AT + 1000)
    await lottery.queue.runDue()
    const draws = await rows<{ number: number; status: string; postponed: number; start_at: string }>(
      `select number, status, postponed, start_at from draws where game_key = 'bitcoin-hero' order by number limit 2`,
    )
    expect(draws[0]).toMatchObject({ status: 'open', postponed: 1 })
    expect(Number(draws[0]?.start_at)).toBe(Math.ceil((FIRST_START_AT + 1900) / 60) * 60)
    await moveTo(FIRST_START_AT + 5000)
    const [settled] = await rows(`select status from draws where game_key = 'bitcoin-hero' and number = 1`)
    expect(settled).toEqual({ status: 'settled' })
    const statements = await statementsOf('bitcoin-hero', 1)
    expect(statements.map(({ type }) => type)).toEqual(['open', 'postpone', 'close', 'result'])
    const postpone = statements.find((statement) => statement.type === 'postpone')
    expect(postpone?.start).toBe(Math.ceil(((postpone?.time ?? 0) + 900) / 60) * 60)
    runtime.clock.set(FIRST_START_AT + 30 * 86_400)
    await lottery.queue.runDue()
    const voids = await rows(`select from draws where status = 'void'`)
    expect(voids.length).toBeGreaterThan(10)
    expect(await violations()).toEqual([])
  })

  it('a draw does not close if the wait for the log’s head made it too late for its round', async () => {
    const { db, lottery, rows, addPlayer, buy, runtime } = await testLottery()
    const playerId = await addPlayer()
    await buy({ playerId, gameKey: 'bitcoin-hero', lines: manyLines(2), days: [3] })
    runtime.clock.set(FIRST_START_AT - 300)
    let work: Promise<void> = Promise.resolve()
    await db.transaction(async (tx) => {
      await lockHead(lottery.fairness, tx)
      work = lottery.queue.runDue()
      // The close waits for the head until its round is out.
      await expect
        .poll(() =>
          rows(`select from pg_locks l join pg_database d on d.oid = l.database
          where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`),
        )
        .toHaveLength(1)
      runtime.clock.set(FIRST_START_AT + 30)
    })
    await work
    expect(await rows(`select from log_leaves where type = 'close'`)).toEqual([])
    runtime.clock.set(FIRST_START_AT + 60)
    await lottery.queue.runDue()
    const [draw] = await rows(`select status, postponed from draws where game_key = 'bitcoin-hero' and number = 1`)
    expect(draw).toEqual({ status: 'open', postponed: 1 })
  })

  it('several overdue draws start ten minutes apart, from each other and from those to come', async () => {
    const { rows, addPlayer, buy, runtime, lottery, moveTo, violations } = await testLottery()
    const playerId = await addPlayer()
    await buy({ playerId, gameKey: 'bitcoin-hero', lines: manyLines(1), days: [1, 2, 3, 4, 5, 6, 7], weeks: 2 })
    // Down for ten days, until a quarter of an hour before the eleventh draw of the game.
    runtime.clock.set(FIRST_START_AT + 10 * 86_400 + 6 * 3600 - 20 * 60)
    await lottery.queue.runDue()
    const times = await rows<{ start_at: string; end_at: string }>(
      `select start_at, end_at from draws where game_key = 'bitcoin-hero' and status <> 'void' order by start_at`,
    )
    expect(times.length).toBeGreaterThan(10)
    times.slice(1).forEach((time, index) => {
      expect(Number(time.start_at) - Number(times[index]?.end_at)).toBeGreaterThanOrEqual(600)
    })
    await moveTo(runtime.clock.now() + 86_400)
    expect(await rows(`select from draws where floor_sats = 0`)).toEqual([])
    expect(await violations()).toEqual([])
  })
})
