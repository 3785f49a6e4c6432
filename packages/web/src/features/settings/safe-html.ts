import DOMPurify from 'dompurify'

/** The elements a message may have, the same as on the server. */
const ELEMENTS = ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'ul', 'ol', 'li', 'h3', 'h4', 'blockquote', 'code', 'a']

/**
 * Builds the harmless part of a message's HTML, and prevents linked pages from reaching back to this one. It returns
 * nodes: the content security policy forbids making markup from text.
 *
 * @param html as the API gives it
 */
export function safeContent(html: string): DocumentFragment {
  const content = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: ELEMENTS,
    ALLOWED_ATTR: ['href'],
    RETURN_DOM_FRAGMENT: true,
  })
  for (const link of content.querySelectorAll('a')) link.setAttribute('rel', 'noopener noreferrer')
  return content
}
