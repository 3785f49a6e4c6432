import type { LegalText } from '@fairball/contract/schemas/legal'

const OWN = { version: 0, status: 'in_force', date: null, from_at: null, until_at: null } as const

/** The answer of a site whose operator has not set a text. */
export const OWN_TEXT: LegalText = { ...OWN, blocks: null, versions: [OWN] }
