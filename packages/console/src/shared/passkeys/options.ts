import { isRecord } from '../api.ts'

/** What the server asks a passkey for, as it came: WebAuthn's own shapes, read where they are used. */
export type RawOptions = Readonly<Record<string, unknown>>

/** A text of the options. @throws Error if there is none */
export function textIn(options: RawOptions, name: string): string {
  const value = options[name]
  if (typeof value !== 'string') throw new Error(`The console asked for a passkey without ${name}.`)
  return value
}

/** The ids of the passkeys that may answer, or that must not be registered again; empty for any. */
export function idsIn(options: RawOptions, name: 'allowCredentials' | 'excludeCredentials'): readonly string[] {
  const list = options[name]
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown) => (isRecord(one) && typeof one['id'] === 'string' ? [one['id']] : []))
}

/** The host that passkeys belong to: the console's own unless the options name it. */
export function hostIn(options: RawOptions): string {
  const { rpId, rp } = options
  if (typeof rpId === 'string') return rpId
  return isRecord(rp) && typeof rp['id'] === 'string' ? rp['id'] : location.hostname
}
