import { paths } from '../../shared/paths.ts'

/** The pages of the menu, in its order. */
export const MENU: readonly { readonly href: string; readonly name: string }[] = [
  { href: paths.inbox, name: 'Inbox' },
  { href: paths.payouts, name: 'Payouts' },
  { href: paths.staff, name: 'Staff' },
  { href: paths.audit, name: 'Audit' },
]
