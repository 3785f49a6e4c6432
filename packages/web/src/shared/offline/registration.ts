import { LEAVE } from './leave.ts'

/** Where the worker is served: beside the pages, since it may only answer for what lies below it. */
const ADDRESS = '/service-worker.js'
/** The name of the policy that makes the address a trusted one; the server's security headers allow it. */
const POLICY = 'fairball-offline'

/** The part of the browser's trusted types that is used here; not every browser has them. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): string }
}

/** Where it is remembered that somebody wants nothing to be kept. */
const CHOICE_KEY = 'fairball.offline'
const NO = 'no'

/**
 * Has the browser keep the last results for when there is no connection. A browser without service workers, or one that keeps nothing, goes without,
 * and so does one whose owner wants nothing to be kept.
 */
export async function keepOffline(): Promise<void> {
  if (!('serviceWorker' in navigator) || !isOfflineWanted()) return
  try {
    // Asked for again each time, so that no old version stays because it was kept itself.
    await navigator.serviceWorker.register(trustedAddress(), { updateViaCache: 'none' })
  } catch {
    // Private windows and full disks refuse it; the site does not need it.
  }
}

/** Ends it, and remembers that it is not wanted: the worker goes, and takes what it kept along. */
export async function leaveOffline(): Promise<void> {
  choose(NO)
  const registration = await navigator.serviceWorker?.getRegistration('/')
  registration?.active?.postMessage(LEAVE)
}

/** Forgets that it was not wanted, and keeps the last results again. */
export async function returnOffline(): Promise<void> {
  choose(null)
  await keepOffline()
}

/** @returns whether the last results may be kept: true until somebody says no */
export function isOfflineWanted(): boolean {
  try {
    return localStorage.getItem(CHOICE_KEY) !== NO
  } catch {
    return false // what may not keep a word may not keep results either
  }
}

function choose(choice: typeof NO | null): void {
  try {
    if (choice === null) localStorage.removeItem(CHOICE_KEY)
    else localStorage.setItem(CHOICE_KEY, choice)
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

let trusted: string | null = null

/** A policy of one name can be made once in a page. */
function trustedAddress(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  trusted ??= trustedTypes?.createPolicy(POLICY, { createScriptURL: () => ADDRESS }).createScriptURL('') ?? ADDRESS
  return trusted
}
