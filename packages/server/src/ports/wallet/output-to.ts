import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { Transaction } from '@scure/btc-signer'
import { scriptOf } from './check-transaction.ts'

/**
 * The output of a transaction that pays an address: a payout names each address once.
 *
 * @param raw signed bytes in hexadecimal
 * @throws Error if none does
 */
export function outputTo(raw: string, address: string, network: BitcoinNetwork): number {
  const tx = Transaction.fromRaw(Buffer.from(raw, 'hex'), { allowUnknownInputs: true, disableScriptCheck: true })
  const wanted = scriptOf(address, network)
  for (let place = 0; place < tx.outputsLength; place += 1) {
    const script = tx.getOutput(place).script ?? new Uint8Array()
    if (Buffer.from(script).toString('hex') === wanted) return place
  }
  throw new Error(`the transaction ${tx.id} does not pay ${address}`)
}
