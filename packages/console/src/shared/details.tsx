import { DefinitionList } from '@fairball/ui/definition-list.tsx'
import type { Definition } from '@fairball/ui/definition-list.tsx'

/** Terms and values; those without a value are left out. */
export function Details({ items }: { items: readonly (Definition | null)[] }) {
  return <DefinitionList ruled items={items.filter((item) => item !== null)} />
}
