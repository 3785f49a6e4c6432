import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Crasher, onlyDeath } from '../../../test/crasher.ts'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { moneyFixture, type MoneyFixture } from '../../../test/money.ts'
import { casesOf } from '../../../test/share.ts'
import { type Behaviour, StandInLightning, TROUBLES } from '../../../test/stand-in-lightning.ts'
import type { LightningSender, Tracked } from '../../ports/lightning/lightning-node.ts'
import { NodeRefused, NodeSilent } from '../../ports/lightning/lightning-node.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { findViolations } from '../invariants/service.ts'
import { inFlight, lightning } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import { catchUp } from './lightning-watching.ts'

const RUNS = casesOf({ all: 400, share: 8 })
const SEED = 41
const DAY = 86_400
const MSAT = 1_000n
const SATS = 20_000n
/** How long a payment is held whose channel is closed by force, in seconds: it ends with the 22nd block after that. */
const CLOSED_BY_FORCE = 22 * 600

/** A day of a node and its payees: what its calls do, and how long what it holds takes. */
const STORY = fc.record({
  payouts: fc.integer({ min: 1, max: 3 }),
  calls: fc.array(fc.constantFrom<Behaviour[]>('pays', ...TROUBLES), { maxLength: 12 }),
  laterSeconds: fc.constantFrom(1, 3, 20, 70, 500, 900, CLOSED_BY_FORCE),
  invoiceSeconds: fc.constantFrom(61, 120, 600, 86_000),
  awayFrom: fc.option(fc.integer({ min: 0, max: 900 })),
  dieAt: fc.integer({ min: 0, max: 120 }),
})
type Story = typeof STORY extends fc.Arbitrary<infer T> ? T : never

let database: TestDatabase
let money: MoneyFixture
let node: StandInLightning
/** Breaks the node, as a bug in the program would. */
let wrap: Wrap = (same) => same
const crasher = new Crasher()

beforeAll(async () => {
  database = await testDatabase()
  const runtime = testRuntime()
  node = new StandInLightning(runtime)
  money = await moneyFixture({
    db: database.db,
    runtime,
    wrapDb: (db) => crasher.wrapDb(db),
    lightning: (db) => node.payouts(db, (made) => crasher.wrapNode(broken(made))),
  })
  await node.accept(database.db)
})
afterAll(() => database.drop())

type Wrap = (node: LightningSender) => LightningSender

/** The node, of which `wrap` decides at each call. */
function broken<T extends LightningSender>(made: T): T {
  return {
    ...made,
    send: (payment) => wrap(made).send(payment),
    track: (hash) => wrap(made).track(hash),
  }
}

/** What a worker does each minute; a node that is away is asked again the next time. */
async function watch(): Promise<void> {
  const { lightning: desk } = money.payouts
  if (desk === null) throw new Error('this fixture pays over Lightning')
  await catchUp({ ...money.payouts, lightning: desk }).catch((error: unknown) => {
    if (!(error instanceof NodeSilent)) throw error
  })
}

/** Plays a story to its end. @returns what went wrong; empty for nothing */
async function play(story: Story): Promise<string[]> {
  const { db, runtime } = money
  const startAt = runtime.clock.now()
  const before = { heldMsat: node.heldMsat(), bookedSats: await balanceOf(db, lightning) }
  node.next.splice(0, Infinity, ...story.calls)
  node.laterSeconds = story.laterSeconds
  node.invoiceSeconds = story.invoiceSeconds
  const wallets = []
  for (let number = 0; number < story.payouts; number += 1) {
    const { id } = await money.player({ hasAddress: false })
    const wallet = `p${id}@w${id}.example`
    await money.saveDestination(id, wallet)
    await money.owe(id, SATS)
    wallets.push(wallet)
  }
  crasher.arm(story.dieAt, story.dieAt % 2 === 0 ? 'before' : 'after')
  for (const seconds of [0, 1, 5, 30, 61, 120, 240, 700, 1300, 3700, 7300, 14_500, 29_000, DAY]) {
    const { awayFrom } = story
    node.isAway = awayFrom !== null && seconds >= awayFrom && seconds < awayFrom + 600
    await money.moveTo(startAt + seconds).catch(onlyDeath)
    await watch().catch(onlyDeath)
    // The next process finds what the dead one had leased.
    if (crasher.isDead()) crasher.arm(0, 'before')
  }
  crasher.arm(0, 'before')
  node.isAway = false
  await watch()
  await money.moveTo(startAt + 3 * DAY)
  const wrong = wallets.flatMap((wallet) => {
    const arrived = node.arrivedAt(wallet)
    return arrived.length === 1 && arrived[0] === SATS * MSAT
      ? []
      : [`${wallet} got ${arrived.join(' and ') || 'nothing'}`]
  })
  const gave = before.heldMsat - node.heldMsat()
  const booked = (before.bookedSats - (await balanceOf(db, lightning))) * MSAT
  if (booked < gave || booked - gave >= MSAT * BigInt(wallets.length)) wrong.push(`gave ${gave}, booked ${booked}`)
  if ((await balanceOf(db, inFlight)) !== 0n) wrong.push('something is still in flight')
  return [...wrong, ...(await findViolations(db)).map(({ what }) => what)]
}

it('whatever the node says and whenever the process dies, each payout arrives once and is booked once', async () => {
  await fc.assert(
    fc.asyncProperty(STORY, async (story) => {
      expect(await play(story)).toEqual([])
    }),
    { numRuns: RUNS, seed: SEED },
  )
})

/** A node that is believed where it must not be, and a story in which that pays twice. */
const PLANTED: readonly [string, Wrap, Partial<Story>][] = [
  [
    'a payment on its way counts as failed',
    (made) => ({ ...made, track: async (hash) => failedFor('in-flight', await made.track(hash)) }),
    { calls: ['answers an error, then pays'], laterSeconds: 500 },
  ],
  [
    'the answer of the call is believed, whatever the node shows',
    (made) => {
      return {
        ...made,
        async track(hash) {
          const word = await made.track(hash)
          return refused.has(hash) ? { is: 'failed' } : word
        },
        async send(payment) {
          await made.send(payment).catch((error: unknown) => {
            if (error instanceof NodeRefused) refused.add(payment.hash)
            throw error
          })
        },
      }
    },
    { calls: ['answers an error, then pays'], laterSeconds: 20 },
  ],
  [
    'a call without an answer counts as refused',
    (made) => ({
      ...made,
      async send(payment) {
        await made.send(payment).catch((error: unknown) => {
          throw error instanceof NodeSilent ? new NodeRefused('no answer', 0) : error
        })
      },
    }),
    { calls: ['frozen, then pays'], laterSeconds: 20 },
  ],
  [
    'the fee is booked twice',
    (made) => ({
      ...made,
      async track(hash) {
        const word = await made.track(hash)
        return word.is === 'complete' ? { ...word, sentMsat: word.sentMsat + 1_500n } : word
      },
    }),
    { calls: ['pays'] },
  ],
  [
    // What `listpays` of Core Lightning was seen to say of an invoice that was tried twice.
    'a payment that failed counts as on its way for ever',
    (made) => ({
      ...made,
      async track(hash) {
        const word = await made.track(hash)
        return word.is === 'failed' ? { is: 'in-flight' } : word
      },
    }),
    { calls: ['refuses'] },
  ],
]
const refused = new Set<string>()

function failedFor(believed: Tracked['is'], word: Tracked): Tracked {
  return word.is === believed ? { is: 'failed' } : word
}

describe('a bug that pays twice, never, or books wrongly is found', () => {
  it.each(PLANTED)('planted: %s', async (_what, bug, changes) => {
    const usual: Story = { payouts: 2, calls: [], laterSeconds: 20, invoiceSeconds: 600, awayFrom: null, dieAt: 0 }
    wrap = bug
    const wrong = await play({ ...usual, ...changes }).catch((error: unknown) => [String(error)])
    wrap = (same) => same
    expect(wrong).not.toEqual([])
  })
})
