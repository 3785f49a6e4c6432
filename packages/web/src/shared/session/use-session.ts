import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Profile, Session, SessionState, SessionStatus } from './session.ts'
import type { Tokens } from './token-store.ts'

/** Carries the session to the components; null on the server, which always renders for an anonymous visitor. */
export const SessionContext = createContext<Session | null>(null)

/** The state until the session is known, and on the server. */
const UNKNOWN: SessionState = { status: 'unknown', profile: null }
/** The display currency of those without a profile (specification, section 1). */
const DEFAULT_CURRENCY = 'GBP'

/** The session for a component: its state and actions. The functions stay the same from render to render. */
interface SessionView {
  /**
   * `unknown` on the server and until the first check has an answer: show the view of an anonymous visitor, which may
   * still change.
   */
  status: SessionStatus
  /** Present exactly when the status is `player`. */
  profile: Profile | null
  /** The player's display currency, GBP without one. */
  currencyCode: string
  /** Begins a session. @returns once the profile is known. @throws ApiError */
  signIn: (tokens: Tokens) => Promise<void>
  /** Ends the session here, at the server and in the other tabs. */
  signOut: () => Promise<void>
  /** Reads the profile again, after something about the player has changed. */
  refreshProfile: () => Promise<void>
  /** Marks the email address verified, here and in the other tabs. */
  emailVerified: () => void
}

/** @returns the session's state and actions */
export function useSession(): SessionView {
  const session = useContext(SessionContext)
  const { status, profile } = useSyncExternalStore(
    session?.subscribe ?? subscribeToNothing,
    session?.state ?? unknownState,
    unknownState,
  )
  return {
    status,
    profile,
    currencyCode: profile?.currency_code ?? DEFAULT_CURRENCY,
    signIn: session?.signIn ?? onServer,
    signOut: session?.signOut ?? onServer,
    refreshProfile: session?.check ?? onServer,
    emailVerified: session?.emailVerified ?? onServer,
  }
}

function onServer(): never {
  throw new Error('There is no session on the server.')
}

function unknownState(): SessionState {
  return UNKNOWN
}

function subscribeToNothing(): () => void {
  return () => {}
}
