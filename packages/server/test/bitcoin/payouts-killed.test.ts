import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sql, t } from '../../src/db/sql.ts'
import { Refused } from '../../src/kernel/errors.ts'
import { listPayouts, takeBackBatch } from '../../src/modules/operator/payout-actions.ts'
import { beginReconciling, payoutsStatus } from '../../src/modules/payouts/service.ts'
import type { Wallet } from '../../src/ports/wallet/wallet.ts'
import { monotonicTime, systemClock } from '../../src/runtime/system-runtime.ts'
import { forgetPayouts } from '../forgotten-payouts.ts'
import { acceptAll, type PayoutCluster } from '../payout-cluster.ts'
import { seededRandom } from '../seeded-random.ts'
import { casesOf } from '../share.ts'
import { startNode, type TestNode } from './node.ts'
import { payoutsOn, type Prize } from './payouts-on-node.ts'
import type { WorkerSettings } from './payouts-worker.ts'

/** Rounds in each of which a process is killed. */
const ROUNDS = casesOf({ all: 20, share: 10 })
const WORKER = join(import.meta.dirname, 'payouts-worker.ts')
/** Longer than a payout's six blocks, plus those of one made after it was cancelled. */
const LOOKS = 18
/** The latest point for raising a fee. */
const MAX_LOOKS = 20
/** 50 BTC, like the ledger's bankroll, in as many coins as batches may be out at the same time. */
const MANY_COINS = Array.from({ length: 10 }, () => 500_000_000n)
/** So few that a few prizes are several batches. */
const LIMITS = { approvalSats: null, floatSats: 100_000n }

const readDearer = sql({
  name: 'payouts-killed.read-dearer',
  text: `select count(*)::int as dearer from payout_txs where kind = 'pay' and version > 1`,
  row: { dearer: t.int },
})

let node: TestNode
const { closeWallets, coreCluster, owePrize, pass, expectPaid, mineEmpty } = payoutsOn(() => node)

beforeAll(async () => {
  node = await startNode()
})
afterAll(async () => {
  await node?.stop()
})

/** Takes back what only a person decides, like an operator who reads the alarm. */
async function cancelHalted(cluster: PayoutCluster): Promise<void> {
  for (const { id, state } of (await listPayouts(cluster.desk)).batches)
    if (state === 'HALTED') await takeBackBatch(cluster.desk, id)
}

/** Processes that work, and as many that are loaded and wait to replace them. */
function crew(settings: WorkerSettings) {
  const everybody = new Set<ChildProcess>()
  const working: ChildProcess[] = []
  const clock = systemClock()

  async function load(): Promise<ChildProcess> {
    const child = fork(WORKER, [JSON.stringify(settings)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    everybody.add(child)
    await once(child, 'message')
    return child
  }
  const spares = [load(), load()]

  return {
    now: () => clock.now(),

    /** Lets time pass for all of them. */
    move(seconds: number): void {
      clock.setOffsetSeconds(clock.offsetSeconds() + seconds)
      for (const child of working) child.send(clock.offsetSeconds())
    },

    /** Has two processes work. */
    async fill(): Promise<void> {
      while (working.length < 2) {
        const next = spares.shift()
        spares.push(load())
        if (next === undefined) throw new Error('nobody is left')
        const child = await next
        child.send(clock.offsetSeconds())
        working.push(child)
      }
    },

    /** Ends a process as a power cut does. */
    async kill(which: number): Promise<void> {
      const [child] = working.splice(which, 1)
      if (child === undefined) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },

    end(): void {
      for (const child of everybody) child.kill('SIGKILL')
    },
  }
}

describe('each prize arrives once, and wallet, ledger and chain agree', () => {
  it('each prize arrives once whenever two processes at the same batches are killed, and the node with them', async () => {
    const { cluster, name } = await coreCluster({ coins: MANY_COINS, limits: LIMITS })
    const random = seededRandom('killed payouts')
    const below = (limit: number): number => (random.bytes(1)[0] ?? 0) % limit
    const { url: nodeUrl, cookieFile } = node
    const floatSats = String(LIMITS.floatSats)
    const workers = crew({ databaseUrl: cluster.url, nodeUrl, cookieFile, wallet: name, floatSats })
    onTestFinished(() => workers.end())
    const observer = cluster.worker()
    const prizes: Prize[] = []

    for (let round = 0; round < ROUNDS; round += 1) {
      await workers.fill()
      if (round < 12) prizes.push(await owePrize(cluster, BigInt(20_000 + below(100) * 500)))
      if (below(4) === 0) await node.mine(1)
      if (below(6) === 0) {
        const open = (await listPayouts(cluster.desk)).batches
        const refused = (error: unknown): void => expect(error).toBeInstanceOf(Refused)
        if (open.length > 0) await takeBackBatch(cluster.desk, open[below(open.length)]?.id ?? 0n).catch(refused)
      }
      workers.move(100 + below(200) * 8)
      await monotonicTime.sleep(below(250) * 1.5)
      await workers.kill(below(2))
      if (below(3) === 0) await workers.kill(0)
      if (round === 7) await node.flush()
      if (round === 7 || round === 14) {
        await node.kill9()
        await node.restart()
      }
    }

    /** Waits until nothing more is due. */
    const rest = async (): Promise<void> => {
      for (let waits = 0; waits < 200; waits += 1) {
        await monotonicTime.sleep(30)
        if (((await observer.queue.nextAt()) ?? Infinity) > workers.now()) break
      }
    }
    prizes.push(await owePrize(cluster, 40_000n))
    const dearer = async (): Promise<number> => (await cluster.db.one(readDearer, [])).dearer
    // A process that dies may drop a check: then there are more checks.
    for (let look = 0; look < 4 || (look < MAX_LOOKS && (await dearer()) === 0); look += 1) {
      await workers.fill()
      await mineEmpty() // a block that passes over what is out, whose fee is then raised
      workers.move(look === 0 ? 61 : 700)
      await rest()
      if (look < 4) await workers.kill(0)
    }
    await workers.fill()
    // What was cancelled is made again at the same check.
    for (let look = 0; look < 100 && ((await listPayouts(cluster.desk)).batches.length > 0 || look < 2); look += 1) {
      await node.mine(2)
      workers.move(600)
      await rest()
      await cancelHalted(cluster)
    }
    expect((await listPayouts(cluster.desk)).batches).toEqual([])
    expect((await listPayouts(cluster.desk)).stopReason).toBe(null)
    await expectPaid(cluster, prizes)
    expect(prizes).toHaveLength(Math.min(ROUNDS, 12) + 1)
    expect(await dearer()).toBeGreaterThan(0)
  }, 180_000)
})

describe('a database restored from a backup made before the payouts', () => {
  it('all payouts stop, and no player is paid twice when the operator lets them continue', async () => {
    const { cluster } = await coreCluster()
    const prizes = [await owePrize(cluster, 40_000n), await owePrize(cluster, 41_000n)]
    await pass(cluster, cluster.worker(), 2)
    await forgetPayouts(cluster.url)
    const working = cluster.worker()
    await beginReconciling(working.payouts)
    await pass(cluster, working, 2)
    expect((await payoutsStatus(working.payouts)).stopReason).toContain('not ours')
    expect(await cluster.states()).toEqual([])
    await acceptAll(cluster.desk)
    await pass(cluster, working, 4, 2)
    expect(await cluster.states()).toEqual(['FINAL'])
    await expectPaid(cluster, prizes)
  })
})

type Call = 'bump' | 'cancel' | 'broadcast' | 'confirmations'

/** The stages of a batch that has left, until its end. */
const COURSES: Readonly<Record<string, (cluster: PayoutCluster) => Promise<void>>> = {
  async 'a bump'(cluster) {
    await mineEmpty()
    cluster.runtime.clock.set(cluster.now() + 1300)
  },
  async 'a cancellation'(cluster) {
    for (const { id } of (await listPayouts(cluster.desk)).batches) await takeBackBatch(cluster.desk, id)
  },
  async confirmations(cluster) {
    await node.mine(3)
    cluster.runtime.clock.set(cluster.now() + 600)
  },
}

const DEATHS: readonly [course: string, call: Call, when: 'before' | 'after', blocks: 'written' | 'lost'][] = [
  ['a bump', 'bump', 'before', 'lost'],
  ['a bump', 'bump', 'after', 'written'],
  ['a bump', 'broadcast', 'before', 'written'],
  ['a bump', 'broadcast', 'after', 'lost'],
  ['a cancellation', 'cancel', 'after', 'lost'],
  ['a cancellation', 'broadcast', 'before', 'written'],
  ['a cancellation', 'broadcast', 'after', 'lost'],
  ['confirmations', 'confirmations', 'before', 'lost'],
  ['confirmations', 'confirmations', 'after', 'written'],
]

describe('the death of the node costs no one anything', () => {
  it('no money is lost if the node dies in a bump, a cancellation or while blocks come, with blocks written or lost', async () => {
    await closeWallets()
    const { cluster, wallet } = await coreCluster()
    let deadly: { call: Call; when: 'before' | 'after'; isWritten: boolean } | null = null
    const mortal =
      <A extends unknown[], R>(call: Call, work: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        if (deadly?.call !== call) return await work(...args)
        const { when, isWritten } = deadly
        deadly = null
        const outcome = when === 'after' ? await work(...args) : null
        if (isWritten) await node.flush()
        await node.kill9()
        if (outcome !== null) throw new Error('the answer was lost')
        return await work(...args)
      }
    const dying: Wallet = {
      ...wallet,
      bump: mortal('bump', wallet.bump),
      cancel: mortal('cancel', wallet.cancel),
      broadcast: mortal('broadcast', wallet.broadcast),
      confirmations: mortal('confirmations', wallet.confirmations),
    }
    onTestFinished(() => node.restart())
    for (const [course, call, when, blocks] of DEATHS) {
      const about = `${course}: the node died ${when} ${call}, blocks ${blocks}`
      const prize = await owePrize(cluster, 40_000n)
      await pass(cluster, cluster.worker(), 0)
      await COURSES[course]?.(cluster)
      deadly = { call, when, isWritten: blocks === 'written' }
      await cluster.worker({ wallet: () => dying }).queue.runDue()
      expect(deadly, about).toBe(null)
      await node.restart()
      const heir = cluster.worker()
      cluster.runtime.clock.set(cluster.now() + 61)
      await pass(cluster, heir, 0)
      for (let look = 0; look < LOOKS && (await listPayouts(cluster.desk)).batches.length > 0; look += 2) {
        await pass(cluster, heir, 1, 3)
        await pass(cluster, heir, 1, 3)
      }
      expect((await listPayouts(cluster.desk)).batches, about).toEqual([])
      await expectPaid(cluster, [prize], about)
      await node.flush()
    }
  }, 300_000)
})
