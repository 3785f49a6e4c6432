import { expect, it } from 'vitest'
import { testLottery } from '../../../test/lottery.ts'
import { TELL_WINNERS } from './settling.ts'

/** More than are told in one transaction. */
const WINNERS = 600

it('every winner is told once, even if one transaction cannot take all of them', async () => {
  const { lottery, db, rows, addPlayer, buy } = await testLottery()
  const lines = Array.from({ length: WINNERS }, (_, nr) => [
    1 + (nr % 10),
    11 + (Math.floor(nr / 10) % 10),
    21 + Math.floor(nr / 100),
    31,
    32,
  ])
  await buy({ playerId: await addPlayer(), gameKey: 'bitcoin-hero', lines, days: [3] })
  await rows(`insert into players (created_at, username, email)
    select 1, 'wins-' || n, 'wins-' || n || '@fairball.test' from generate_series(1, ${WINNERS}) n`)
  await rows(`alter table wins disable trigger wins_of_plays`) // all of them win by the lines of one play
  const [won] = await rows<{
    draw_id: string
  }>(`insert into wins (draw_id, player_id, play_id, line_no, matches, win_type)
    select p.draw_id, w.id, p.id, row_number() over () - 1, 2, 'FREE_TICKET' from plays p, players w where w.username like 'wins-%'
    returning draw_id`)
  const payload = { drawId: won?.draw_id ?? '', afterId: '0' }
  await db.transaction((tx) => lottery.queue.add(tx, TELL_WINNERS, payload, { key: TELL_WINNERS }))
  await lottery.queue.runDue()
  const told = `select count(*)::int as messages, count(distinct player_id)::int as players
    from messages m join players p on p.id = m.player_id where p.username like 'wins-%'`
  expect(await rows(told)).toEqual([{ messages: WINNERS, players: WINNERS }])
})
