// A process that works off the payouts of a database over a node, until it is killed. Its parent tells it what to work on
// in its environment, and how far its clock is ahead in messages. It says `ready` once its modules are loaded, and begins
// at the first message.
import { createDatabase } from '../../src/db/pool.ts'
import { createJobQueue } from '../../src/jobs/queue.ts'
import { createLedger } from '../../src/modules/ledger/service.ts'
import { createPayouts } from '../../src/modules/payouts/service.ts'
import { createNode } from '../../src/ports/bitcoin-node/rpc.ts'
import { createCoreWallet } from '../../src/ports/wallet/bitcoin-core.ts'
import { systemRuntime } from '../../src/runtime/system-runtime.ts'

/** What a worker's process is started with. */
export interface WorkerSettings {
  readonly databaseUrl: string
  readonly nodeUrl: string
  readonly cookieFile: string
  readonly wallet: string
  /** in decimals: JSON knows no bigint */
  readonly floatSats: string
}

if (process.send !== undefined) work()

function work(): void {
  const { databaseUrl, nodeUrl, cookieFile, wallet, floatSats } = JSON.parse(process.argv[2] ?? '') as WorkerSettings // the parent's
  const runtime = systemRuntime({ logLevel: 'error', logFormat: 'json' })
  const { sleep } = runtime.steady
  const db = createDatabase({ address: databaseUrl, runtime, poolSize: 4 })
  const node = createNode({ url: nodeUrl, cookieFile, fetch: runtime.fetch, sleep })
  const queue = createJobQueue({ db, runtime })
  const payouts = createPayouts({
    db,
    runtime,
    jobs: queue,
    ledger: createLedger(),
    wallet: createCoreWallet({ node, wallet, network: 'regtest' }),
    network: 'regtest',
    limits: { approvalSats: null, floatSats: BigInt(floatSats) },
    partnerAddresses: () => new Map(),
    tell: async () => undefined,
    onPaid: async () => undefined,
  })
  queue.register(payouts.jobs())
  let isWorking = false
  process.on('message', (offsetSeconds: number) => {
    runtime.clock.setOffsetSeconds(offsetSeconds)
    if (isWorking) return
    isWorking = true
    void payouts.begin().then(() => queue.start())
  })
  process.on('disconnect', () => process.exit(1)) // whoever killed the tests meant this one as well
  process.send?.('ready')
}
