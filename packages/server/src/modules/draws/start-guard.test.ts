import { GAMES } from '@fairball/domain/seeds'
import { expect, it } from 'vitest'
import { START_AT, testLottery } from '../../../test/lottery.ts'
import { winningLines } from '../../../test/winning-lines.ts'
import { explanationOf } from '../../main/explain.ts'

const DAY = 86_400

/** What the operator reads when a start is refused; fails if it is not. */
async function refusalOf(start: Promise<void>): Promise<string> {
  return await start.then(
    () => expect.fail('the start was not refused'),
    (error: unknown) => explanationOf(error),
  )
}

const OF_HERO = `where game_key = 'bitcoin-hero' and number in (2, 3)`

it.each([
  ['another price', [`update draws set price_minor = 150 ${OF_HERO}`], 'its price is 150, announced was 100'],
  ['another floor', [`update draws set guaranteed_minor = 1 ${OF_HERO}`], 'its floor is 1, announced was 2000000'],
  ['another cover', [`update draws set cover_minor = 1 ${OF_HERO}`], 'its cover is 1, announced was 200000'],
  ['another currency', [`update draws set currency = 'EUR' ${OF_HERO}`], 'its currency is EUR, announced was GBP'],
  ['another limit', [`update draws set most_entries = 5 ${OF_HERO}`], 'its limit of entries is 5, announced was 1000'],
  ['another pool', [`update draws set pool = 37 ${OF_HERO}`], 'its pool is 37, announced was 36'],
  [
    'a text that does not have its hash',
    [
      `insert into texts (hash, text) select '${'ab'.repeat(32)}', text from texts where hash = (select rules_hash from game_versions where game_key = 'bitcoin-hero')`,
      `update draws set rules_hash = '${'ab'.repeat(32)}' ${OF_HERO}`,
    ],
    'the text of its rules is not the one its hash names',
  ],
  [
    'rules of another game',
    [`update draws set rules_hash = (select rules_hash from game_versions where game_key = 'treasure') ${OF_HERO}`],
    'its rules are not those of version 1',
  ],
  ['a version that is missing', [`update draws set version = 7 ${OF_HERO}`], 'version 7 of its game is missing'],
])('a start is refused for draws with %s, and names each of them', async (_what, faults, says) => {
  const { restart, rows } = await testLottery({ games: GAMES })
  for (const fault of faults) await rows(fault)
  const refused = await refusalOf(restart())
  expect(refused).toContain(`bitcoin-hero, draw 2: ${says}\nbitcoin-hero, draw 3: ${says}\n`)
  expect(refused).not.toMatch(/draw 1:|draw 4:|treasure|Error:|\bat .*\.ts/)
})

it('a start is refused for draws whose game is missing', async () => {
  const { restart, rows } = await testLottery({ games: GAMES })
  await rows(`set session_replication_role = replica`)
  await rows(`delete from games where key = 'mega-ball'`)
  await rows(`reset session_replication_role`)
  const refused = await refusalOf(restart())
  for (let number = 1; number <= 9; number += 1)
    expect(refused).toContain(`mega-ball, draw ${number}: its game is missing\n`)
})

it('a refused start writes nothing: no draw is opened, and nothing joins the log', async () => {
  const { restart, rows, runtime } = await testLottery({ games: GAMES })
  const written = () =>
    rows(`select (select count(*) from draws) as draws, (select max(index) from log_leaves) as newest`)
  const before = await written()
  runtime.clock.set(START_AT + 3 * DAY)
  await rows(`update draws set price_minor = 300 where game_key = 'treasure' and number = 9`)
  await refusalOf(restart())
  expect(await written()).toEqual(before)
})

it('a draw that is over is no reason to refuse a start', async () => {
  const { restart, rows, moveTo } = await testLottery({ games: GAMES })
  await moveTo(START_AT + 3600)
  await rows(`update draws set price_minor = 300 where status = 'settled'`)
  await restart()
})

it('another colour of a game is no reason to refuse a start', async () => {
  const { restart, rows } = await testLottery({ games: GAMES })
  await rows(`update games set accent = '#123456' where key = 'bitcoin-hero'`)
  await restart()
})

it('a draw sold before its game lost its versions is drawn, settled and paid, and no further draw opens', async () => {
  const { rows, addPlayer, buy, moveTo, violations } = await testLottery({ games: GAMES })
  await buy({ playerId: await addPlayer(), gameKey: 'bitcoin-hero', lines: winningLines(), days: [3] })
  const [before] = await rows(`select count(*) as draws from draws where game_key = 'bitcoin-hero'`)
  await rows(`set session_replication_role = replica`)
  await rows(`delete from game_versions where game_key = 'bitcoin-hero'`)
  await rows(`reset session_replication_role`)
  await moveTo(START_AT + 2 * 3600)
  expect(await rows(`select d.status from draws d join plays p on p.draw_id = d.id`)).toEqual([{ status: 'settled' }])
  expect(await rows(`select count(*) as draws from draws where game_key = 'bitcoin-hero'`)).toEqual([before])
  expect((await rows(`select from payouts where sent_at is not null`)).length).toBeGreaterThan(0)
  expect(await violations()).toEqual([])
})
