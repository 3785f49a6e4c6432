import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type ClnSocket, clnSocket } from '../../src/ports/lightning/cln-socket.ts'
import { monotonicTime } from '../../src/runtime/system-runtime.ts'
import { bitcoindPath, startNode, type TestNode } from '../bitcoin/node.ts'
import { freePort } from '../free-port.ts'

const LONGEST_WAIT_MS = 60_000
const PAUSE_MS = 50
const CALL_MS = 30_000
const STARTS = 3

/** A Core Lightning node on regtest, in a folder and a process of its own. */
interface ClnNode {
  readonly rpcFile: string
  call<T>(method: string, params?: object): Promise<T>
  /** Ends the process as a power cut does. */
  kill9(): Promise<void>
  /** Freezes the process, or lets it go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Every running node: none outlives the tests, however they end. */
const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/** The lightningd of the tests. @throws Error if there is none */
function lightningdPath(): string {
  const named = process.env['LIGHTNINGD'] ?? ''
  if (named === '' || !existsSync(named)) throw new Error('There is no lightningd: set LIGHTNINGD.')
  return named
}

/** bitcoin-cli beside the node, or a launcher like the node's: lightningd asks it for blocks. */
function bitcoinCli(folder: string): string {
  const bitcoind = bitcoindPath()
  if (bitcoind === null) throw new Error('There is no bitcoind: run node scripts/bitcoin-node.cjs, or set BITCOIND.')
  const beside = join(dirname(bitcoind), 'bitcoin-cli')
  if (existsSync(beside)) return beside
  const launcher = readFileSync(bitcoind, 'utf8')
  const own = join(folder, 'bitcoin-cli')
  const text = launcher
    .replaceAll('/usr/bin/bitcoind', '/usr/bin/bitcoin-cli')
    .replace(/^here=.*$/m, `here='${dirname(bitcoind)}'`)
  writeFileSync(own, text)
  chmodSync(own, 0o755)
  return own
}

/** Starts a Lightning node beside a bitcoin node. */
async function startCln(bitcoin: TestNode, more: readonly string[] = []): Promise<ClnNode> {
  const folder = await mkdtemp(join(tmpdir(), 'fairball-cln-'))
  const rpcFile = join(folder, 'regtest', 'lightning-rpc')
  const port = await freePort()
  const socket: ClnSocket = clnSocket(rpcFile, monotonicTime)
  const [user = '', password = ''] = readFileSync(bitcoin.cookieFile, 'utf8').split(':')
  const args = [
    '--network=regtest',
    `--lightning-dir=${folder}`,
    `--bind-addr=127.0.0.1:${port}`,
    `--bitcoin-cli=${bitcoinCli(folder)}`,
    `--bitcoin-rpcuser=${user}`,
    `--bitcoin-rpcpassword=${password}`,
    `--bitcoin-rpcconnect=127.0.0.1`,
    `--bitcoin-rpcport=${new URL(bitcoin.url).port}`,
    `--log-file=${join(folder, 'log')}`,
    '--developer',
    '--dev-fast-gossip',
    '--dev-bitcoind-poll=1',
    '--disable-plugin=cln-renepay',
    ...more,
  ]
  let child: ChildProcess | null = null

  async function start(): Promise<void> {
    for (let left = STARTS; ; left--) {
      // Its own children would hold pipes open for ever.
      const started = spawn(lightningdPath(), args, { stdio: 'ignore', detached: true })
      child = started
      running.add(started)
      const endsAt = monotonicTime.nowMs() + LONGEST_WAIT_MS
      while (started.exitCode === null && monotonicTime.nowMs() < endsAt) {
        const info = await socket.call('getinfo', {}, { timeoutMs: CALL_MS }).catch(() => null)
        if (info !== null) return
        await monotonicTime.sleep(PAUSE_MS)
      }
      running.delete(started)
      const log = existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8').slice(-2000) : ''
      if (left === 1) throw new Error(`lightningd does not start:\n${log}`)
    }
  }

  async function end(how: NodeJS.Signals): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    // Its children are of its group.
    if (child.pid !== undefined) process.kill(-child.pid, how)
    await ended
    running.delete(child)
  }

  await start()
  return {
    rpcFile,
    call: async <T>(method: string, params: object = {}) =>
      (await socket.call(method, params, { timeoutMs: CALL_MS })) as T, // the caller's word for it
    kill9: () => end('SIGKILL'),
    signal(name) {
      child?.kill(name)
    },
    async restart() {
      await end('SIGTERM')
      await start()
    },
    async stop() {
      await end('SIGKILL')
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The operator's node and a payer's, with a channel between them that has coins on the payer's side. */
export interface LightningPair {
  readonly bitcoin: TestNode
  readonly operator: ClnNode
  readonly payer: ClnNode
  /** Pays an invoice by the payer's own means. @returns whether it was paid */
  pay(bolt11: string): Promise<boolean>
  /** Sends an amount that the invoice may not ask for. @returns whether the operator's node took it */
  payExactly(bolt11: string, amountMsat: bigint): Promise<boolean>
  /** Sends one part of several. @returns whether all of it was taken in the end */
  payPart(
    bolt11: string,
    sent: { readonly amountMsat: bigint; readonly wholeMsat: bigint; readonly part: number },
  ): Promise<boolean>
  /** What the payer's node says of its payment. */
  paymentOf(hash: string): Promise<'complete' | 'pending' | 'failed' | 'none'>
  /** Connects both nodes again, after one of them was started. */
  reconnect(): Promise<void>
  stop(): Promise<void>
}

/** Both nodes, ready to pay. @param options.channelSats default: 10,000,000 */
export async function startPair(options: { channelSats?: number } = {}): Promise<LightningPair> {
  const bitcoin = await startNode()
  const [operator, payer] = await Promise.all([startCln(bitcoin), startCln(bitcoin, ['--allow-deprecated-apis=true'])])
  const { bech32: address } = await payer.call<{ bech32: string }>('newaddr', { addresstype: 'bech32' })
  await bitcoin.pay(address, 100_000_000n)
  await bitcoin.mine(6)
  await until('the payer has coins', async () => {
    const { outputs } = await payer.call<{ outputs: { status: string }[] }>('listfunds')
    return outputs.some(({ status }) => status === 'confirmed')
  })
  const { id, binding } = await operator.call<{ id: string; binding: { port: number }[] }>('getinfo')
  const connect = () => payer.call('connect', { id, host: '127.0.0.1', port: binding[0]?.port })
  await connect()
  await payer.call('fundchannel', { id, amount: options.channelSats ?? 10_000_000 })
  await bitcoin.mine(6)
  await until('the channel is open', async () => {
    const states = await Promise.all([operator, payer].map(stateOf))
    return states.every((state) => state === 'CHANNELD_NORMAL')
  })

  async function payPart(
    bolt11: string,
    { amountMsat, wholeMsat, part }: { amountMsat: bigint; wholeMsat: bigint; part: number },
  ): Promise<boolean> {
    const {
      payment_hash: hash,
      payment_secret: secret,
      min_final_cltv_expiry: delay,
    } = await payer.call<Decoded>('decode', { string: bolt11 })
    const { channels } = await payer.call<{ channels: { short_channel_id: string }[] }>('listpeerchannels')
    const hop = { id, channel: channels[0]?.short_channel_id, amount_msat: String(amountMsat), delay: delay + 1 }
    const parts = part === 0 ? {} : { partid: part, groupid: 1 }
    const sent = { route: [hop], payment_hash: hash, payment_secret: secret, amount_msat: String(wholeMsat), ...parts }
    if (!(await succeeds(payer.call('sendpay', sent)))) return false
    return await succeeds(payer.call('waitsendpay', { payment_hash: hash, ...parts }))
  }

  return {
    bitcoin,
    operator,
    payer,
    pay: (bolt11) => succeeds(payer.call('xpay', { invstring: bolt11, retry_for: 10 })),
    payExactly: (bolt11, amountMsat) => payPart(bolt11, { amountMsat, wholeMsat: amountMsat, part: 0 }),
    payPart,
    async paymentOf(hash) {
      const { payments } = await payer.call<{ payments: { status: 'complete' | 'pending' | 'failed' }[] }>(
        'listsendpays',
        {
          payment_hash: hash,
        },
      )
      const states = payments.map(({ status }) => status)
      return (
        states.find((state) => state === 'complete') ??
        states.find((state) => state === 'pending') ??
        states[0] ??
        'none'
      )
    },
    async reconnect() {
      await until('the other node listens', () => succeeds(connect()))
      await until('the channel is back', async () => {
        const { channels } = await payer.call<{ channels: { peer_connected: boolean; state: string }[] }>(
          'listpeerchannels',
        )
        return channels.every((channel) => channel.peer_connected && channel.state === 'CHANNELD_NORMAL')
      })
    },
    async stop() {
      await Promise.all([operator.stop(), payer.stop()])
      await bitcoin.stop()
    },
  }
}

interface Decoded {
  readonly payment_hash: string
  readonly payment_secret: string
  readonly min_final_cltv_expiry: number
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return await work.then(
    () => true,
    () => false,
  )
}

async function stateOf(node: ClnNode): Promise<string | undefined> {
  const { channels } = await node.call<{ channels: { state: string }[] }>('listpeerchannels')
  return channels[0]?.state
}

/** Waits until something is so. @throws Error that names it */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endsAt = monotonicTime.nowMs() + LONGEST_WAIT_MS
  while (!(await isSo())) {
    if (monotonicTime.nowMs() > endsAt) throw new Error(`never: ${what}`)
    await monotonicTime.sleep(PAUSE_MS)
  }
}
