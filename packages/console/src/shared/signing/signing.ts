import { createContext, useContext } from 'react'
import type { SignedRequest } from '../calls.ts'

/** What a person is about to do. */
export type Job =
  | { readonly type: 'propose'; readonly kind: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly type: 'approve' | 'reject' | 'cancel'; readonly request: SignedRequest }

/** Opens the dialog that signs. */
export interface Signing {
  /** Asks for a reason, shows what is signed, and has it signed. */
  propose(kind: string, args: Readonly<Record<string, unknown>>): void
  /** The second person's turn: approve, or reject; or the proposer's: cancel. */
  decide(type: 'approve' | 'reject' | 'cancel', request: SignedRequest): void
}

/** Carries it to the screens. */
export const SigningContext = createContext<Signing | null>(null)

/** @returns the dialog's openers. @throws Error outside of a screen */
export function useSigning(): Signing {
  const signing = useContext(SigningContext)
  if (signing === null) throw new Error('There is no signing dialog above this component.')
  return signing
}
