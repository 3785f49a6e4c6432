import { createHmac } from 'node:crypto'
import type { sha256 } from './platform-sha2.ts'

/** Replaces @noble/hashes/hmac.js for the domain and its tests, with the platform's HMAC. */
export const hmac = {
  create({ platformName }: typeof sha256, key: Uint8Array) {
    const state = createHmac(platformName, key)
    const steps = {
      update(bytes: Uint8Array) {
        state.update(bytes)
        return steps
      },
      digest: (): Uint8Array => Uint8Array.from(state.digest()),
    }
    return steps
  },
}
