import { expect, it } from 'vitest'
import type { Queries } from '../../db/pool.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import type { LightningInfo, LightningNode, Liquidity } from './lightning-node.ts'
import { NodeWatch } from './node-watch.ts'

const NODE_ID = '02'.padEnd(66, 'a')

/** The watch of a node that tells this, changed by a test, at a time that the test moves. */
function watched(told: { info: Partial<LightningInfo>; liquidity: Partial<Liquidity> }) {
  const at = { ms: 0, looks: 0 }
  const db = { maybeOne: async () => ({ nodeId: NODE_ID }) } as unknown as Queries
  const node = {
    info: async () => {
      at.looks += 1
      return { nodeId: NODE_ID, isSynced: true, activeChannels: 1, height: 100, ...told.info }
    },
    liquidity: async () => ({ sendableMsat: 9_000n, receivableMsat: 9_000n, ...told.liquidity }),
  } as unknown as LightningNode
  const monotonic = { nowMs: () => at.ms, sleep: async () => undefined }
  return {
    at,
    watch: new NodeWatch({ db, node, runtime: { ...testRuntime(), monotonic }, chainHeight: async () => 100 }),
  }
}

it('what a node said counts for a minute', async () => {
  const { at, watch } = watched({ info: {}, liquidity: {} })
  expect(await watch.canReceive(1_000n)).toBe(true)
  at.ms = 59_999
  expect(await watch.isFitNow()).toBe(true)
  expect(at.looks).toBe(1)
  at.ms = 60_000
  await watch.canReceive(1_000n)
  expect(at.looks).toBe(2)
})

it.each<[string, Partial<LightningInfo>, Partial<Liquidity>]>([
  ['reads the chain', { isSynced: false }, {}],
  ['has no channel', { activeChannels: 0 }, {}],
  ['has no peer to receive from or send to', {}, { receivableMsat: 0n, sendableMsat: 0n }],
])('a node that %s is asked again after two seconds', async (_what, info, liquidity) => {
  const told = { info, liquidity }
  const { at, watch } = watched(told)
  expect(await watch.canReceive(1_000n)).toBe(false)
  Object.assign(told, { info: {}, liquidity: {} })
  at.ms = 1_999
  expect(await watch.canReceive(1_000n)).toBe(false)
  expect(at.looks).toBe(1)
  at.ms = 2_000
  expect(await watch.canReceive(1_000n)).toBe(true)
  expect(await watch.isFitNow()).toBe(true)
  expect(at.looks).toBe(2)
})
