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
  page('/', async () => (await import('../features/inbox/inbox-screen.tsx')).InboxScreen),
  page('/inbox', async () => (await import('../features/inbox/inbox-screen.tsx')).InboxScreen),
  page('/inbox/$id', async () => (await import('../features/inbox/request-screen.tsx')).RequestScreen),
  page('/payouts', async () => (await import('../features/payouts/payouts-screen.tsx')).PayoutsScreen),
  page('/payouts/$batch', async () => (await import('../features/payouts/batch-screen.tsx')).BatchScreen),
  page('/staff', async () => (await import('../features/staff/staff-screen.tsx')).StaffScreen),
  page('/audit', async () => (await import('../features/audit/audit-screen.tsx')).AuditScreen),
]
