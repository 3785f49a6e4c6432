import { HDKey } from '@scure/bip32'
import { p2wpkh } from '@scure/btc-signer'
import { REGTEST } from '@fairball/server/testing/ports'

/** Regtest addresses of made-up keys, each derived once per run. */
function addressBook(fill: number): (index: number) => string {
  const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(fill))
  const known = new Map<number, string>()
  return (index) => {
    const before = known.get(index)
    if (before !== undefined) return before
    const key = account.deriveChild(index).publicKey
    const address = key === null ? undefined : p2wpkh(key, REGTEST).address
    if (address === undefined) throw new Error(`no address at ${index}`)
    known.set(index, address)
    return address
  }
}

/** Payment addresses of orders. */
export const depositAddress = addressBook(5)
/** Payout addresses of players. */
export const playerAddress = addressBook(9)
/** Addresses of outsiders. */
export const strangerAddress = addressBook(3)
