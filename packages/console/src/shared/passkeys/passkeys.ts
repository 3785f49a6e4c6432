import type { Assertion, Registration } from '@fairball/contract/console/staff'
import { createContext, useContext } from 'react'
import { runtime } from '../runtime.ts'
import { hostIn, idsIn } from './options.ts'
import type { RawOptions } from './options.ts'
import { registerTestKey, signWithTestKey } from './software-authenticator.ts'
import { browserTestKeys } from './test-keys.ts'
import type { TestKey, TestKeys } from './test-keys.ts'

/** Passkeys of the device, and in the demo keys that the page makes itself. */
export interface Passkeys {
  /** Asks the device for a new passkey. */
  register(options: RawOptions): Promise<Registration>
  /** Asks the device for a signature. */
  sign(options: RawOptions): Promise<Assertion>
  /** Makes a key in this browser, for the demo. */
  registerTest(options: RawOptions, label: string): Promise<Registration>
  /** Signs with a key of this browser. */
  signTest(options: RawOptions, key: TestKey): Promise<Assertion>
  /** The keys of this browser that may answer; every one of this host without options. */
  testKeys(options?: RawOptions): Promise<readonly TestKey[]>
}

/** Makes the passkeys of this browser. */
export function createPasskeys(keys: TestKeys = browserTestKeys): Passkeys {
  const parts = { keys, runtime, origin: location.origin }
  return {
    async register(options) {
      const { startRegistration } = await import('@simplewebauthn/browser')
      // The options are the server's own, which the library made there.
      return await startRegistration({ optionsJSON: options as never })
    },
    async sign(options) {
      const { startAuthentication } = await import('@simplewebauthn/browser')
      return await startAuthentication({ optionsJSON: options as never })
    },
    registerTest: (options, label) => registerTestKey(parts, options, label),
    signTest: (options, key) => signWithTestKey(parts, options, key),
    async testKeys(options = {}) {
      const allowed = idsIn(options, 'allowCredentials')
      const kept = await keys.list()
      return kept.filter((key) => key.host === hostIn(options) && (allowed.length === 0 || allowed.includes(key.id)))
    },
  }
}

/** Carries the passkeys to the components. */
export const PasskeysContext = createContext<Passkeys | null>(null)

/** @returns the passkeys. @throws Error outside of the app */
export function usePasskeys(): Passkeys {
  const passkeys = useContext(PasskeysContext)
  if (passkeys === null) throw new Error('There are no passkeys above this component.')
  return passkeys
}
