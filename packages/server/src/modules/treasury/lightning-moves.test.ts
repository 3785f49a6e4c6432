import { afterEach, beforeEach, expect, it } from 'vitest'
import { OWN } from '../../../test/stand-in-wallet.ts'
import { startTreasuryCluster, type TreasuryCluster } from '../../../test/treasury-cluster.ts'
import type { NodeMovement } from '../../ports/lightning/lightning-node.ts'
import { NodeSilent } from '../../ports/lightning/lightning-node.ts'
import { fundDemoLightning } from '../demo/bankroll.ts'
import { findViolations } from '../invariants/service.ts'
import { bankroll, lightning, suspense, wallet } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import { lookAtWallets, treasuryStatus } from './service.ts'

const MSAT = 1_000n
const NODES_ADDRESS = 'bcrt1qthe-node-has-an-address-of-its-own'
const FEE_SATS = 700n

let cluster: TreasuryCluster
/** What the node says that a transaction did to its coins. */
const moved = new Map<string, NodeMovement>()
let heldSats = 0n
let isAway = false

beforeEach(async () => {
  cluster = await startTreasuryCluster()
  moved.clear()
  isAway = false
  await cluster.db.transaction((tx) => fundDemoLightning(tx, cluster.runtime.clock.now()))
  heldSats = await balanceOf(cluster.db, lightning)
  cluster.arrive({ address: OWN, sats: 10_000_000n })
  await pass(6)
})
afterEach(() => cluster.drop())

/** The wallets and the node are followed, a block at each look. */
async function pass(looks: number): Promise<void> {
  const node = {
    fees: async () => ({ routedMsat: 0n, chainFeeMsat: 0n }),
    liquidity: async () => ({
      oursMsat: heldSats * MSAT,
      sendableMsat: 0n,
      receivableMsat: 0n,
      inFlightMsat: 0n,
      nextExpiry: null,
      channels: [],
    }),
    async movedBy(txid: string) {
      if (isAway) throw new NodeSilent('nobody answers')
      return moved.get(txid) ?? { receivedSats: 0n, isSpender: false }
    },
  }
  for (let look = 0; look < looks; look += 1) {
    cluster.sim.mine(1)
    cluster.runtime.clock.set((Math.floor(cluster.runtime.clock.now() / 600) + 1) * 600)
    await lookAtWallets({ ...cluster.treasury, lightning: node })
    expect(await findViolations(cluster.db)).toEqual([])
  }
}

const stand = async () => ({
  wallet: await balanceOf(cluster.db, wallet),
  lightning: await balanceOf(cluster.db, lightning),
  own: (await balanceOf(cluster.db, bankroll)) + (await balanceOf(cluster.db, suspense)),
})

it('coins that the operator sends to the node stay the lottery’s: they leave one account for another, less the fee', async () => {
  const before = await stand()
  const txid = cluster.spend('payouts', [NODES_ADDRESS], 4_000_000n) ?? ''
  moved.set(txid, { receivedSats: 4_000_000n, isSpender: false })
  heldSats += 4_000_000n
  await pass(5)
  expect(await stand()).toEqual(before)
  await pass(1)
  expect(await stand()).toEqual({
    wallet: before.wallet - 4_000_000n - FEE_SATS,
    lightning: before.lightning + 4_000_000n,
    own: before.own,
  })
  expect([await cluster.unbooked(), (await treasuryStatus(cluster.treasury)).unexplainedSats]).toEqual([[], 0n])
})

it('coins that the node sends to the payouts’ wallet come out of its account, and are missed by nobody on their way', async () => {
  const before = await stand()
  const txid = cluster.arrive({ address: OWN, sats: 3_000_000n })
  moved.set(txid, { receivedSats: 0n, isSpender: true })
  heldSats -= 3_000_000n
  await pass(6)
  expect(await stand()).toEqual({
    wallet: before.wallet + 3_000_000n,
    lightning: before.lightning - 3_000_000n,
    own: before.own,
  })
})

it('a spend of which the node got only a part waits for the operator, and while the node is away nothing is booked', async () => {
  const before = await stand()
  const part = cluster.spend('payouts', [NODES_ADDRESS, 'bcrt1qsomebody-else'], 1_000_000n) ?? ''
  moved.set(part, { receivedSats: 1_000_000n, isSpender: false })
  await pass(6)
  expect(await cluster.unbooked()).toEqual([part])
  cluster.arrive({ address: OWN, sats: 2_000_000n })
  isAway = true
  await expect(pass(6)).rejects.toThrow('nobody answers')
  expect(await stand()).toEqual(before)
  isAway = false
  await pass(1)
  expect((await stand()).own - before.own).toBe(2_000_000n)
})
