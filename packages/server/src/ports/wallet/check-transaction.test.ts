import { HDKey } from '@scure/bip32'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { checkTransaction, type CheckedTx } from './check-transaction.ts'
import { REGTEST } from './test-chain.ts'
import { FeeTooHigh, WalletRefused, type WalletOutput } from './wallet.ts'

const keys = HDKey.fromMasterSeed(new Uint8Array(32).fill(3))
const privateKey = keys.privateKey ?? new Uint8Array()
const own = p2wpkh(keys.publicKey ?? new Uint8Array(), REGTEST)
const coin = (id: string): string => `${id.repeat(64)}:0`

function address(index: number): string {
  const made = p2wpkh(keys.deriveChild(index).publicKey ?? new Uint8Array(), REGTEST).address
  if (made === undefined) throw new Error('no address')
  return made
}

/** Signed bytes that spend coins of 100,000 sats, or as many as are given. */
function signed(coins: readonly string[], outputs: readonly WalletOutput[], coinSats = 100_000n): string {
  const tx = new Transaction({ lowR: true })
  for (const outpoint of coins) {
    const [txid = '', index = ''] = outpoint.split(':')
    tx.addInput({ txid, index: Number(index), witnessUtxo: { script: own.script, amount: coinSats } })
  }
  for (const output of outputs) tx.addOutputAddress(output.address, output.sats, REGTEST)
  tx.sign(privateKey)
  tx.finalize()
  return tx.hex
}

const PAYEES = [
  { address: address(1), sats: 30_000n },
  { address: address(2), sats: 40_000n },
]
const CHANGE = { address: address(9), sats: 29_000n }
const WANTED: Omit<CheckedTx, 'raw'> = {
  network: 'regtest',
  outputs: PAYEES,
  changeAddress: CHANGE.address,
  coinSats: new Map([coin('a'), coin('b')].map((outpoint) => [outpoint, 100_000n])),
  reserved: [],
  shares: [],
}

describe('a signed payout transaction', () => {
  it('a transaction is read independently: id, fee, coins and change', () => {
    const checked = checkTransaction({ ...WANTED, raw: signed([coin('a')], [...PAYEES, CHANGE]) })
    expect(checked).toMatchObject({ feeSats: 1_000n, inputs: [coin('a')], change: CHANGE })
    expect(checked.txid).toMatch(/^[0-9a-f]{64}$/)
    expect(checkTransaction({ ...WANTED, raw: signed([coin('a')], [CHANGE, ...PAYEES.toReversed()]) }).change).toEqual(
      CHANGE,
    )
  })

  it('a transaction needs no change', () => {
    const outputs = [{ address: address(1), sats: 99_000n }]
    const checked = checkTransaction({ ...WANTED, outputs, changeAddress: null, raw: signed([coin('a')], outputs) })
    expect(checked).toMatchObject({ feeSats: 1_000n, change: null })
  })

  const [one, other] = PAYEES as [WalletOutput, WalletOutput]
  const stranger = { address: address(7), sats: 29_000n }
  it.each<[string, readonly string[], readonly WalletOutput[], Partial<CheckedTx>, string]>([
    ['leaves a payee out', [coin('a')], [one, CHANGE], {}, '1 outputs are missing'],
    ['pays a payee less', [coin('a')], [one, { ...other, sats: 39_999n }, CHANGE], {}, 'none that was asked for'],
    ['pays a payee twice', [coin('a'), coin('b')], [one, one, other, CHANGE], {}, 'none that was asked for'],
    ['pays somebody else', [coin('a')], [one, other, stranger], {}, 'none that was asked for'],
    ['has change where none may be', [coin('a')], [one, other, CHANGE], { changeAddress: null }, 'none that was'],
    [
      'has change twice',
      [coin('a'), coin('b')],
      [one, other, CHANGE, { ...CHANGE, sats: 99_000n }],
      {},
      'none that was',
    ],
    [
      'spends a coin of another payment',
      [coin('a')],
      [one, other, CHANGE],
      { reserved: [coin('a')] },
      'another payment',
    ],
    ['spends a coin nobody told of', [coin('c')], [one, other, CHANGE], {}, 'nobody knows'],
    [
      'shares no coin with an earlier version',
      [coin('a')],
      [one, other, CHANGE],
      { shares: [[coin('b')]] },
      'no coin of',
    ],
    ['pays no fee', [coin('a')], [one, other, { ...CHANGE, sats: 30_000n }], {}, 'fee would be 0'],
    ['pays too much a byte', [coin('a'), coin('b')], [one, other], {}, 'is beyond'],
    ['pays more than was agreed', [coin('a')], [one, other, CHANGE], { mostFeeSats: 999n }, 'beyond 999'],
  ])('a transaction is refused when it %s', (_title, coins, outputs, changed, message) => {
    const check = (): unknown => checkTransaction({ ...WANTED, ...changed, raw: signed(coins, outputs) })
    expect(check).toThrow(WalletRefused)
    expect(check).toThrow(message)
  })

  it('a transaction with a very large fee is refused, and one with a fee of more than half its payments waits for a cheaper day', () => {
    const fee =
      (outSats: bigint, feeSats: bigint, payees = 60n) =>
      () => {
        const outputs = Array.from({ length: Number(payees) }, (_, index) => ({
          address: address(index + 20),
          sats: outSats / payees,
        }))
        const inSats = (outSats / payees) * payees + feeSats
        const raw = signed([coin('a')], outputs, inSats)
        const coinSats = new Map([[coin('a'), inSats]])
        return checkTransaction({ ...WANTED, outputs, changeAddress: null, coinSats, raw })
      }
    expect(fee(60_000n, 50_000n)).not.toThrow()
    expect(fee(60_000n, 50_001n)).toThrow(FeeTooHigh)
    expect(fee(600_000n, 300_000n)).not.toThrow()
    expect(fee(600_000n, 300_001n)).toThrow(FeeTooHigh)
    expect(fee(600_000n, 300_001n)).toThrow('more than half of the 600000 sats paid')
    // An erratic wallet is for a person, however little it pays.
    expect(fee(600_000n, 700_000n)).toThrow(WalletRefused)
    expect(fee(50_000_000_000n, 4_000_000n, 500n)).not.toThrow()
    expect(fee(50_000_000_000n, 6_000_001n, 800n)).toThrow('beyond 6000000')
  })

  it('a transaction pays 500 small prizes on a busy day: 5,000 sats each at 75 sats per virtual byte', () => {
    const outputs = Array.from({ length: 500 }, (_, index) => ({ address: address(index + 20), sats: 5_000n }))
    const raw = (feeSats: bigint): string => signed([coin('a')], outputs, 2_500_000n + feeSats)
    const vbytes = BigInt(Transaction.fromRaw(Buffer.from(raw(1_000n), 'hex'), { allowUnknownInputs: true }).vsize)
    const feeSats = vbytes * 75n
    const coinSats = new Map([[coin('a'), 2_500_000n + feeSats]])
    const wanted = { ...WANTED, outputs, changeAddress: null, coinSats, raw: raw(feeSats) }
    expect(checkTransaction(wanted)).toMatchObject({ feeSats })
  })
})
