import { expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { NodeSilent } from '../../ports/lightning/lightning-node.ts'
import type { NodeWatch } from '../../ports/lightning/node-watch.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import type { MonitoringContext } from './context.ts'
import { lightningFamilies, lookAtLightning } from './lightning.ts'

const LOOK: Awaited<ReturnType<NodeWatch['look']>> = {
  atMs: 0,
  info: {
    nodeId: `02${'ab'.repeat(32)}`,
    network: 'regtest',
    version: 'v26.06.6',
    height: 100,
    isSynced: true,
    activeChannels: 2,
  },
  liquidity: {
    oursMsat: 9_000_999n,
    sendableMsat: 5_000_999n,
    receivableMsat: 7_000_999n,
    inFlightMsat: 3_000n,
    nextExpiry: 130,
    channels: [
      { state: 'CHANNELD_NORMAL', isConnected: true, sendableMsat: 5_000_999n, receivableMsat: 7_000_999n },
      { state: 'CHANNELD_NORMAL', isConnected: false, sendableMsat: 0n, receivableMsat: 0n },
      { state: 'ONCHAIN', isConnected: true, sendableMsat: 0n, receivableMsat: 0n },
    ],
  },
}

it('the metrics tell the node as it was read last, and of an absent one only that it is away', async () => {
  const { db } = await testDatabase()
  let isAway = false
  const look = async () => {
    if (isAway) throw new NodeSilent('nobody answers')
    return LOOK
  }
  // What they read of their context.
  const ctx = { db, runtime: testRuntime(), lightning: { look } } as unknown as MonitoringContext
  const told = async (differenceSats: bigint | null) => {
    const families = await lightningFamilies(ctx, { differenceSats })
    return families.flatMap(({ name, samples }) =>
      samples.map(({ labels, value }) => [
        name.replace('fairball_lightning_', ''),
        ...Object.values(labels),
        Number(value),
      ]),
    )
  }
  expect(await told(null)).toEqual([
    ['oldest_in_flight_seconds', 0],
    ['never_left_total', 0],
  ])
  await lookAtLightning(ctx)
  expect(await told(-3n)).toEqual([
    ['up', 1],
    ['synced', 1],
    ['channels', 'ONCHAIN', 1],
    ['channels', 'CHANNELD_NORMAL', 1],
    ['channels', 'CHANNELD_NORMAL, disconnected', 1],
    ['sendable_sats', 5000],
    ['receivable_sats', 7000],
    ['in_flight_sats', 3],
    ['blocks_left', 30],
    ['received_day_sats', 0],
    ['sent_day_sats', 0],
    ['fee_sats_total', 0],
    ['oldest_in_flight_seconds', 0],
    ['never_left_total', 0],
    ['difference_sats', -3],
  ])
  isAway = true
  await expect(lookAtLightning(ctx)).rejects.toThrow('nobody answers')
  expect(await told(null)).toEqual([
    ['up', 0],
    ['received_day_sats', 0],
    ['sent_day_sats', 0],
    ['fee_sats_total', 0],
    ['oldest_in_flight_seconds', 0],
    ['never_left_total', 0],
  ])
})
