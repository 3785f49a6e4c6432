import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { clnSocket } from '../../src/ports/lightning/cln-socket.ts'
import { monotonicTime } from '../../src/runtime/system-runtime.ts'
import { bitcoindPath, startNode, type TestNode, waitUntil } from '../bitcoin/node.ts'
import { freePort } from '../free-port.ts'

/** What each side of a test's channel holds, in sats. */
const SIDE_SATS = 5_000_000n
const MSAT = 1000n
/** Bound of a call: `xpay` tries for some time. */
const CALL_MS = 60_000
/** Later than anything that a node has learnt, epoch seconds. */
const FAR_FUTURE = 4_000_000_000
/** Blocks after which a channel and its announcement count. */
const CHANNEL_BLOCKS = 6
/** What the funder of a channel needs for it, in sats. */
const COIN_SATS = 50_000_000n
/**
 * How often a node that has crashed is started again, as systemd does for an operator: Core Lightning 26.06.6 fails
 * an assertion of its own (`check_channel_gossip`) at times, half a second after a start with a payment underway.
 */
const MOST_CRASHES = 20
/** Time after a start in which such a crash comes. */
const CRASH_WITHIN_MS = 1000
/** Blocks that the payee of a test's route wants before a payment ends. */
const FINAL_DELAY = 20
/** What a test's router wants, as its channels say: 1 msat and 10 millionths, and 6 blocks. */
const ROUTER = { baseMsat: 1n, millionths: 10n, delay: 6 }

/** A real Core Lightning node, in a folder and a process of its own. */
interface TestLightningNode {
  readonly id: string
  /** its `lightning-rpc` */
  readonly file: string
  readonly folder: string
  /** `127.0.0.1` and this, for others to connect to */
  readonly port: number
  /** the other ends of its channels */
  readonly neighbours: TestLightningNode[]
  call<T>(method: string, params?: object): Promise<T>
  /** Ends the process as a power cut does; the database keeps what it had committed. */
  kill9(): Promise<void>
  /** Starts it again after `kill9`, and waits until its channels are up. */
  restart(): Promise<void>
  /** Holds what arrives for this node until `release`, or fails it then. */
  hold(): Promise<void>
  release(how: 'take' | 'fail'): Promise<void>
  /** Stops (SIGSTOP) and continues (SIGCONT) the process: it holds its connections and answers nothing. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
}

/** Three nodes in a row: what the payer sends reaches the operator through the router. */
export interface LightningNetwork {
  readonly bitcoin: TestNode
  readonly payer: TestLightningNode
  readonly router: TestLightningNode
  readonly operator: TestLightningNode
  /** further nodes, each with a channel to the router */
  readonly others: readonly TestLightningNode[]
  /** Mines blocks, and waits until the nodes know them. */
  mine(count: number): Promise<void>
  stop(): Promise<void>
}

/** An invoice as `decode` of a node tells it. */
interface DecodedInvoice {
  readonly payment_hash: string
  readonly payment_secret: string
  readonly amount_msat: number
}

/** Every running node: none outlives the tests, however they end. */
const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/**
 * Starts a bitcoin node and three Lightning nodes with two channels, each side of which holds `SIDE_SATS`.
 *
 * @param otherNames names of further nodes
 */
export async function startNetwork(otherNames: readonly string[] = []): Promise<LightningNetwork> {
  const bitcoin = await startNode()
  const folder = await mkdtemp(join(tmpdir(), 'fairball-lightning-'))
  const stop = async () => {
    for (const child of running) await kill(child)
    await bitcoin.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const names = ['payer', 'router', 'operator', ...otherNames]
    const nodes = await Promise.all(names.map((name) => start(join(folder, name), bitcoin)))
    const [payer, router, operator, ...others] = nodes
    if (payer === undefined || router === undefined || operator === undefined) throw new Error('three were started')
    const mine = async (count: number) => {
      await bitcoin.mine(count)
      await Promise.all(nodes.map((node) => synced(node, bitcoin)))
    }
    for (const node of [payer, router, ...others]) {
      const { bech32 } = await node.call<{ bech32: string }>('newaddr', { addresstype: 'bech32' })
      await bitcoin.pay(bech32, COIN_SATS)
    }
    await mine(1)
    for (const node of [payer, ...others]) await openChannel(node, router)
    await openChannel(router, operator)
    await mine(CHANNEL_BLOCKS)
    await ready(payer)
    return { bitcoin, payer, router, operator, others, mine, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(folder: string, bitcoin: TestNode): Promise<TestLightningNode> {
  const program = process.env['LIGHTNINGD']
  if (program === undefined) throw new Error('There is no lightningd: npm run test:lightning names one.')
  await mkdir(folder, { recursive: true })
  const port = await freePort()
  const log = join(folder, 'log')
  const file = join(folder, 'regtest', 'lightning-rpc')
  const socket = clnSocket(file, monotonicTime)
  const call: TestLightningNode['call'] = async <T>(method: string, params: object = {}) =>
    (await socket.call(method, params, { timeoutMs: CALL_MS })) as T // the caller's word for it
  const args = [
    '--network=regtest',
    `--lightning-dir=${folder}`,
    `--addr=127.0.0.1:${port}`,
    `--bitcoin-datadir=${dirname(dirname(bitcoin.cookieFile))}`,
    `--bitcoin-rpcport=${new URL(bitcoin.url).port}`,
    `--bitcoin-cli=${await bitcoinCli(folder)}`,
    `--log-file=${log}`,
    '--log-level=info',
    '--allow-deprecated-apis=false', // what the next version no longer has fails here
    '--developer',
    '--dev-fast-gossip',
    '--dev-bitcoind-poll=1',
    '--rescan=1', // nothing of it is in earlier blocks
    `--plugin=${await launcher(folder, 'hold-plugin', `"${folder}"`)}`,
  ]
  let child: ChildProcess | null = null
  let isWanted = false
  let crashes = 0
  const begin = () => {
    // With pipes a child of the node would hold them open for ever.
    const started = spawn(program, args, { stdio: 'ignore' })
    child = started
    running.add(started)
    started.once('exit', (_code, signal) => {
      running.delete(started)
      if (!isWanted || signal === 'SIGKILL' || crashes === MOST_CRASHES) return
      crashes += 1
      begin()
    })
  }
  const launch = async () => {
    isWanted = true
    begin()
    await waitUntil(`lightningd answers: ${log}`, async () => {
      await call('getinfo')
      return true
    }).catch(async (error: unknown) => {
      const lines = (await readFile(log, 'utf8').catch(() => '')).trimEnd().split('\n')
      throw new Error(lines.slice(-5).join(' | '), { cause: error })
    })
  }
  await launch()
  const { id } = await call<{ id: string }>('getinfo')
  const node: TestLightningNode = {
    id,
    file,
    folder,
    port,
    neighbours: [],
    call,
    async kill9() {
      isWanted = false
      if (child !== null) await kill(child)
    },
    async restart() {
      await launch()
      const launchedMs = monotonicTime.nowMs()
      for (let before = -1; before !== crashes;) {
        before = crashes
        await connectNeighbours(node)
        await ready(node)
        await monotonicTime.sleep(Math.max(0, launchedMs + CRASH_WITHIN_MS - monotonicTime.nowMs()))
      }
    },
    hold: () => writeFile(join(folder, 'hold'), 'hold'),
    release: (how) =>
      how === 'take' ? rm(join(folder, 'hold'), { force: true }) : writeFile(join(folder, 'hold'), 'fail'),
    signal: (name) => void child?.kill(name),
  }
  return node
}

/** What a node says it received for an invoice; 0 while it is not paid. */
export async function receivedBy(payee: TestLightningNode, hash: string): Promise<bigint> {
  const { invoices } = await payee.call<{ invoices: { amount_received_msat?: number }[] }>('listinvoices', {
    payment_hash: hash,
  })
  return invoices.reduce((total, { amount_received_msat: msat = 0 }) => total + BigInt(msat), 0n)
}

/** The bitcoin-cli beside the bitcoin node, or one that stands in for it. @returns its path */
async function bitcoinCli(folder: string): Promise<string> {
  const beside = join(dirname(bitcoindPath() ?? ''), 'bitcoin-cli')
  return existsSync(beside) ? beside : await launcher(folder, 'bitcoin-cli', '"$@"')
}

/** Writes a program that runs a script of this folder. @returns its path */
async function launcher(folder: string, name: string, args: string): Promise<string> {
  const file = join(folder, name)
  const script = join(import.meta.dirname, `${name}.mjs`)
  await writeFile(file, `#!/bin/sh\nexec "${process.execPath}" "${script}" ${args}\n`, { mode: 0o755 })
  return file
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Opens a channel to a peer, who gets half of it; it counts after some blocks. */
async function openChannel(from: TestLightningNode, to: TestLightningNode): Promise<void> {
  from.neighbours.push(to)
  to.neighbours.push(from)
  await from.call('connect', { id: to.id, host: '127.0.0.1', port: to.port })
  await from.call('fundchannel', {
    id: to.id,
    amount: String(2n * SIDE_SATS),
    push_msat: String(SIDE_SATS * MSAT),
  })
}

/** Left to themselves, nodes wait ever longer before they try again. */
async function connectNeighbours(node: TestLightningNode): Promise<void> {
  for (const { id, port } of node.neighbours)
    await waitUntil('the neighbour is connected', async () => {
      await node.call('connect', { id, host: '127.0.0.1', port })
      return true
    })
}

async function synced(node: TestLightningNode, bitcoin: TestNode): Promise<void> {
  await waitUntil('the node knows the newest block', async () => {
    const { blockheight } = await node.call<{ blockheight: number }>('getinfo')
    return blockheight === (await bitcoin.call<number>('getblockcount'))
  })
}

async function channelsUp(node: TestLightningNode): Promise<void> {
  await waitUntil('the channels are up', async () => {
    const { channels } = await node.call<{ channels: { state: string; peer_connected: boolean }[] }>('listpeerchannels')
    const isUp = channels.every(({ state, peer_connected: isConnected }) => isConnected && state === 'CHANNELD_NORMAL')
    return isUp && channels.length > 0
  })
}

/**
 * Waits until a node and all that it reaches know the newest blocks, have their channels up, and have heard of each
 * other's: a channel counts as closed to payers for a moment after one of its ends was away.
 */
async function ready(node: TestLightningNode): Promise<void> {
  const all = new Set([node])
  for (const one of all) for (const neighbour of one.neighbours) all.add(neighbour)
  const directions = [...all].reduce((count, one) => count + one.neighbours.length, 0)
  for (const one of all) {
    await channelsUp(one)
    await waitUntil('the node has read the chain', async () => {
      const info = await one.call<object>('getinfo')
      return !('warning_bitcoind_sync' in info) && !('warning_lightningd_sync' in info)
    })
    await waitUntil('the node knows the way', async () => {
      const { channels } = await one.call<{ channels: readonly { active: boolean }[] }>('listchannels')
      return channels.filter(({ active }) => active).length === directions
    })
    // A payer takes a channel that refused once for too small for an hour.
    await one.call('askrene-age', { layer: 'xpay', cutoff: FAR_FUTURE })
  }
}

async function channelBetween(one: TestLightningNode, other: TestLightningNode): Promise<string> {
  const { channels } = await one.call<{ channels: readonly { peer_id: string; short_channel_id: string }[] }>(
    'listpeerchannels',
  )
  const channel = channels.find(({ peer_id: peer }) => peer === other.id)
  if (channel === undefined) throw new Error('the nodes share a channel')
  return channel.short_channel_id
}

/** Number of attempts so far: each is another to the node. */
let groups = 0

/**
 * Sends any amount towards an invoice of the operator, as no wallet would: a part of it, or more.
 *
 * @param from the payer, through the router, or the router itself
 * @param options.totalMsat the total that the payee is told to expect, from all payers
 * @returns once it is on its way
 */
export async function sendAmount(
  network: LightningNetwork,
  from: 'payer' | 'router',
  bolt11: string,
  options: { readonly msat: bigint; readonly totalMsat?: bigint },
): Promise<{ readonly hash: string; readonly ended: () => Promise<'complete' | 'failed'> }> {
  const { payer, router, operator } = network
  const invoice = await payer.call<DecodedInvoice>('decode', { string: bolt11 })
  const { msat, totalMsat = msat } = options
  const last = {
    id: operator.id,
    channel: await channelBetween(router, operator),
    delay: FINAL_DELAY,
    amount_msat: String(msat),
  }
  const fee = ROUTER.baseMsat + (msat * ROUTER.millionths) / 1_000_000n
  const first = {
    id: router.id,
    channel: await channelBetween(payer, router),
    delay: FINAL_DELAY + ROUTER.delay,
    amount_msat: String(msat + fee),
  }
  const sender = from === 'payer' ? payer : router
  const about = { payment_hash: invoice.payment_hash, partid: 1, groupid: (groups += 1) }
  await sender.call('sendpay', {
    ...about,
    route: from === 'payer' ? [first, last] : [last],
    payment_secret: invoice.payment_secret,
    amount_msat: String(totalMsat),
  })
  const ended = () =>
    sender.call('waitsendpay', about).then(
      () => 'complete' as const,
      () => 'failed' as const,
    )
  return { hash: invoice.payment_hash, ended }
}
