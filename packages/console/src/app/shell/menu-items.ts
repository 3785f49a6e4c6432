import { paths } from '../../shared/paths.ts'

/** The pages of the menu, in its order. */
export const MENU: readonly { readonly href: string; readonly name: string }[] = [
  { href: paths.overview, name: 'Overview' },
  { href: paths.inbox, name: 'Inbox' },
  { href: paths.payouts, name: 'Payouts' },
  { href: paths.treasury, name: 'Treasury' },
  { href: paths.games, name: 'Games' },
  { href: paths.reports, name: 'Reports' },
  { href: paths.site, name: 'Site' },
  { href: paths.integrations, name: 'Integrations' },
  { href: paths.staff, name: 'Staff' },
  { href: paths.audit, name: 'Audit' },
  { href: paths.health, name: 'Health' },
]
