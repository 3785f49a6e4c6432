import { Transaction } from '@scure/btc-signer'
import type { PaymentVersion } from './wallet.ts'

/** Bitcoin Core's format of transactions, coins and rates. */

/** Signing 500 outputs from many coins takes longer than a plain call. */
export const BUILD_TIMEOUT_MS = 60_000

/** The answer of `decodepsbt`, as far as it is read. */
export interface DecodedPsbt {
  readonly tx: {
    readonly vin: readonly { readonly txid: string; readonly vout: number }[]
    readonly vout: readonly { readonly value: number; readonly scriptPubKey: { readonly address?: string } }[]
  }
  readonly inputs: readonly {
    readonly witness_utxo?: { readonly amount: number }
    readonly non_witness_utxo?: { readonly vout: readonly { readonly value: number }[] }
  }[]
}

/** The rate of a version, in sats per 1,000 virtual bytes, rounded up. */
export function rateOf({ raw, feeSats }: PaymentVersion): bigint {
  const tx = Transaction.fromRaw(Buffer.from(raw, 'hex'), { allowUnknownInputs: true, disableScriptCheck: true })
  const vbytes = BigInt(tx.vsize)
  return (feeSats * 1000n + vbytes - 1n) / vbytes
}

/** Sats per virtual byte with three places, for `fee_rate`. */
export function rateText(rate: bigint): string {
  return `${rate / 1000n}.${String(rate % 1000n).padStart(3, '0')}`
}

/** An outpoint `txid:vout` in the node's format. */
export function coinOf(outpoint: string): { txid: string; vout: number } {
  const [txid = '', vout = ''] = outpoint.split(':')
  return { txid, vout: Number(vout) }
}
