import { AddressSeals } from '../src/modules/payouts/service.ts'
import { deriveKey } from '../src/runtime/keys.ts'

/** The seals of payout addresses in the tests' installation, whose key is as in `testLottery`. */
export const ADDRESS_SEALS = new AddressSeals({ keyFor: (use) => deriveKey(new Uint8Array(32).fill(7), use) })
