import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { SiteColors } from '@fairball/domain/site-colors'
import type { Client } from './client.ts'
import type { LegalName } from './legal-names.ts'
import type { SocialNetwork } from './social-networks.ts'

// The agreement between the server and the web, so that the server can render the web's pages.

/** The server's configuration of the page. It must contain no secrets, because it is in the HTML. */
export interface WebConfig {
  /** Whether this is a demo with test bitcoin, with the test-mode strip and the developer's controls. */
  readonly testMode: boolean
  /** The site's origin, such as `https://fairball.example`, without a slash at the end. */
  readonly publicUrl: string
  /** The bitcoin network of all addresses. */
  readonly network: BitcoinNetwork
  /** The social logins; null for one that is not configured and has no button. */
  readonly socialLogins: Readonly<Record<'google' | 'facebook' | 'twitter', SocialLoginApp | null>>
  /** The name of the site. */
  readonly siteName: string
  /** The operator's sign; left out for the product's own. */
  readonly logo?: SitePictures | undefined
  /** The legal texts that change soon; left out while none does. */
  readonly comingTexts?: readonly ComingText[] | undefined
  /** Address for help; null if there is no support by mail. */
  readonly supportEmail: string | null
  /** The operator's own content; missing parts are null or empty, and left out of pages. */
  readonly content: PublicContent
  /** The version and the hash of the build that is served (docs/supply-chain.md); null during development. */
  readonly build: { version: string; hash: string } | null
}

/** A legal text that is announced and not yet in force. */
export interface ComingText {
  readonly name: LegalName
  readonly version: number
  /** epoch seconds */
  readonly fromAt: number
}

/** The addresses of a picture for the light and the dark theme, from the site's root. */
export interface SitePictures {
  readonly light: string
  readonly dark: string
}

/** The public part of the operator's content file. */
export interface PublicContent {
  /** The operator of this installation; null if the operator has not given one. */
  readonly operator: Operator | null
  /** The operator's pages at social networks, in display order. */
  readonly social: readonly { network: SocialNetwork; url: string }[]
  /**
   * A form of a third party for feedback, an https address; null shows our own. Only `/feedback` loaded as a document
   * may frame it (its CSP names the form's origin): a link there is a plain one, not one of the router.
   */
  readonly feedbackFormUrl: string | null
}

/** The operator of this installation. */
export interface Operator {
  readonly name: string
  /** The line about the licence in the footer. */
  readonly licence: string
  /** The lines of the office's address. */
  readonly address: readonly string[]
  readonly email: string
  readonly phone: string | null
  /** The address of the source code of this copy of the program. */
  readonly source: string | null
}

/** The site's application at a social network. */
export interface SocialLoginApp {
  readonly clientId: string
  /**
   * The network's page where a player agrees to log in; client, redirect address and the rest are added as its query.
   */
  readonly authUrl: string
}

/** The server's input for rendering one page. */
export interface PageRequest {
  /** the path and query of the request, such as `/game/treasure?transaction_id=1` */
  readonly url: string
  /** answers the calls of the contract in-process, as for a visitor without a token */
  readonly api: Client
  /** the time to render for, in epoch seconds */
  readonly now: number
  /**
   * a fresh random value, in the attribute `nonce` of the page's own inline scripts and styles. It marks them for the
   * server, which names each in the `Content-Security-Policy` by its hash and takes the marks out.
   */
  readonly nonce: string
  readonly config: WebConfig
  readonly look: SiteLook
}

/** The site's own look, which only the server's part of a page needs. */
export interface SiteLook {
  /** the light theme's; null for the product's own */
  readonly colors: SiteColors | null
  /** what browsers and home screens show; null for the product's own */
  readonly icon: SitePictures | null
}

/**
 * The web from the server's view: the exports of `packages/web/src/entry-server.tsx`. `Answer` is the platform's
 * `Response`.
 */
export interface Web<Answer> {
  /** @returns the HTML with status 200, 404 or 500, or a redirect with its `Location` */
  render(page: PageRequest): Promise<Answer>
  /** @returns the page for a missing address; null if it cannot be rendered now */
  renderMissing(page: Omit<PageRequest, 'url'>): Promise<string | null>
  /**
   * @returns the address whose page answers this one to every visitor, without the parts of the query that no page
   *   reads; null if the query belongs to one visitor
   */
  sharedAddress(url: string): string | null
  /** Whether an address has no page, without rendering. */
  leadsNowhere(url: string, games: ReadonlyMap<string, unknown>): boolean
  /** The address with a game's own key in place of another spelling; null for any other address. */
  spelledRight(url: string, games: ReadonlyMap<string, { readonly key: string }>): string | null
  /**
   * @returns the addresses in the sitemap, with `$name` for each variable part: `/terms`, `/game/$gameKey/draw/$number`
   */
  listedPages(): readonly string[]
}
