import { type BitcoinNetwork, parseBtcAddress } from '@fairball/domain/btc-address'
import { Transaction } from '@scure/btc-signer'
import { FeeTooHigh, type PreparedTx, type WalletOutput, WalletRefused } from './wallet.ts'

/** The maximum fee of any payout transaction: 500 outputs, about 20,000 virtual bytes, at the highest rate. */
const MAX_FEE_SATS = 6_000_000n
/** Its maximum rate per virtual byte; `bitcoin-core.ts` requests no more. */
const MAX_SATS_PER_VBYTE = 300n
/** A fee up to this is acceptable for any payment: a single small prize may cost more to send than it is worth. */
const UNSHARED_FEE_SATS = 50_000n

/** A signed transaction, and its requirements. */
export interface CheckedTx {
  /** signed bytes in hexadecimal */
  readonly raw: string
  readonly network: BitcoinNetwork
  /** exactly these, and at most `change` beside them */
  readonly outputs: readonly WalletOutput[]
  /** the wallet's own address that change may go to; null for none */
  readonly changeAddress: string | null
  /** the value of each coin, by outpoint, in sats */
  readonly coinSats: ReadonlyMap<string, bigint>
  /** coins that may not be spent */
  readonly reserved: readonly string[]
  /** lists of coins; of each list at least one has to be spent */
  readonly shares: readonly (readonly string[])[]
  /** the maximum fee; default: the caps of a payment */
  readonly mostFeeSats?: bigint
  /** the maximum fee that is worth paying, see `PrepareRequest` */
  readonly worthFeeSats?: bigint | undefined
}

/**
 * Reads signed bytes with a program of our own and compares them with the request: the node's word is not enough when
 * the bytes pay everyone at once.
 *
 * @throws WalletRefused that says what is wrong
 * @throws FeeTooHigh if everything is right, but the fee is more than is worth paying, see `PrepareRequest`
 */
export function checkTransaction(wanted: CheckedTx): PreparedTx {
  const tx = Transaction.fromRaw(Buffer.from(wanted.raw, 'hex'), { allowUnknownInputs: true, disableScriptCheck: true })
  const inputs = inputsOf(tx)
  checkInputs(inputs, wanted)
  const change = changeIn(tx, wanted)
  const inSats = inputs.reduce((sum, outpoint) => sum + (wanted.coinSats.get(outpoint) ?? 0n), 0n)
  const outSats = wanted.outputs.reduce((sum, output) => sum + output.sats, 0n)
  const feeSats = inSats - outSats - (change?.sats ?? 0n)
  const { mostFeeSats, worthFeeSats } = wanted
  checkFee(feeSats, { outSats, vbytes: BigInt(tx.vsize), mostFeeSats, worthFeeSats })
  return { txid: tx.id, raw: wanted.raw, feeSats, inputs, change }
}

/** The outpoints a transaction spends. */
function inputsOf(tx: Transaction): string[] {
  return Array.from({ length: tx.inputsLength }, (_, place) => {
    const { txid, index } = tx.getInput(place)
    if (txid === undefined || index === undefined) throw new WalletRefused(`input ${place} spends nothing`)
    return `${Buffer.from(txid).toString('hex')}:${index}`
  })
}

function checkInputs(inputs: readonly string[], { coinSats, reserved, shares }: CheckedTx): void {
  const spent = new Set(inputs)
  if (spent.size !== inputs.length) throw new WalletRefused('a coin is spent twice in one transaction')
  const unknown = inputs.find((outpoint) => !coinSats.has(outpoint))
  if (unknown !== undefined) throw new WalletRefused(`nobody knows what the coin ${unknown} is worth`)
  const taken = reserved.find((outpoint) => spent.has(outpoint))
  if (taken !== undefined) throw new WalletRefused(`the coin ${taken} belongs to another payment`)
  if (shares.some((coins) => !coins.some((outpoint) => spent.has(outpoint))))
    throw new WalletRefused('no coin of an earlier version is spent: both could be mined')
}

/** The one unrequested output, if it returns to us. */
function changeIn(tx: Transaction, wanted: CheckedTx): WalletOutput | null {
  const missing = new Map<string, bigint>()
  for (const { address, sats } of wanted.outputs) {
    const script = scriptOf(address, wanted.network)
    if (missing.has(script)) throw new WalletRefused(`two outputs are for ${address}`)
    missing.set(script, sats)
  }
  const changeScript = wanted.changeAddress === null ? null : scriptOf(wanted.changeAddress, wanted.network)
  let change: WalletOutput | null = null
  for (let place = 0; place < tx.outputsLength; place += 1) {
    const { script: bytes, amount } = tx.getOutput(place)
    const script = Buffer.from(bytes ?? []).toString('hex')
    if (amount !== undefined && missing.get(script) === amount) missing.delete(script)
    else if (amount !== undefined && change === null && script === changeScript && wanted.changeAddress !== null)
      change = { address: wanted.changeAddress, sats: amount }
    else throw new WalletRefused(`output ${place} (${String(amount)} sats) is none that was asked for`)
  }
  if (missing.size > 0) throw new WalletRefused(`${missing.size} outputs are missing`)
  return change
}

function checkFee(
  feeSats: bigint,
  about: { outSats: bigint; vbytes: bigint; mostFeeSats: bigint | undefined; worthFeeSats: bigint | undefined },
): void {
  const { outSats, vbytes, mostFeeSats, worthFeeSats } = about
  if (feeSats <= 0n) throw new WalletRefused(`the fee would be ${feeSats} sats`)
  if (mostFeeSats !== undefined) {
    if (feeSats > mostFeeSats) throw new WalletRefused(`a fee of ${feeSats} sats is beyond ${mostFeeSats}`)
    return
  }
  if (feeSats > MAX_FEE_SATS) throw new WalletRefused(`a fee of ${feeSats} sats is beyond ${MAX_FEE_SATS}`)
  if (feeSats > vbytes * MAX_SATS_PER_VBYTE)
    throw new WalletRefused(`a fee of ${feeSats} sats for ${vbytes} virtual bytes is beyond ${MAX_SATS_PER_VBYTE} each`)
  // The caps above are for an erratic wallet. This one is for a busy day, and passes with it.
  const halfSats = outSats / 2n
  const worthSats = worthFeeSats ?? (halfSats > UNSHARED_FEE_SATS ? halfSats : UNSHARED_FEE_SATS)
  if (feeSats > worthSats) throw new FeeTooHigh({ feeSats, paidSats: outSats, worthFeeSats })
}

/** The script of an output that pays an address, in hexadecimal. @throws WalletRefused */
export function scriptOf(address: string, network: BitcoinNetwork): string {
  const parsed = parseBtcAddress(address, network)
  if (parsed === null) throw new WalletRefused(`${address} is no address of ${network} that is paid`)
  return Buffer.from(parsed.scriptPubKey).toString('hex')
}
