/** What people of the staff may do. Roles add up. */
export const ROLES = ['owner', 'treasurer', 'approver', 'support', 'games', 'editor', 'auditor'] as const

/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number]
