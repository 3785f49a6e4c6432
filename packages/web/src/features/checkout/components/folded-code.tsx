import type { ReactNode } from 'react'
import { Disclosure } from '@fairball/ui/disclosure.tsx'
import { CHECKOUT_TEXTS } from '../messages.ts'

/** The code of a payment on a device that opens its wallet instead: it shows at a press. */
export function FoldedCode({ children }: { children: ReactNode }) {
  return <Disclosure title={CHECKOUT_TEXTS.showCode}>{children}</Disclosure>
}
