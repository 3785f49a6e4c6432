import { lazy } from 'react'
import type { ComponentType } from 'react'

/** The parts of a page's address, which are its screen's props. */
type Parts = Readonly<Record<string, string>>

/** A page: its address, `$` before the parts that its screen gets, and the screen, whose code is loaded when it opens. */
interface Page {
  readonly pattern: string
  readonly Screen: ComponentType<Parts>
}

/** Each screen's props are the texts that its pattern names. */
const page = (pattern: string, load: () => Promise<ComponentType<never>>): Page => ({
  pattern,
  Screen: lazy(async () => ({ default: (await load()) as ComponentType<Parts> })),
})

/** The page of an invite, which needs no session. */
export const ENTRANCE = page(
  '/enter/$token',
  async () => (await import('../features/enrol/enrol-screen.tsx')).EnrolScreen,
)

/** The pages of people who are signed in. */
export const PAGES: readonly Page[] = [
  page('/', async () => (await import('../features/overview/overview-screen.tsx')).OverviewScreen),
  page('/inbox', async () => (await import('../features/inbox/inbox-screen.tsx')).InboxScreen),
  page('/inbox/$id', async () => (await import('../features/inbox/request-screen.tsx')).RequestScreen),
  page('/payouts', async () => (await import('../features/payouts/payouts-screen.tsx')).PayoutsScreen),
  page('/payouts/$batch', async () => (await import('../features/payouts/batch-screen.tsx')).BatchScreen),
  page('/treasury', async () => (await import('../features/treasury/treasury-screen.tsx')).TreasuryScreen),
  page('/search', async () => (await import('../features/search/search-screen.tsx')).SearchScreen),
  page('/players/$id', async () => (await import('../features/players/player-screen.tsx')).PlayerScreen),
  page('/orders/$id', async () => (await import('../features/orders/order-screen.tsx')).OrderScreen),
  page('/games', async () => (await import('../features/games/games-screen.tsx')).GamesScreen),
  page('/games/$game', async () => (await import('../features/games/game-screen.tsx')).GameScreen),
  page('/draws/$game/$number', async () => (await import('../features/draws/draw-screen.tsx')).DrawScreen),
  page('/reports', async () => (await import('../features/reports/reports-screen.tsx')).ReportsScreen),
  page('/site', async () => (await import('../features/site/site-screen.tsx')).SiteScreen),
  page(
    '/integrations',
    async () => (await import('../features/integrations/integrations-screen.tsx')).IntegrationsScreen,
  ),
  page('/health', async () => (await import('../features/health/health-screen.tsx')).HealthScreen),
  page('/staff', async () => (await import('../features/staff/staff-screen.tsx')).StaffScreen),
  page('/audit', async () => (await import('../features/audit/audit-screen.tsx')).AuditScreen),
]
