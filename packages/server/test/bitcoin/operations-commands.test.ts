import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { satsOfBtc } from '../../src/ports/bitcoin-node/rpc.ts'
import { parseAccountKey } from '../../src/ports/payment-provider/account-key.ts'
import { createBitcoinCoreProvider } from '../../src/ports/payment-provider/bitcoin-core.ts'
import { createCoreWallet } from '../../src/ports/wallet/bitcoin-core.ts'
import { monotonicTime, systemClock } from '../../src/runtime/system-runtime.ts'
import { testDatabase, type TestDatabase } from '../database.ts'
import { bitcoindPath, startNode, type TestNode, USUAL_KEYPOOL } from './node.ts'

/** Every command line of bitcoin-cli in the operator's guide, as written in the text or in a block. */
const TOLD = commandsOf(readFileSync(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8'))
const LIMIT_MS = 300_000

let database: TestDatabase
let folder: string
/** The node beside the lottery. */
let online: TestNode
/** The computer with the keys of the deposits: it never sees a block. */
let offline: TestNode
const given = new Set<string>()

beforeAll(async () => {
  database = await testDatabase()
  folder = await mkdtemp(join(tmpdir(), 'fairball-cli-'))
  ;[online, offline] = await Promise.all([
    startNode({ args: USUAL_KEYPOOL }),
    startNode({ args: USUAL_KEYPOOL, openingBlocks: 0 }),
  ])
}, LIMIT_MS)
afterAll(async () => {
  await Promise.all([online?.stop(), offline?.stop()])
  await rm(folder, { recursive: true, force: true })
  await database.drop()
})

function commandsOf(text: string): string[] {
  const inBlocks = text.match(/^bitcoin-cli .+$/gm) ?? []
  const inText = Array.from(
    text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/`(bitcoin-cli\s[^`]+)`/g),
    ([, line = '']) => line.replaceAll(/\s+/g, ' '),
  )
  return [...new Set([...inBlocks, ...inText])]
}

/** The bitcoin-cli of the node that the tests run on: beside it, or behind the launcher that was written for it. */
async function cliProgram(): Promise<string> {
  const bitcoind = bitcoindPath() ?? expect.fail('there is no bitcoind')
  const beside = join(dirname(bitcoind), 'bitcoin-cli')
  if (existsSync(beside)) return beside
  const launcher = join(folder, 'launcher')
  const text = (await readFile(bitcoind, 'utf8'))
    .replace(/^here=.*$/m, `here='${dirname(bitcoind)}'`)
    .replace('/usr/bin/bitcoind"', '/usr/bin/bitcoin-cli"')
  await writeFile(launcher, text, { mode: 0o755 })
  return launcher
}

/**
 * Runs a line of the documentation in a shell, with its placeholders filled in.
 *
 * @returns what was printed, parsed if it is JSON
 */
async function give<T = string>(at: TestNode, line: string, filled: Readonly<Record<string, string>> = {}): Promise<T> {
  expect(TOLD, 'a line that the documentation does not have').toContain(line)
  given.add(line)
  const { port } = new URL(at.url)
  const options = `-regtest -datadir='${folder}' -rpcport=${port} -rpccookiefile='${at.cookieFile}'`
  const script = `#!/bin/sh\nexec '${await cliProgram()}' ${options} "$@"\n`
  await writeFile(join(folder, 'bitcoin-cli'), script, { mode: 0o755 })
  const command = Object.entries(filled).reduce((text, [word, value]) => text.replaceAll(word, value), line)
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
  })
  expect(status, `${command}\n${stderr}`).toBe(0)
  try {
    return JSON.parse(stdout) as T
  } catch {
    return stdout.trim() as T
  }
}

it(
  'every command of docs/operations.md does what the text says, from the first wallet to a sweep',
  async () => {
    // The deposits' account, on the computer that is never online.
    await give(offline, 'bitcoin-cli -named createwallet wallet_name=cold')
    const { descriptors } = await give<{ descriptors: { desc: string }[] }>(
      offline,
      'bitcoin-cli -rpcwallet=cold listdescriptors',
    )
    const xpub = descriptors.map(({ desc }) => /^wpkh\((.+)\/0\/\*\)/.exec(desc)?.[1]).find((key) => key !== undefined)
    expect(() => parseAccountKey(xpub ?? '', 'regtest')).not.toThrow()
    await give(offline, 'bitcoin-cli -rpcwallet=cold backupwallet …', { '…': join(folder, 'cold.dat') })
    expect(existsSync(join(folder, 'cold.dat'))).toBe(true)
    await give(offline, 'bitcoin-cli -rpcwallet=cold keypoolrefill 100000', { 100000: '2000' }) // a hundredth of the keys

    // The payouts' wallet.
    await give(online, 'bitcoin-cli -named createwallet wallet_name=fairball-hot load_on_startup=true')
    await give(online, 'bitcoin-cli -rpcwallet=fairball-hot backupwallet /secure/fairball-hot.dat', {
      '/secure': folder,
    })
    expect(existsSync(join(folder, 'fairball-hot.dat'))).toBe(true)

    // A deposit, at an address of the server's.
    const provider = createBitcoinCoreProvider({
      db: database.db,
      runtime: { clock: systemClock(), monotonic: monotonicTime },
      node: online.node,
      network: 'regtest',
      xpub: xpub ?? '',
      wallet: 'fairball-watch',
      publicUrl: 'https://fairball.test',
    })
    await provider.assertFit()
    const request = { orderId: randomUUID(), amountSats: 1n, description: '', expiresAt: 1, returnUrl: '' }
    const { address: deposit } = await provider.createCheckout(request)
    await online.pay(deposit ?? '', 50_000_000n)
    await online.mine(1)

    // Deposits to the float.
    const to = await give(online, 'bitcoin-cli -rpcwallet=fairball-hot getnewaddress')
    const funded = await give<{ psbt: string; fee: number }>(
      online,
      `bitcoin-cli -rpcwallet=fairball-watch walletcreatefundedpsbt '[]' '[{"<that address>": 0.2}]' 0 '{"includeWatching": true, "change_type": "bech32"}'`,
      { '<that address>': to },
    )
    const signed = await give<{ psbt: string; complete: boolean }>(
      offline,
      'bitcoin-cli -rpcwallet=cold walletprocesspsbt <psbt>',
      { '<psbt>': funded.psbt },
    )
    expect(signed.complete).toBe(true)
    const final = await give<{ hex: string; complete: boolean }>(online, 'bitcoin-cli finalizepsbt <psbt>', {
      '<psbt>': signed.psbt,
    })
    expect(final.complete).toBe(true)
    const txid = await give(online, 'bitcoin-cli sendrawtransaction <hex>', { '<hex>': final.hex })
    await online.mine(1)
    const hot = createCoreWallet({ node: online.node, wallet: 'fairball-hot', network: 'regtest' })
    expect((await hot.balances()).spendableSats).toBe(20_000_000n)
    // The change is still a deposit of ours.
    expect(await provider.balance?.()).toMatchObject([{ sats: 30_000_000n - satsOfBtc(funded.fee) }])
    const listed = await give<{ txid: string }[]>(online, 'bitcoin-cli -rpcwallet=fairball-hot listtransactions')
    expect(listed.map((one) => one.txid)).toEqual([txid])

    // A passphrase, after a start of the node.
    await online.call('encryptwallet', { passphrase: 'four-words' }, { wallet: 'fairball-hot' })
    await online.restart()
    const unlockedUntil = async () =>
      (await online.call<{ unlocked_until: number }>('getwalletinfo', {}, { wallet: 'fairball-hot' })).unlocked_until
    expect(await unlockedUntil()).toBe(0)
    await give(online, 'bitcoin-cli -rpcwallet=fairball-hot walletpassphrase <passphrase> 100000000', {
      '<passphrase>': 'four-words',
    })
    expect(await unlockedUntil()).toBeGreaterThan(systemClock().now() + 90_000_000)

    // What is checked when something is wrong.
    expect(await give(online, 'bitcoin-cli estimatesmartfee 2')).toHaveProperty('blocks')
    expect(await give(online, 'bitcoin-cli getconnectioncount')).toBe(0)

    expect(TOLD.filter((line) => !given.has(line))).toEqual([])
  },
  LIMIT_MS,
)
