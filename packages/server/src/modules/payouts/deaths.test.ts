import { describe, expect, it } from 'vitest'
import { Crasher, onlyDeath } from '../../../test/crasher.ts'
import { type PayoutCluster, startPayoutCluster } from '../../../test/payout-cluster.ts'
import { listPayouts, takeBackBatch } from '../operator/payout-actions.ts'
import * as queries from './queries.ts'
import { deathsAmong } from '../../../test/share.ts'

/** Longer than a payout's six blocks, plus those of one made after it was cancelled. */
const LOOKS = 18

type Working = ReturnType<PayoutCluster['worker']>

/** A part of a batch's life: what came before it, and what a process does that may die anywhere in it. */
interface Part {
  readonly title: string
  before(cluster: PayoutCluster, working: Working): Promise<void>
  during(cluster: PayoutCluster, working: Working): Promise<void>
  /** least number of calls in the part: fewer would mean that it is not what its title says */
  readonly leastCalls: number
  /** how the batches of an uninterrupted life end */
  readonly ends: readonly string[]
}

async function reviveFirst(cluster: PayoutCluster): Promise<void> {
  const open = (await listPayouts(cluster.desk)).batches[0]
  const versions = open === undefined ? [] : await cluster.db.run(queries.findVersions, [open.id])
  if (versions[0] !== undefined) cluster.chain.revive(versions[0])
}

async function cancelNewest(cluster: PayoutCluster): Promise<void> {
  for (const { id } of (await listPayouts(cluster.desk)).batches) await takeBackBatch(cluster.desk, id)
}

const send = (cluster: PayoutCluster, working: Working): Promise<void> => cluster.pass(working, 0)

const PARTS: readonly Part[] = [
  {
    title: 'it is confirmed, and then final',
    before: send,
    during: (cluster, working) => cluster.pass(working, 2, 3),
    leastCalls: 20,
    ends: ['FINAL'],
  },
  {
    title: 'a reorganisation takes its block, and it is sent again',
    async before(cluster, working) {
      await cluster.pass(working, 1)
      cluster.chain.reorganise(1)
      cluster.chain.forget(cluster.chain.mempool()[0] ?? '')
    },
    during: (cluster, working) => cluster.pass(working, 2, 0),
    leastCalls: 20,
    ends: ['FINAL'],
  },
  {
    title: 'a dearer version is made and sent, and the first is mined after all',
    before: send,
    async during(cluster, working) {
      await cluster.pass(working, 3, 'empty')
      await reviveFirst(cluster)
      await cluster.pass(working, 1, 6)
    },
    leastCalls: 50,
    ends: ['FINAL'],
  },
  {
    title: 'it is cancelled, and what it held is paid again',
    async before(cluster, working) {
      await send(cluster, working)
      await cancelNewest(cluster)
    },
    async during(cluster, working) {
      await cluster.pass(working, 1, 6)
      await cluster.pass(working, 1, 1)
    },
    leastCalls: 40,
    ends: ['CANCELLED', 'FINAL'],
  },
  {
    title: 'it is cancelled, and the payment is mined before the self-spend',
    async before(cluster, working) {
      await send(cluster, working)
      await cancelNewest(cluster)
    },
    async during(cluster, working) {
      await cluster.pass(working, 0)
      await reviveFirst(cluster)
      await cluster.pass(working, 2, 3)
    },
    leastCalls: 20,
    ends: ['FINAL'],
  },
]

describe('each prize arrives exactly once, wherever the process dies while', () => {
  it.each(PARTS)(
    '$title',
    async (part) => {
      const cluster = await startPayoutCluster()
      const crasher = new Crasher()
      let batchesBefore = 0

      /** One life, which ends at a call; 0 for none. */
      async function live(dieAt: number, when: 'before' | 'after'): Promise<number> {
        const about = `died ${when} call ${dieAt}`
        const { id, address } = await cluster.money.player()
        await cluster.money.owe(id, 40_000n)
        crasher.arm(0, 'before')
        const mortal = cluster.worker({
          db: (db) => crasher.wrapDb(db),
          wallet: (wallet) => crasher.wrapWallet(wallet),
        })
        await part.before(cluster, mortal)
        crasher.arm(dieAt, when)
        await part.during(cluster, mortal).catch(onlyDeath)
        const { calls } = crasher
        crasher.arm(0, 'before')
        if (dieAt > 0) cluster.chain.restart()

        const heir = cluster.worker()
        cluster.runtime.clock.set(cluster.now() + 61) // a job whose worker died is free again within a minute
        await cluster.pass(heir, LOOKS)
        expect((await listPayouts(cluster.desk)).batches, about).toEqual([])
        await cluster.expectPaid([{ address, sats: 40_000n }], about)
        expect(await cluster.db.run(queries.findReserved, [0n]), about).toEqual([])
        const states = await cluster.states()
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
