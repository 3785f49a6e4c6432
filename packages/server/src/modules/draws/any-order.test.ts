import { LotteryError } from '@fairball/domain/errors'
import { roundOf } from '@fairball/domain/protocol/chain'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { START_AT, testLottery } from '../../../test/lottery.ts'
import { casesOf } from '../../../test/share.ts'
import { testRelay } from '../../../test/relays.ts'
import { testWitness } from '../../../test/witness.ts'
import { cosign } from '../fairness/witnesses.ts'
import { runDraw, takeRound } from './service.ts'

const HOUR = 3600
const DAY = 24 * HOUR

/** Everything that can happen to a lottery, in any order. */
const EVENTS = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('buy' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.integer({ min: 60, max: DAY / 2 }) }),
  },
  // The server is down, for a moment or for longer than the week after which a draw without its round is void.
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('down' as const),
      seconds: fc.oneof(fc.integer({ min: 60, max: 2 * HOUR }), fc.integer({ min: DAY, max: 8 * DAY })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('withhold' as const), some: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('bring' as const), what: fc.nat(3) }) },
  // The clock is slow by this much, as a round that is not due shows; later it is right again.
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('slow' as const), seconds: fc.integer({ min: 31, max: HOUR }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sign' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crowd' as const) }) },
)

it('every draw ends settled or void, once, and the ledger balances, whatever the order of events', async () => {
  const outcomes = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(EVENTS, { minLength: 4, maxLength: 10 }), async (needsWitness, events) => {
      const relay = testRelay(START_AT - DAY)
      const witness = testWitness(1, () => START_AT)
      witness.misbehaves = absent
      const test = await testLottery({
        fetch: relay.fetch,
        beacon: { current: 'drand', relays: relay.relays, chain: relay.chain },
        ...(needsWitness ? { witnesses: [witness] } : {}),
      })
      const { lottery, runtime, rows, moveTo } = test
      const now = runtime.clock.now
      relay.now = now
      const today = (): number => new Date(now() * 1000).getUTCDay() || 7
      const playerId = await test.addPlayer()
      const bring = (round: number) =>
        takeRound(lottery.draws, { round, signature: relay.signatureOf(round) }).catch(ignoreRefusal)
      const unfinished = () =>
        rows<{ id: string; round: string; status: string }>(
          `select id, round, status from draws where game_key = 'bitcoin-hero'
            and status in ('open', 'closed') order by number limit 4`,
        )
      const sign = async () => {
        witness.misbehaves = null
        await cosign(lottery.fairness)
        witness.misbehaves = absent
      }
      for (const event of events) {
        switch (event.kind) {
          case 'buy': {
            const order = {
              playerId,
              gameKey: 'bitcoin-hero',
              lines: [[1, 2, 3, 4, 5]],
              days: [today(), (today() % 7) + 1],
            }
            await test.buy(order).catch(ignoreRefusal)
            break
          }
          case 'pass':
            await moveTo(now() + event.seconds)
            break
          case 'down':
            runtime.clock.set(now() + event.seconds)
            await test.restart()
            await lottery.queue.runDue()
            break
          case 'withhold':
            relay.withholds = (round) => event.some && round % 2 === 0
            break
          case 'bring':
            await bring(Number((await unfinished())[event.what]?.round ?? 1))
            break
          case 'slow':
            await bring(roundOf(relay.chain, now() + event.seconds))
            break
          case 'sign':
            await sign()
            break
          case 'crowd': {
            const draws = (await unfinished()).filter(({ status }) => status === 'closed')
            await Promise.all([
              ...draws.flatMap(({ id }) => [runDraw(lottery.draws, BigInt(id)), runDraw(lottery.draws, BigInt(id))]),
              lottery.queue.runDue(),
              lottery.queue.runDue(),
            ])
            break
          }
        }
      }
      // Everything works again, and the newest draw that had been opened comes to its end.
      relay.withholds = () => false
      const [last] = await rows<{ start_at: string }>(
        `select max(start_at) as start_at from draws where game_key = 'bitcoin-hero' and exists
          (select from plays where draw_id = draws.id)`,
      )
      await moveTo(Math.max(now(), Number(last?.start_at ?? 0)) + 9 * HOUR)

      const ends = await rows<{ status: string; ends: string }>(
        `select d.status, count(s.index) as ends from draws d
          left join log_leaves s on s.open_hash = d.open_hash and s.type in ('result', 'void')
          where d.scheduled_at < $1 group by d.id, d.status`,
        [now() - 9 * HOUR],
      )
      for (const { status } of ends) outcomes.add(status)
      expect(ends.filter((draw) => !['settled', 'void'].includes(draw.status) || draw.ends !== '1')).toEqual([])
      expect(await test.violations()).toEqual([])
    }),
    { numRuns: casesOf({ all: 40, share: 2 }), seed: 5 },
  )
  expect([...outcomes].toSorted()).toEqual(['settled', 'void'])
}, 300_000)

/** The answer of a witness that does not sign now. */
function absent(): Response {
  return new Response('not now', { status: 503 })
}

/** What a player or a helper may be told: sales are closed, a round is not taken. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof LotteryError)) throw error
}
