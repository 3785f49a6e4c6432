/** The legal texts of a site, by the names in their settings. */
export const LEGAL_NAMES = ['terms', 'privacy', 'cookies'] as const

export type LegalName = (typeof LEGAL_NAMES)[number]
