import { describe, expect, it } from 'vitest'
import { Crasher, onlyDeath } from '../../../test/crasher.ts'
import { payoutHouse, type PayoutHouse } from '../../../test/payout-house.ts'
import { listPayouts, takeBackBatch } from '../operator/payout-actions.ts'
import * as queries from './queries.ts'
import { deathsAmong } from '../../../test/share.ts'

/** Longer than a payout's six blocks, and those of one that is made after it was cancelled. */
const LOOKS = 18

type Working = ReturnType<PayoutHouse['worker']>

/** A part of a batch's life: what was before it, and what a process does that may die anywhere in it. */
interface Part {
  readonly title: string
  before(house: PayoutHouse, working: Working): Promise<void>
  during(house: PayoutHouse, working: Working): Promise<void>
  /** the calls of the part at least: fewer would mean that it is not what its title says */
  readonly leastCalls: number
  /** how the batches of a life that nobody interrupted end */
  readonly ends: readonly string[]
}

async function reviveFirst(house: PayoutHouse): Promise<void> {
  const open = (await listPayouts(house.desk)).batches[0]
  const versions = open === undefined ? [] : await house.db.run(queries.findVersions, [open.id])
  if (versions[0] !== undefined) house.chain.revive(versions[0])
}

async function cancelNewest(house: PayoutHouse): Promise<void> {
  for (const { id } of (await listPayouts(house.desk)).batches) await takeBackBatch(house.desk, id)
}

const send = (house: PayoutHouse, working: Working): Promise<void> => house.pass(working, 0)

const PARTS: readonly Part[] = [
  {
    title: 'it is confirmed, and then final',
    before: send,
    during: (house, working) => house.pass(working, 2, 3),
    leastCalls: 20,
    ends: ['FINAL'],
  },
  {
    title: 'a reorganisation takes its block, and it is sent again',
    async before(house, working) {
      await house.pass(working, 1)
      house.chain.reorganise(1)
      house.chain.forget(house.chain.mempool()[0] ?? '')
    },
    during: (house, working) => house.pass(working, 2, 0),
    leastCalls: 20,
    ends: ['FINAL'],
  },
  {
    title: 'a dearer version is made and sent, and the first is mined after all',
    before: send,
    async during(house, working) {
      await house.pass(working, 3, 'empty')
      await reviveFirst(house)
      await house.pass(working, 1, 6)
    },
    leastCalls: 50,
    ends: ['FINAL'],
  },
  {
    title: 'it is cancelled, and what it held is paid again',
    async before(house, working) {
      await send(house, working)
      await cancelNewest(house)
    },
    async during(house, working) {
      await house.pass(working, 1, 6)
      await house.pass(working, 1, 1)
    },
    leastCalls: 40,
    ends: ['CANCELLED', 'FINAL'],
  },
  {
    title: 'it is cancelled, and the payment is mined before the self-spend',
    async before(house, working) {
      await send(house, working)
      await cancelNewest(house)
    },
    async during(house, working) {
      await house.pass(working, 0)
      await reviveFirst(house)
      await house.pass(working, 2, 3)
    },
    leastCalls: 20,
    ends: ['FINAL'],
  },
]

describe('each prize arrives exactly once, wherever the process dies while', () => {
  it.each(PARTS)(
    '$title',
    async (part) => {
      const house = await payoutHouse()
      const crasher = new Crasher()
      let batchesBefore = 0

      /** One life, that ends at a call; 0: at none. */
      async function live(dieAt: number, when: 'before' | 'after'): Promise<number> {
        const about = `died ${when} call ${dieAt}`
        const { id, address } = await house.money.player()
        await house.money.owe(id, 40_000n)
        crasher.arm(0, 'before')
        const mortal = house.worker({ db: (db) => crasher.wrapDb(db), wallet: (wallet) => crasher.wrapWallet(wallet) })
        await part.before(house, mortal)
        crasher.arm(dieAt, when)
        await part.during(house, mortal).catch(onlyDeath)
        const { calls } = crasher
        crasher.arm(0, 'before')
        if (dieAt > 0) house.chain.restart()

        const heir = house.worker()
        house.runtime.clock.set(house.now() + 61) // a job whose worker died is free again within a minute
        await house.pass(heir, LOOKS)
        expect((await listPayouts(house.desk)).batches, about).toEqual([])
        await house.expectPaid([{ address, sats: 40_000n }], about)
        expect(await house.db.run(queries.findReserved, [0n]), about).toEqual([])
        const states = await house.states()
        if (dieAt === 0) expect(states.slice(batchesBefore)).toEqual(part.ends)
        batchesBefore = states.length
        return calls
      }

      const calls = await live(0, 'before')
      expect(calls).toBeGreaterThan(part.leastCalls)
      for (const death of deathsAmong(calls)) await live(death.dieAt, death.when)
    },
    300_000,
  )
})
