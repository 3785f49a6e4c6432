import type { SiteLook, WebConfig } from '@fairball/contract/pages'

/** The configuration of a site without content of its operator. */
export const QUIET_CONFIG: WebConfig = {
  testMode: false,
  publicUrl: 'http://localhost',
  network: 'regtest',
  socialLogins: { google: null, facebook: null, twitter: null },
  siteName: 'Fairball',
  supportEmail: null,
  content: { operator: null, social: [], feedbackFormUrl: null },
  build: null,
}

/** The look of a site whose operator has not set one. */
export const OWN_LOOK: SiteLook = { colors: null, icon: null }
