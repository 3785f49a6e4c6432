import DOMPurify from 'dompurify'

/** The elements a message may have, those the server lets in. */
const ELEMENTS = ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'ul', 'ol', 'li', 'h3', 'h4', 'blockquote', 'code', 'a']

/**
 * Makes the harmless part of a message's HTML, and keeps pages that are linked from reaching back to this one. It comes as nodes: the
 * content security policy lets no text become markup.
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
