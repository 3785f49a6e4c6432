import { createClient } from '@fairball/contract/client'
import type { Api } from '../api.ts'
import type { Clock } from '../clock.ts'
import { isPlayersPage } from '../players-pages.ts'
import type { Runtime } from '../runtime.ts'
import { claimVisitorOrder, forgetPlayer, VISITOR_ORDER_KEY } from './kept-for-player.ts'
import { EMAIL_VERIFIED_KEY, Session } from './session.ts'
import { TokenStore } from './token-store.ts'

/** The name of the lock that tabs take to refresh one after another. */
const REFRESH_LOCK = 'fairball.refresh'
/**
 * A browser's processes learn of a change of the local storage a moment late: a tab that got the lock immediately could
 * still read, and send, the token that was just traded; the server would treat that as theft and end the session.
 */
const STORAGE_SETTLES_MS = 500
/** The header with the server's time in epoch seconds, on every answer of the API. */
const NOW_HEADER = 'x-fairball-now'

/** Answers with that header alone: pages that visitors share do not know the time. */
const NOW_ADDRESS = '/now'

/**
 * Joins the browser's parts to an API and a session: tokens from the web storages, one refresh and retry after a 401, locks between tabs, and the
 * server's time from the answers. `sayNow` asks for that time alone; without an answer the next one of the API says it.
 */
export function createBrowserSession(
  runtime: Runtime,
  clock: Clock,
): { api: Api; session: Session; sayNow: () => Promise<void> } {
  const tokens = new TokenStore(sessionStorage, localStorage)

  /** The access token that was last answered 401 while it was the tab's own. */
  let refused: string | null = null

  function onResponse({ headers }: { headers: { get(name: string): string | null } }): void {
    const now = Number(headers.get(NOW_HEADER))
    if (Number.isSafeInteger(now) && now > 0) clock.correct(now)
  }

  const api = createClient({
    baseUrl: '',
    fetch: async (address, init) => {
      const response = await runtime.fetch(address, init)
      const token = tokens.access()
      if (response.status === 401 && init.headers['authorization'] === `Bearer ${token}`) refused = token
      return response
    },
    getHeaders: ({ access }) => {
      const token = access === 'refresh' ? tokens.refresh() : tokens.access()
      return access === 'anyone' || access === 'demo' || token === null ? {} : { authorization: `Bearer ${token}` }
    },
    // A call that was in flight while another one refreshed has to be sent again, without another refresh.
    onUnauthorized: async () => {
      const token = tokens.access()
      return (token !== null && token !== refused) || (await session.refresh())
    },
    onResponse,
  })

  const session: Session = new Session({
    tokens,
    refreshTokens: () => api.call('refreshTokens'),
    getProfile: () => api.call('getProfile'),
    logout: () => api.call('logout'),
    exclusively: (task) => (navigator.locks === undefined ? task() : oneTabAtATime(runtime, task)),
    forgetPlayer: () => forgetPlayer(sessionStorage, localStorage),
    claimVisitorOrder: (player) => claimVisitorOrder(localStorage, sessionStorage, player),
    forgetVisitorOrder: () => localStorage.removeItem(VISITOR_ORDER_KEY),
    announceEmailVerified: () => localStorage.setItem(EMAIL_VERIFIED_KEY, runtime.randomId()),
    runtime,
  })

  // The pages of players alone wait for the session: it is asked for while the page's other scripts are on their way.
  if (isPlayersPage(location.href)) void session.ready()

  addEventListener('storage', (event) => {
    if (event.storageArea === localStorage) void session.followStorage(event)
  })
  // A page that comes back from the browser's memory has missed logins and logouts since: it reloads if there was one.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && (tokens.refresh() === null) === (session.state().status === 'player')) location.reload()
  })
  return { api, session, sayNow: () => runtime.fetch(NOW_ADDRESS).then(onResponse, () => undefined) }
}

/** Runs a task while no other tab runs one. The lock is kept a little longer than the task, and than its caller waits. */
async function oneTabAtATime<Value>(runtime: Pick<Runtime, 'after'>, task: () => Promise<Value>): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  const locked = navigator.locks.request(REFRESH_LOCK, async () => {
    await task().then(resolve, reject)
    await new Promise<void>((settled) => runtime.after(STORAGE_SETTLES_MS, settled))
  })
  locked.catch(reject)
  return await promise
}
