import type { Role } from '@fairball/contract/console/roles'

/** What each role may do, in words. */
export const ROLE_TEXTS: Readonly<Record<Role, { name: string; text: string }>> = {
  owner: { name: 'Owner', text: 'People, limits, terms and integrations' },
  treasurer: { name: 'Treasurer', text: 'The operator’s money, and the second signature of payouts' },
  approver: { name: 'Approver', text: 'Payouts' },
  support: { name: 'Support', text: 'Players and their orders' },
  games: { name: 'Games', text: 'Games and pauses of sales' },
  editor: { name: 'Editor', text: 'The site’s texts and looks' },
  auditor: { name: 'Auditor', text: 'Reads everything, changes nothing' },
}

/** "Owner, Treasurer". */
export function roleNames(roles: readonly Role[]): string {
  return roles.map((role) => ROLE_TEXTS[role].name).join(', ')
}
