import { useSyncExternalStore } from 'react'
import { lastCode, subscribeToCodes } from './scanned-ticket.ts'
import type { ScannedCode } from './scanned-ticket.ts'

/** @returns the code that was last scanned for this page; null without one, as on the server */
export function useScannedCode(path: string): ScannedCode | null {
  const code = useSyncExternalStore(subscribeToCodes, lastCode, () => null)
  return code?.path === path ? code : null
}
