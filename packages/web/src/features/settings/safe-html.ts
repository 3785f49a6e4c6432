import DOMPurify from 'dompurify'

/** The elements a message may have, those the server lets in. */
const ELEMENTS = ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'ul', 'ol', 'li', 'h3', 'h4', 'blockquote', 'code', 'a']

/**
 * Reduces the HTML of a message to harmless elements, and keeps pages that are linked from reaching back to this one.
 *
 * @param html as the API gives it
 * @returns HTML that may be put into the page
 */
export function safeHtml(html: string): string {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: ELEMENTS,
    ALLOWED_ATTR: ['href'],
    RETURN_DOM_FRAGMENT: true,
  })
  for (const link of fragment.querySelectorAll('a')) link.setAttribute('rel', 'noopener noreferrer')
  const holder = document.createElement('div')
  holder.append(fragment)
  return holder.innerHTML
}
