import type { WebConfig } from '@fairball/contract/pages'
import type { PageFacts, PageMeta } from './page-meta.ts'
import { pageMeta } from './page-meta.ts'
import { structuredData } from './structured-data.ts'

/**
 * Writes a page's description of itself into its head: title, description, canonical address, the cards for link
 * previews (Open Graph, Twitter), and structured data. Only the server writes it; in the browser `browser-head.ts`
 * updates its visible parts.
 *
 * @returns the elements
 */
export function pageHead(facts: PageFacts, config: WebConfig): string {
  const meta = pageMeta(facts)
  const { publicUrl, siteName } = config
  const elements = [`<title>${escaped(meta.title)}</title>`, named('description', meta.description)]
  // A page that search engines may not list gets nothing else: no card, and no address that could contain a key.
  if (meta.canonical === null) return [...elements, named('robots', 'noindex')].join('')
  return [
    ...elements,
    `<link rel="canonical" href="${escaped(publicUrl + meta.canonical)}">`,
    ...cardOf(meta, { publicUrl, siteName }, meta.canonical),
    // Data that no browser runs, so the policy for scripts does not apply.
    `<script type="application/ld+json">${asScriptText(structuredData(meta, facts, config))}</script>`,
  ].join('')
}

function cardOf(
  { title, description, image }: PageMeta,
  site: Pick<WebConfig, 'publicUrl' | 'siteName'>,
  canonical: string,
): string[] {
  const { publicUrl, siteName } = site
  const imageUrl = publicUrl + image.path
  return [
    property('og:site_name', siteName),
    property('og:type', 'website'),
    property('og:locale', 'en_GB'),
    property('og:title', title),
    property('og:description', description),
    property('og:url', publicUrl + canonical),
    property('og:image', imageUrl),
    property('og:image:type', 'image/png'),
    property('og:image:width', '1200'),
    property('og:image:height', '630'),
    property('og:image:alt', image.alt),
    named('twitter:card', 'summary_large_image'),
    named('twitter:title', title),
    named('twitter:description', description),
    named('twitter:image', imageUrl),
    named('twitter:image:alt', image.alt),
  ]
}

function named(name: string, content: string): string {
  return `<meta name="${name}" content="${escaped(content)}">`
}

function property(name: string, content: string): string {
  return `<meta property="${name}" content="${escaped(content)}">`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

/** JSON that cannot end its surrounding element. */
function asScriptText(value: object): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`)
}
