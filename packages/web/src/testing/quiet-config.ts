import type { WebConfig } from '../app/config.ts'

/** What a site is told whose operator has said nothing. */
export const QUIET_CONFIG: WebConfig = {
  testMode: false,
  publicUrl: 'http://localhost',
  network: 'regtest',
  socialLogins: { google: null, facebook: null },
  supportEmail: null,
  content: { operator: null, social: [], feedbackFormUrl: null },
  build: null,
}
