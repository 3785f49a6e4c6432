import { satsOfBtc } from '../../src/ports/bitcoin-node/rpc.ts'
import { btcOf, connect, MINER, type TestNode } from './node.ts'

/** The miner's fee of a transaction that a test makes by hand: enough to be relayed and mined. */
export const FEE = 1_000n

/** An output that can be spent. */
export interface Coin {
  readonly txid: string
  readonly vout: number
}

/** A fresh address of the miner's. */
export async function minerAddress(node: TestNode): Promise<string> {
  return await node.call<string>('getnewaddress', {}, { wallet: MINER })
}

/**
 * A confirmed coin of the miner's of `sats`, which no other payment of the miner's takes. @param other a node that must
 * know it as well
 */
export async function coinOf(node: TestNode, sats: bigint, other?: TestNode): Promise<Coin> {
  const txid = await node.pay(await minerAddress(node), sats)
  await node.mine(1)
  if (other !== undefined) await connect(node, other)
  const { vout } = await node.call<{ vout: { n: number; value: number }[] }>('getrawtransaction', {
    txid,
    verbose: true,
  })
  const found = vout.find(({ value }) => satsOfBtc(value) === sats)
  if (found === undefined) throw new Error('the coin did not arrive')
  const coin = { txid, vout: found.n }
  await node.call('lockunspent', { unlock: false, transactions: [coin], persistent: true }, { wallet: MINER })
  return coin
}

/** A replaceable, signed transaction that spends a coin of the miner's to an address, not sent yet. */
export async function signed(node: TestNode, { txid, vout }: Coin, address: string, sats: bigint): Promise<string> {
  const inputs = [{ txid, vout, sequence: 0xfffffffd }]
  const hexstring = await node.call<string>('createrawtransaction', { inputs, outputs: [{ [address]: btcOf(sats) }] })
  const { hex } = await node.call<{ hex: string }>('signrawtransactionwithwallet', { hexstring }, { wallet: MINER })
  return hex
}

/** Sends a transaction whatever fee it pays. */
export async function send(node: TestNode, hexstring: string): Promise<void> {
  await node.call('sendrawtransaction', { hexstring, maxfeerate: 0 })
  await node.heard()
}
