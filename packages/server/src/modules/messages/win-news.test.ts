import { letterOf } from '@fairball/domain/line-letters'
import { luckyDip } from '@fairball/domain/lucky-dip'
import { expect, it } from 'vitest'
import { ADDRESSES, START_AT, TEST_BITCOIN, testLottery } from '../../../test/lottery.ts'
import { seededRandom } from '../../../test/seeded-random.ts'
import { TIMEZONES } from '../content/timezones.ts'

const GAME = 'bitcoin-hero'
const [ADDRESS = ''] = ADDRESSES
const SHORT = `${ADDRESS.slice(0, 6)}…${ADDRESS.slice(-4)}`
const ZONES = { London: 'Europe/London', Tokyo: 'Asia/Tokyo' } as const
/** The last ball is shown at 12:16:40 UTC. */
const BY = { London: 'Wed, Jan 1, 1:16 PM (London)', Tokyo: 'Wed, Jan 1, 10:16 PM (Tokyo)' } as const

function manyLines(count: number): number[][] {
  const random = seededRandom('lines')
  return Array.from({ length: count }, () => luckyDip({ pick: 5, pool: 36 }, (bytes) => random.bytes(bytes)))
}

it('a win names draw, numbers, best line and the one thing that its money waits for, in its player’s time zone', async () => {
  const { rows, addPlayer, buy, moveTo } = await testLottery()
  const lines = manyLines(200)
  const cases = (['London', 'Tokyo'] as const).flatMap((city) => [
    {
      city,
      address: ADDRESSES[0],
      isVerified: true,
      says: `is on its way to ${SHORT}; expect it by ${BY[city]}.`,
    },
    { city, address: null, isVerified: true, says: 'Add a payout address to receive it.' },
    { city, address: ADDRESSES[0], isVerified: false, says: 'Verify your email address to receive it.' },
    { city, address: null, isVerified: false, says: 'Add a payout address to receive it.' },
  ])
  const players: { id: bigint; says: string }[] = []
  for (const { city, address = null, isVerified, says } of cases) {
    const id = await addPlayer({ address, isVerified })
    const zoneId = TIMEZONES.find(({ zone }) => zone === ZONES[city])?.id
    await rows('update players set timezone_id = $2 where id = $1', [id, zoneId])
    await buy({ playerId: id, gameKey: GAME, lines, days: [3] })
    players.push({ id, says })
  }
  await moveTo(START_AT + 30 * 60)

  const [draw] = await rows<{ numbers: number[] }>(`select numbers from draws where game_key = $1 and number = 1`, [
    GAME,
  ])
  const drawn = draw?.numbers ?? []
  const matches = lines.map((line) => line.filter((number) => drawn.includes(number)).length)
  const most = Math.max(...matches)
  const bestLine = lines[matches.indexOf(most)] ?? []
  const letter = letterOf(matches.indexOf(most))
  const best = `Line ${letter} matched ${most} of 5 in draw 1 (${drawn.join(', ')}).`
  const shown = [
    `Numbers drawn: ${drawn.join(', ')}`,
    `Line ${letter}: ${bestLine.toSorted((a, b) => a - b).join(', ')}. Drawn of them: `,
  ]
  const endings = cases.map(({ says }) => says)
  for (const { id, says } of players) {
    const [won] = await rows<{ sats: string; play: string }>(
      `select sum(amount_sats) as sats, min(play_id::text) as play from wins where player_id = $1`,
      [id],
    )
    const sats = Number(won?.sats)
    const sum = `£${(sats / 1000).toFixed(2)} (${(sats / 1e8).toFixed(8)} BTC)`
    const [mail] = await rows<{ subject: string; text: string; links: string[] }>(
      `select subject, text, links from mail_outbox where player_id = $1 and key like 'win:%'`,
      [id],
    )
    const [message] = await rows<{ title: string; content: string }>(
      `select title, content from messages where player_id = $1 and key like 'win:%'`,
      [id],
    )
    expect(mail?.subject).toBe(`You won £${(sats / 1000).toFixed(2)} in Bitcoin Hero`)
    expect(message?.title).toBe(mail?.subject)
    for (const text of [mail?.text.replaceAll(/\s+/g, ' '), message?.content]) {
      expect(text).toContain(best)
      expect(text).toContain(sum)
      for (const words of shown) expect(text).toContain(words)
      expect([...new Set(endings)].filter((ending) => text?.includes(ending))).toEqual([says])
    }
    expect(mail?.links).toEqual([`http://localhost:3000/game/${GAME}/results/1/${won?.play}`])
  }
})

it('a win that a person has to approve names no time', async () => {
  const { rows, addPlayer, buy, moveTo, restart } = await testLottery()
  await restart({ bitcoin: { ...TEST_BITCOIN, payoutApprovalSats: 1000n } })
  const id = await addPlayer()
  await buy({ playerId: id, gameKey: GAME, lines: manyLines(200), days: [3] })
  await moveTo(START_AT + 30 * 60)
  const [mail] = await rows<{ text: string }>(
    `select text from mail_outbox where player_id = $1 and key like 'win:%'`,
    [id],
  )
  expect(mail?.text).toContain(`is on its way to ${SHORT}; we approve sums of this size by hand first.`)
  expect(mail?.text).not.toContain('expect it by')
})

it('a win names the Lightning destination that comes first, unless the sum is too large for it', async () => {
  const { rows, addPlayer, buy, moveTo, restart } = await testLottery()
  await restart({ bitcoin: { ...TEST_BITCOIN, lightning: 'test' } })
  const overLightning = 'is on its way to ann@wallet.example over Lightning; expect it by'
  const cases = [
    { address: null, maxMsat: 1, says: overLightning },
    { address: ADDRESS, maxMsat: 100_000_000_000, says: overLightning },
    { address: ADDRESS, maxMsat: 1, says: `is on its way to ${SHORT}; expect it by` },
  ]
  const ids: bigint[] = []
  for (const { address, maxMsat } of cases) {
    const id = await addPlayer({ address })
    await rows(
      `insert into player_destinations (player_id, created_at, usable_from, min_msat, max_msat, kind, value, seal, paid_from)
       values ($1, $2, $2, 1, $3, 'ADDRESS', 'ann@wallet.example', '\\x00', $2)`,
      [id, START_AT, maxMsat],
    )
    await rows(
      `insert into player_pay_first (player_id, created_at, usable_from, pay_first) values ($1, $2, $2, 'LIGHTNING')`,
      [id, START_AT],
    )
    await buy({ playerId: id, gameKey: GAME, lines: manyLines(600), days: [3] })
    ids.push(id)
  }
  await moveTo(START_AT + 30 * 60)
  for (const [place, id] of ids.entries()) {
    const [message] = await rows<{ content: string }>(
      `select content from messages where player_id = $1 and key like 'win:%'`,
      [id],
    )
    expect(message?.content).toContain(cases[place]?.says)
  }
})
