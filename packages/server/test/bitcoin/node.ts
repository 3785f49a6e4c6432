import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BitcoinNode, type CallOptions, createNode } from '../../src/ports/bitcoin-node/rpc.ts'
import { monotonicTime } from '../../src/runtime/system-runtime.ts'
import { freePort } from '../free-port.ts'

/** The wallet of a test node that mines, and that the payers of the tests pay from. */
export const MINER = 'miner'
/** Blocks after which a test node has coins to spend: a block's coins can be spent 100 blocks later. */
export const OPENING_BLOCKS = 110

const CACHE = join(import.meta.dirname, '../../../../.cache/bitcoin-node')
const LONGEST_WAIT_MS = 30_000
const PAUSE_MS = 25
const STARTS = 3
/** Delay between two starts, for what an earlier process of the same node still holds. */
const RESTART_PAUSE_MS = 500
/** Arguments for a node of version 25 or newer; nothing of it leaves this computer. */
const ARGUMENTS = [
  '-regtest',
  '-server',
  '-printtoconsole=0',
  '-dnsseed=0',
  '-fixedseeds=0',
  '-discover=0',
  '-listenonion=0',
  '-natpmp=0',
  '-fallbackfee=0.00002',
  '-txindex=1',
  '-addresstype=bech32',
  '-changetype=bech32',
  '-keypool=20', // instead of 1,000 for each of eight kinds of addresses, made with each wallet and at each start
  '-unsafesqlitesync', // wallets survive the end of the process, but not that of the computer
]

/** Arguments of a node that makes as many keys ahead as an operator's. */
export const USUAL_KEYPOOL = ['-keypool=1000']

/**
 * A bitcoind for the tests: the one in `BITCOIND`, or the newest that `node scripts/bitcoin-node.cjs` fetched.
 *
 * @returns its path; null for none
 * @throws Error if `BITCOIND` names a file that does not exist
 */
export function bitcoindPath(): string | null {
  const named = process.env['BITCOIND']
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`BITCOIND names ${named}, which does not exist`)
    return named
  }
  const launchers = (existsSync(CACHE) ? readdirSync(CACHE) : [])
    .filter((name) => !name.startsWith('.'))
    .map((name) => join(CACHE, name, 'bitcoind'))
    .filter((file) => existsSync(file))
  return launchers.toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)[0] ?? null
}

/** A node on a chain of its own, in a folder and a process of its own. */
export interface TestNode {
  /** `http://127.0.0.1:port`, without a login */
  readonly url: string
  /** written again at each start */
  readonly cookieFile: string
  /** `127.0.0.1:port` at which other nodes connect */
  readonly peerAddress: string
  readonly node: BitcoinNode
  /** as `node.call` */
  call<T>(method: string, params?: object, options?: CallOptions): Promise<T>
  /** Mines blocks with what waits in the mempool. @param address default: one of the miner's. @returns their hashes */
  mine(count: number, address?: string): Promise<string[]>
  /** Mines one block without any transaction. @returns its hash */
  mineEmpty(): Promise<string>
  /** Removes a block and all that follow from this node's chain, and from no other. */
  invalidate(blockHash: string): Promise<void>
  /** Waits until every wallet of the node has heard what the node knows: it tells them in its own time. */
  heard(): Promise<void>
  /** Pays from the miner's wallet, replaceable. @returns the transaction's id */
  pay(address: string, sats: bigint): Promise<string>
  /** Writes everything to the disk. Blocks made since are gone after `kill9`, as after a real power cut. */
  flush(): Promise<void>
  /** Ends the process as a power cut does. */
  kill9(): Promise<void>
  /** Starts it again over the same folder and ports; a running one is first stopped in order. */
  restart(): Promise<void>
  /** Ends the process and removes its folder. */
  stop(): Promise<void>
}

/** Every running node: none outlives the tests, however they end. */
const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/**
 * Starts a node on regtest, whose miner has coins to spend.
 *
 * @param options.args more arguments for bitcoind
 * @param options.openingBlocks default: `OPENING_BLOCKS`; 0 leaves the chain at its first block
 */
export async function startNode(options: { args?: string[]; openingBlocks?: number } = {}): Promise<TestNode> {
  const program = bitcoindPath()
  if (program === null) throw new Error('There is no bitcoind: run node scripts/bitcoin-node.cjs, or set BITCOIND.')
  const folder = await mkdtemp(join(tmpdir(), 'fairball-bitcoind-'))
  const [rpcPort, peerPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${rpcPort}`
  const cookieFile = join(folder, 'regtest', '.cookie')
  const node = createNode({ url, cookieFile, fetch: globalThis.fetch, sleep: monotonicTime.sleep })
  const args = [
    ...ARGUMENTS,
    ...(isKnots(program) ? ['-corepolicy=1'] : []),
    `-datadir=${folder}`,
    `-rpcport=${rpcPort}`,
    `-bind=127.0.0.1:${peerPort}`,
    ...(options.args ?? []),
  ]
  let child: ChildProcess | null = null

  async function start(): Promise<void> {
    for (let left = STARTS; ; left--) {
      const started = spawn(program ?? '', args, { stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      started.stderr.on('data', (data: Buffer) => (said += data.toString('utf8')))
      const closed = once(started, 'close')
      running.add(started)
      started.once('exit', () => running.delete(started))
      child = started
      const isUp = await eventually(
        async () => {
          if (started.exitCode !== null) return false
          await node.call('getblockcount', {}, { timeoutMs: LONGEST_WAIT_MS })
          return true
        },
        () => started.exitCode !== null,
      )
      if (isUp) return
      const status = started.exitCode // null if it hangs
      await kill(started)
      await closed
      if (left <= 1) throw new Error(`bitcoind does not start (status ${status}): ${said.trim()} ${await lastLogged()}`)
      await monotonicTime.sleep(RESTART_PAUSE_MS)
    }
  }

  /** The last lines of the node's own log. */
  async function lastLogged(): Promise<string> {
    const log = await readFile(join(folder, 'regtest', 'debug.log'), 'utf8').catch(() => '')
    return log.trimEnd().split('\n').slice(-5).join(' | ')
  }

  async function stopInOrder(): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    await node.call('stop')
    await ended
  }

  const miner = { wallet: MINER }
  const self: TestNode = {
    url,
    cookieFile,
    peerAddress: `127.0.0.1:${peerPort}`,
    node,
    call: (method, params, callOptions) => node.call(method, params, callOptions),

    async mine(count, address) {
      const to = address ?? (await node.call<string>('getnewaddress', {}, miner))
      const hashes = await node.call<string[]>('generatetoaddress', { nblocks: count, address: to })
      await self.heard()
      return hashes
    },

    async mineEmpty() {
      const output = await node.call<string>('getnewaddress', {}, miner)
      const { hash } = await node.call<{ hash: string }>('generateblock', { output, transactions: [] })
      await self.heard()
      return hash
    },

    async invalidate(blockHash) {
      await node.call('invalidateblock', { blockhash: blockHash })
      await self.heard()
    },

    async heard() {
      await node.call('syncwithvalidationinterfacequeue')
    },

    async pay(address, sats) {
      const amount = btcOf(sats)
      const txid = await node.call<string>('sendtoaddress', { address, amount, replaceable: true, fee_rate: 2 }, miner)
      await self.heard()
      return txid
    },

    async flush() {
      await node.call('gettxoutsetinfo', { hash_type: 'none' })
    },

    async kill9() {
      if (child !== null) await kill(child)
    },

    async restart() {
      await stopInOrder()
      await start()
    },

    async stop() {
      if (child !== null) await kill(child)
      await rm(folder, { recursive: true, force: true })
    },
  }

  try {
    await start()
    await node.call('createwallet', { wallet_name: MINER, load_on_startup: true }, { timeoutMs: LONGEST_WAIT_MS })
    if (options.openingBlocks !== 0) await self.mine(options.openingBlocks ?? OPENING_BLOCKS)
    await self.flush()
    return self
  } catch (error) {
    await self.stop()
    throw error
  }
}

/** Connects two nodes and waits until they agree on the chain. */
export async function connect(one: TestNode, other: TestNode): Promise<void> {
  for (const side of [one, other]) await side.call('setnetworkactive', { state: true })
  await waitUntil('the nodes agree', async () => {
    if ((await one.call<number>('getconnectioncount')) === 0)
      await one.call('addnode', { node: other.peerAddress, command: 'onetry' })
    return (await one.call<string>('getbestblockhash')) === (await other.call<string>('getbestblockhash'))
  })
  await Promise.all([one.heard(), other.heard()])
}

/** Cuts two nodes off from each other, so that each continues alone. */
export async function partition(one: TestNode, other: TestNode): Promise<void> {
  for (const side of [one, other]) await side.call('setnetworkactive', { state: false })
  await waitUntil('the nodes are apart', async () => {
    const counts = [await one.call<number>('getconnectioncount'), await other.call<number>('getconnectioncount')]
    return counts.every((count) => count === 0)
  })
}

/** Waits for what a node does in its own time. @throws Error if it takes too long */
export async function waitUntil(what: string, isSo: () => Promise<boolean>): Promise<void> {
  if (!(await eventually(isSo, () => false))) throw new Error(`not within ${LONGEST_WAIT_MS} ms: ${what}`)
}

/** Sats as the node takes them. */
export function btcOf(sats: bigint): string {
  return `${sats / 100_000_000n}.${String(sats % 100_000_000n).padStart(8, '0')}`
}

async function eventually(isSo: () => Promise<boolean>, isHopeless: () => boolean): Promise<boolean> {
  const untilMs = monotonicTime.nowMs() + LONGEST_WAIT_MS
  while (monotonicTime.nowMs() < untilMs && !isHopeless()) {
    if (await isSo().catch(() => false)) return true
    await monotonicTime.sleep(PAUSE_MS)
  }
  return false
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Bitcoin Knots has stricter mempool rules than Bitcoin Core, unless it is configured otherwise. */
function isKnots(program: string): boolean {
  return /knots/i.test(spawnSync(program, ['-version'], { encoding: 'utf8' }).stdout)
}
