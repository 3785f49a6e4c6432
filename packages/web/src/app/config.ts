import { createContext, useContext } from 'react'
import type { SocialNetwork } from '@fairball/contract/social-networks'

/** What the server tells the page about itself. Nothing secret enters it: it stands in the HTML. */
export interface WebConfig {
  /** Whether this is a demo with test bitcoin: shows the test-mode strip and the developer's controls. */
  testMode: boolean
  /** The site's origin, such as `https://fairball.example`, without a slash at the end. */
  publicUrl: string
  /** The bitcoin network addresses have to belong to. */
  network: 'mainnet' | 'testnet4' | 'signet' | 'regtest'
  /** The social networks one can log in with; null for one that is not configured and has no button. */
  socialLogins: { google: SocialLoginApp | null; facebook: SocialLoginApp | null }
  /** Whom to write to for help; null where nobody answers mail. */
  supportEmail: string | null
  /** What only the operator knows; what was not said is null or empty, and its part of a page is left out. */
  content: OperatorContent
  /** What this site is served from: the version, and the hash of its build (docs/supply-chain.md); null while it is developed. */
  build: { version: string; hash: string } | null
}

/** The public part of the operator's content file. */
export interface OperatorContent {
  /** Who runs this installation; null where the operator has not said. */
  operator: Operator | null
  /** Where else to find the operator, in the order to show. */
  social: readonly { network: SocialNetwork; url: string }[]
  /**
   * A form of a third party for feedback, an https address; null shows our own. Only `/feedback` loaded as a document may
   * frame it (its CSP names the form's origin): a link there is a plain one, not the router's.
   */
  feedbackFormUrl: string | null
}

/** Who runs this installation. */
export interface Operator {
  name: string
  /** The line about the licence that stands in the footer. */
  licence: string
  /** The office, a line each. */
  address: readonly string[]
  email: string
  phone: string | null
}

/** The site's application at a social network. */
export interface SocialLoginApp {
  clientId: string
  /** The network's page on which a player agrees to log in; client, redirect address and the rest are added as its query. */
  authUrl: string
}

/** Carries the configuration to the components. */
export const ConfigContext = createContext<WebConfig | null>(null)

/** @returns the server's configuration. @throws Error outside of the app */
export function useConfig(): WebConfig {
  const config = useContext(ConfigContext)
  if (config === null) throw new Error('There is no configuration above this component.')
  return config
}

/** @returns what the operator has written about itself */
export function useContent(): OperatorContent {
  return useConfig().content
}
