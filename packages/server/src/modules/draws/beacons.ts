import { beaconSecretKey } from '@fairball/domain/protocol/beacon'
import type { Db } from '../../db/pool.ts'
import { type Beacon, type Beacons, beaconsOf } from '../../ports/beacon/beacon.ts'
import { type BeaconChain, LOCAL_PERIOD_SECONDS, QUICKNET_CHAIN } from '../../ports/beacon/chains.ts'
import { createDrandBeacon } from '../../ports/beacon/drand-beacon.ts'
import { createLocalBeacon } from '../../ports/beacon/local-beacon.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Seal } from '../../runtime/seal.ts'
import { keptSecret, keptText } from '../fairness/service.ts'
import { findStateKept } from './queries.ts'

const LOCAL_KEY = 'beacon.local-key'
const LOCAL_GENESIS = 'beacon.local-genesis'

/** The beacon that draws are opened with from now on, and the relays that drand's rounds come from. */
export interface BeaconChoice {
  readonly current: 'local' | 'drand'
  /** base addresses without a slash at the end */
  readonly relays: readonly string[]
  /** Default: quicknet. Tests use a chain with a known key. */
  readonly chain?: BeaconChain
  /** The time outside, epoch seconds: the demo's clock runs ahead of it. Default: the system's clock. */
  readonly outsideNow?: () => number
}

/**
 * The beacons of this installation. The local one gets its key at the first start that uses it. If another beacon is
 * configured later, it stays for the draws that were opened with it (docs/fairness.md, section 5).
 */
export async function keptBeacons(
  deps: { readonly db: Db; readonly runtime: Runtime; readonly seal: Seal },
  choice: BeaconChoice,
): Promise<Beacons> {
  const { db, runtime } = deps
  const { relays, chain = QUICKNET_CHAIN, outsideNow = () => runtime.clock.now() } = choice
  const drand = createDrandBeacon(runtime, { chain, relays, outsideNow })
  if (choice.current === 'local') {
    const local = await localBeacon(deps)
    return beaconsOf(local, { local, drand })
  }
  const { isKept: wasLocal } = await db.one(findStateKept, [LOCAL_KEY])
  return beaconsOf(drand, { local: wasLocal ? await localBeacon(deps) : null, drand })
}

async function localBeacon(deps: { readonly db: Db; readonly runtime: Runtime; readonly seal: Seal }): Promise<Beacon> {
  const { db, runtime } = deps
  return createLocalBeacon(runtime, {
    secretKey: beaconSecretKey(await keptSecret(deps, LOCAL_KEY, 48)),
    // The first round is a whole period before the first draw can start.
    genesis: Number(await keptText(db, LOCAL_GENESIS, String(runtime.clock.now() - LOCAL_PERIOD_SECONDS))),
  })
}
