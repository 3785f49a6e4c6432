import { LEAVE } from './leave.ts'

/** The worker's address: beside the pages, because it may only answer for addresses below its own. */
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

/** The key that records the choice to keep nothing. */
const CHOICE_KEY = 'fairball.offline'
const NO = 'no'

/**
 * Makes the browser keep the last results for offline reading. Browsers without service workers or storage go without,
 * and so do those whose owners opted out.
 */
export async function keepOffline(): Promise<void> {
  if (!('serviceWorker' in navigator) || !isOfflineWanted()) return
  try {
    // Fetched again each time, so that no old version stays in a cache.
    await navigator.serviceWorker.register(trustedAddress(), { updateViaCache: 'none' })
  } catch {
    // Private windows and full disks refuse it; the site does not need it.
  }
}

/** Ends it, and remembers the choice: the worker leaves and deletes its caches. */
export async function leaveOffline(): Promise<void> {
  choose(NO)
  const registration = await navigator.serviceWorker?.getRegistration('/')
  registration?.active?.postMessage(LEAVE)
}

/** Drops that choice, and keeps the last results again. */
export async function returnOffline(): Promise<void> {
  choose(null)
  await keepOffline()
}

/** @returns whether the last results may be kept: true until opted out */
export function isOfflineWanted(): boolean {
  try {
    return localStorage.getItem(CHOICE_KEY) !== NO
  } catch {
    return false // without storage for the choice there is none for results either
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

/** A page can create a policy of one name only once. */
function trustedAddress(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  trusted ??= trustedTypes?.createPolicy(POLICY, { createScriptURL: () => ADDRESS }).createScriptURL('') ?? ADDRESS
  return trusted
}
