/** The elements a message may have, without attributes except a link's address. */
const ALLOWED = new Set([
  'p',
  'br',
  'b',
  'strong',
  'i',
  'em',
  'u',
  'ul',
  'ol',
  'li',
  'h3',
  'h4',
  'blockquote',
  'code',
  'a',
])
/** Elements whose content is not text for readers: it is removed with them. */
const WITHOUT_CONTENT = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'iframe',
  'object',
  'svg',
  'math',
  'title',
  'textarea',
])
const VOID = new Set(['br'])
const TAG = /<(\/?)([a-zA-Z][\w:-]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)>/g
const HREF = /(?:^|[\s/])href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i
const DEEPEST = 40

/** Escapes a text for HTML, inside elements as well as in quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/**
 * Reduces HTML to the allowed elements on write, so that what is stored is harmless wherever it is shown; the page
 * sanitises it once more. Everything is rebuilt rather than cut out: what is not understood becomes text.
 *
 * Links may lead to http, https or mailto addresses or to a path of this site; others lose their address.
 */
export function sanitiseHtml(html: string): string {
  const open: string[] = []
  let out = ''
  let position = 0
  let skippedUntil: string | null = null
  for (const match of html.matchAll(TAG)) {
    const [whole, slash, rawName, attributes] = match as unknown as [string, string, string, string] // groups of TAG
    const name = rawName.toLowerCase()
    const text = html.slice(position, match.index)
    position = match.index + whole.length
    if (skippedUntil !== null) {
      if (slash === '/' && name === skippedUntil) skippedUntil = null
      continue
    }
    out += escapeText(text)
    if (WITHOUT_CONTENT.has(name)) {
      if (slash === '' && !attributes.trimEnd().endsWith('/')) skippedUntil = name
    } else if (ALLOWED.has(name)) out += slash === '' ? openTag(name, attributes, open) : closeTag(name, open)
  }
  if (skippedUntil === null) out += escapeText(html.slice(position))
  return (
    out +
    open
      .toReversed()
      .map((name) => `</${name}>`)
      .join('')
  )
}

/** Text between tags: character references stay, everything else that could be markup is escaped. */
function escapeText(text: string): string {
  return text
    .replaceAll('\0', '')
    .replaceAll(/&(?!(?:[a-zA-Z]{2,20}|#\d{1,7}|#x[\da-fA-F]{1,6});)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

function openTag(name: string, attributes: string, open: string[]): string {
  if (VOID.has(name)) return `<${name}>`
  if (open.length >= DEEPEST) return ''
  open.push(name)
  const href = name === 'a' ? safeAddress(attributes) : null
  if (href === null) return `<${name}>`
  const outside = href.startsWith('/') ? '' : ' rel="noopener noreferrer"'
  return `<a href="${escapeHtml(href)}"${outside}>`
}

/** Closes the element and those still open inside it; a closing tag without an opening one is ignored. */
function closeTag(name: string, open: string[]): string {
  const at = open.lastIndexOf(name)
  if (at < 0) return ''
  return open
    .splice(at)
    .toReversed()
    .map((inner) => `</${inner}>`)
    .join('')
}

function safeAddress(attributes: string): string | null {
  const match = HREF.exec(attributes)
  const raw = match?.[1] ?? match?.[2] ?? match?.[3]
  if (raw === undefined) return null
  // An address needs no character reference except &amp;; others only serve to hide a scheme.
  const address = raw.replaceAll('&amp;', '&').trim()
  if (/&#|[\s\u0000-\u001f\u007f\\]/.test(address)) return null
  if (/^\/(?!\/)/.test(address)) return address
  return /^(https?:\/\/|mailto:)[^\s]/i.test(address) ? address : null
}
