import { createHmac } from 'node:crypto'
import { deriveKey } from '../../runtime/keys.ts'

/** A digest of each setting, by the name of its variable. */
export type Digests = Readonly<Record<string, string>>

/**
 * The settings that decide what is paid, to whom and when: the same in every process, by the names of their variables.
 */
export type SharedSettings = Readonly<Record<string, string>>

/** Digests against which settings cannot be tested without the installation's secret. */
export function digestsOf(settings: SharedSettings, secretKey: Uint8Array): Digests {
  const key = deriveKey(secretKey, 'sharedSettings')
  const digest = (name: string, value: string): string =>
    createHmac('sha256', key).update(`${name}\0${value}`).digest('hex')
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, digest(name, value)]))
}

/** The variables that both processes know and that have different values. */
export function differing(one: Digests, other: Digests): string[] {
  return Object.keys(one).filter((name) => other[name] !== undefined && other[name] !== one[name])
}
