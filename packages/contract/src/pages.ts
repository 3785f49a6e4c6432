import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { Client } from './client.ts'
import type { SocialNetwork } from './social-networks.ts'

// What the server and the web agree on, so that one can render the pages of the other.

/** What the server tells the page about itself. Nothing secret enters it: it stands in the HTML. */
export interface WebConfig {
  /** Whether this is a demo with test bitcoin: shows the test-mode strip and the developer's controls. */
  readonly testMode: boolean
  /** The site's origin, such as `https://fairball.example`, without a slash at the end. */
  readonly publicUrl: string
  /** The bitcoin network addresses have to belong to. */
  readonly network: BitcoinNetwork
  /** The social networks one can log in with; null for one that is not configured and has no button. */
  readonly socialLogins: Readonly<Record<'google' | 'facebook' | 'twitter', SocialLoginApp | null>>
  /** Whom to write to for help; null where nobody answers mail. */
  readonly supportEmail: string | null
  /** What only the operator knows; what was not said is null or empty, and its part of a page is left out. */
  readonly content: PublicContent
  /** What this site is served from: the version, and the hash of its build (docs/supply-chain.md); null while it is developed. */
  readonly build: { version: string; hash: string } | null
}

/** The public part of the operator's content file. */
export interface PublicContent {
  /** Who runs this installation; null where the operator has not said. */
  readonly operator: Operator | null
  /** Where else to find the operator, in the order to show. */
  readonly social: readonly { network: SocialNetwork; url: string }[]
  /**
   * A form of a third party for feedback, an https address; null shows our own. Only `/feedback` loaded as a document may
   * frame it (its CSP names the form's origin): a link there is a plain one, not the router's.
   */
  readonly feedbackFormUrl: string | null
}

/** Who runs this installation. */
export interface Operator {
  readonly name: string
  /** The line about the licence that stands in the footer. */
  readonly licence: string
  /** The office, a line each. */
  readonly address: readonly string[]
  readonly email: string
  readonly phone: string | null
}

/** The site's application at a social network. */
export interface SocialLoginApp {
  readonly clientId: string
  /** The network's page on which a player agrees to log in; client, redirect address and the rest are added as its query. */
  readonly authUrl: string
}

/** What the server gives to render one page. */
export interface PageRequest {
  /** the path and query of the request, such as `/game/treasure?transaction_id=1` */
  readonly url: string
  /** answers the calls of the contract in-process, as for a visitor without a token */
  readonly api: Client
  /** the server's time in epoch seconds; the page counts from it */
  readonly now: number
  /** a fresh random value, also in the answer's `Content-Security-Policy` for `script-src` and `style-src` */
  readonly nonce: string
  readonly config: WebConfig
}

/** The web as the server knows it: what `packages/web/src/entry-server.tsx` exports. `Answer` is the platform's `Response`. */
export interface Web<Answer> {
  /** @returns the HTML with status 200, 404 or 500, or a redirect with its `Location` */
  render(page: PageRequest): Promise<Answer>
  /** @returns the page for what is missing; null where it cannot be rendered now */
  renderMissing(page: Omit<PageRequest, 'url'>): Promise<string | null>
  /** Whether no page has an address, told without rendering. */
  leadsNowhere(url: string): boolean
  /** @returns the addresses that the sitemap lists, with `$name` for what varies: `/terms`, `/game/$gameKey/draw/$number` */
  listedPages(): readonly string[]
}
