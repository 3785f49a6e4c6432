// A process that works on the payouts of a database over a node, until it is killed. Its parent says in its arguments
// what to work on, and in messages how far its clock is ahead. It sends `ready` once its modules are loaded, and begins
// at the first message.
import { flushCompileCache } from 'node:module'
import { createDatabase } from '../../src/db/pool.ts'
import { JobQueue } from '../../src/jobs/queue.ts'
import { beginReconciling, payoutJobs, payoutsContext } from '../../src/modules/payouts/service.ts'
import { createNode } from '../../src/ports/bitcoin-node/rpc.ts'
import { createCoreWallet } from '../../src/ports/wallet/bitcoin-core.ts'
import { systemRuntime } from '../../src/runtime/system-runtime.ts'
import { factsTold } from '../facts.ts'
import { ADDRESS_SEALS } from '../sealed-addresses.ts'

/** The settings of a worker's process. */
export interface WorkerSettings {
  readonly databaseUrl: string
  readonly nodeUrl: string
  readonly cookieFile: string
  readonly wallet: string
  /** in decimals: JSON has no bigint */
  readonly floatSats: string
}

if (process.send !== undefined) work()

function work(): void {
  // the parent's
  const { databaseUrl, nodeUrl, cookieFile, wallet, floatSats } = JSON.parse(process.argv[2] ?? '') as WorkerSettings
  const runtime = systemRuntime({ logLevel: 'error', logFormat: 'json' })
  const { sleep } = runtime.monotonic
  const db = createDatabase({ address: databaseUrl, runtime, poolSize: 4 })
  const node = createNode({ url: nodeUrl, cookieFile, fetch: runtime.fetch, sleep })
  const queue = new JobQueue({ db, runtime })
  const payouts = payoutsContext({
    db,
    runtime,
    jobs: queue,
    wallet: createCoreWallet({ node, wallet, network: 'regtest' }),
    network: 'regtest',
    limits: () => ({ approvalSats: null, floatSats: BigInt(floatSats) }),
    addressSeals: ADDRESS_SEALS,
    partnerAddresses: () => new Map(),
    facts: factsTold(),
  })
  queue.register(payoutJobs(payouts))
  let isWorking = false
  process.on('message', (offsetSeconds: number) => {
    runtime.clock.setOffsetSeconds(offsetSeconds)
    if (isWorking) return
    isWorking = true
    void beginReconciling(payouts).then(() => queue.start())
  })
  process.on('disconnect', () => process.exit(1)) // the tests were killed, and this process with them
  flushCompileCache() // it is killed, without a chance to keep what it has compiled
  process.send?.('ready')
}
