import type { InlineSources } from './own-inline.ts'

/** What a page may load, besides its own files. */
interface PagePolicy {
  /** The sources of the page's own inline scripts and styles: `'sha256-…'`. */
  inline: InlineSources
  /** Origins that may be shown in a frame (the feedback form of a third party). */
  frameOrigins?: readonly string[]
  /** Whether the page is served over https in public: then plain http is upgraded. */
  isHttps?: boolean
  /** Only the demo: its outbox shows mails, which have inline styles. */
  isDemo?: boolean
  /** Only development: lets Vite put styles into the page, open its socket and replace modules. */
  isDevelopment?: boolean
}

/** Nothing at all: the answers of the API are data, and never a page. */
export const API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/**
 * The `Content-Security-Policy` of a page (OWASP ASVS 3.4.3, 3.4.6, 3.4.7).
 *
 * The refresh token is in local storage because the specification says so, hence a foreign script is the threat. Only
 * own files and the page's own inline scripts run, named by their hashes, so that one page with its policy can answer
 * every visitor. And no text becomes markup or code except through a trusted type,
 * and only the sanitiser makes one. Markup has no style attributes; scripts set what is measured or drawn as
 * properties, which a policy does not cover.
 *
 * Violations are not reported to an address: a report contains the page's address, which may hold keys.
 */
export function pagePolicy({
  inline: { scripts, styles },
  frameOrigins = [],
  isHttps = false,
  isDemo = false,
  isDevelopment = false,
}: PagePolicy): string {
  return [
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(' '),
    // A hash would switch 'unsafe-inline' off.
    isDevelopment ? "style-src 'self' 'unsafe-inline'" : ["style-src 'self'", ...styles].join(' '),
    ...(isDemo || isDevelopment ? ["style-src-attr 'unsafe-inline'"] : []),
    "img-src 'self' data:",
    "font-src 'self'",
    isDevelopment ? "connect-src 'self' ws:" : "connect-src 'self'",
    `frame-src ${frameOrigins.length === 0 ? "'none'" : frameOrigins.join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isDevelopment
      ? []
      : ["require-trusted-types-for 'script'", 'trusted-types dompurify fairball-worker fairball-offline']),
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}

const ONE_YEAR_SECONDS = 31_536_000

/**
 * The headers of every answer, page or data (OWASP ASVS 3.4).
 *
 * `no-referrer`, because addresses may contain keys (`/reset-password/{key}`); the opener policy lets the pop-ups of
 * the social logins answer. HSTS only if the site is reached by https; otherwise a local installation could not be
 * reached again.
 */
export function commonHeaders({ isHttps }: { isHttps: boolean }): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'x-frame-options': 'DENY',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    ...(isHttps ? { 'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}; includeSubDomains` } : {}),
  }
}
