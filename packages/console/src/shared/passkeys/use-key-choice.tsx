import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Assertion } from '@fairball/contract/console/staff'
import { SelectField } from '@fairball/ui/field.tsx'
import { useSite } from '../site.ts'
import type { RawOptions } from './options.ts'
import { usePasskeys } from './passkeys.ts'

/** The value of the device's own passkeys among the choices. */
const DEVICE = 'device'

/** Which passkey signs. */
interface KeyChoice {
  /** The choice, for the demo; nothing elsewhere, where only the device's own passkeys are. */
  field: ReactNode
  /** Signs with the chosen one. */
  sign: (options: RawOptions) => Promise<Assertion>
}

/**
 * The choice between the device's passkeys and, in the demo, the keys that this browser keeps.
 *
 * @param options what is signed, if it is known already; then only keys that may sign it are offered
 */
export function useKeyChoice(options?: RawOptions): KeyChoice {
  const { is_demo } = useSite()
  const passkeys = usePasskeys()
  const [chosen, choose] = useState<string | null>(null)
  const { data: kept = [] } = useQuery({
    queryKey: ['test-keys', options ?? null],
    queryFn: () => passkeys.testKeys(options),
    enabled: is_demo,
    staleTime: 0,
  })
  const picked = kept.find(({ id }) => id === chosen) ?? (chosen === null ? kept[0] : undefined)
  const choices = kept.map(({ id, userName, label }) => ({ value: id, label: `Test key: ${userName}, ${label}` }))
  const field =
    choices.length > 0 ? (
      <SelectField
        label="Sign with"
        value={picked?.id ?? DEVICE}
        onChange={choose}
        options={[...choices, { value: DEVICE, label: 'A passkey of this device' }]}
      />
    ) : null
  return {
    field,
    sign: async (asked) => {
      // Read again: the list may still be on its way, and the counters of its keys may have moved.
      const now = is_demo && chosen !== DEVICE ? await passkeys.testKeys(asked) : []
      const key = now.find(({ id }) => id === chosen) ?? now[0]
      return key === undefined ? await passkeys.sign(asked) : await passkeys.signTest(asked, key)
    },
  }
}
