import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NodeError, NodeUnreachable } from '../../src/ports/bitcoin-node/rpc.ts'
import { connect, MINER, OPENING_BLOCKS, partition, startNode, type TestNode, waitUntil } from './node.ts'

let one: TestNode
let other: TestNode

beforeAll(async () => {
  ;[one, other] = await Promise.all([startNode(), startNode({ openingBlocks: 0 })])
})
afterAll(async () => {
  await Promise.all([one?.stop(), other?.stop()])
})

const tipOf = (node: TestNode) => node.call<string>('getbestblockhash')

describe('a real node', () => {
  it('a real node has coins to spend and takes named arguments', async () => {
    expect(await one.call('getblockcount')).toBe(OPENING_BLOCKS)
    expect(await one.call<number>('getbalance', {}, { wallet: MINER })).toBeGreaterThan(100)
    const hash = await one.call<string>('getblockhash', { height: 1 })
    expect(await one.call('getblockheader', { blockhash: hash })).toMatchObject({ height: 1 })
  })

  it('a real node refuses with the codes that this program distinguishes', async () => {
    const failure = (method: string, params: object, wallet?: string) =>
      one.call(method, params, wallet === undefined ? {} : { wallet }).then(
        () => null,
        (error: unknown) => (error instanceof NodeError ? error.code : error),
      )
    expect(await failure('getblockheader', { blockhash: '00'.repeat(32) })).toBe(-5)
    expect(await failure('getmempoolentry', { txid: '00'.repeat(32) })).toBe(-5)
    expect(await failure('getwalletinfo', {}, 'nobody')).toBe(-18)
    expect(await failure('loadwallet', { filename: 'nobody' })).toBe(-18)
    expect(await failure('getblockcount', { nonsense: 1 })).toBe(-8)
  })

  it('a real node is cut off from another and returns to the longer chain', async () => {
    await connect(one, other)
    await partition(one, other)
    await one.mine(1)
    const [longest] = (await other.mine(2, await newAddress())).slice(-1)
    expect(await tipOf(one)).not.toBe(longest)
    await connect(one, other)
    expect(await tipOf(one)).toBe(longest)
  })

  it('a real node returns after kill −9 and after an orderly stop, with what it had written to the disk', async () => {
    const before = await tipOf(one)
    await one.flush()
    await one.mine(3)
    await one.kill9()
    await expect(one.call('getblockcount')).rejects.toThrow(NodeUnreachable)
    await one.restart()
    expect(await tipOf(one)).toBe(before) // what it had not written to the disk is gone
    const [next] = await one.mine(1)
    await one.restart()
    expect(await tipOf(one)).toBe(next)
    expect(await one.call<string[]>('listwallets')).toEqual([MINER])
    await waitUntil('the mempool is there', async () => (await one.call<{ loaded: boolean }>('getmempoolinfo')).loaded)
  })
})

async function newAddress(): Promise<string> {
  return await one.call<string>('getnewaddress', {}, { wallet: MINER })
}
