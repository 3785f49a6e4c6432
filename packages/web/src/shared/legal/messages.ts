import type { LegalName } from '@fairball/contract/legal-names'
import { paths } from '../paths.ts'

/** The words around the legal texts. */
export const LEGAL_TEXTS = {
  lead: (date: string) => `Text of ${date}.`,
  contents: 'On this page',
  coming: (moment: string) => `This text is not in force yet. It takes effect on ${moment}.`,
  earlier: (moment: string) => `This text was in force until ${moment}.`,
  withdrawn: 'This text was announced and withdrawn. It was never in force.',
  toPresent: 'Read the text in force',
  figures: 'Where it shows figures of games or of this software, they are those of today.',
  versions: 'Versions of this text',
  versionsCaption: 'Versions of this text, newest first',
  text: 'Text',
  inForce: 'In force',
  version: (version: number, date: string | null) =>
    date === null ? `Version ${version}, without a date` : `Version ${version} of ${date}`,
  shownHere: ' (shown here)',
  from: (day: string) => `from ${day}`,
  since: (day: string) => `since ${day}`,
  until: (day: string) => `until ${day}`,
  between: (from: string, until: string) => `${from} to ${until}`,
  always: 'from the beginning',
} as const

/** The address of a legal text, with its version if it is not the one in force. */
export function legalPath(name: LegalName, version?: number): string {
  const path = { terms: paths.terms, privacy: paths.privacyPolicy, cookies: paths.cookies }[name]()
  return version === undefined ? path : `${path}?version=${version}`
}
