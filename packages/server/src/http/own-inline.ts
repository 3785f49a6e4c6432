import { createHash } from 'node:crypto'

/** Sources of a content security policy, one for each inline element: `'sha256-…'`. */
export interface InlineSources {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/**
 * Names the page's own inline scripts and styles by their hashes, and takes the mark out of the page. An element that
 * got into the page in another way has no mark, since that is fresh and random, so it gets no hash and does not run.
 *
 * @param marked the page's HTML
 * @param mark the value of the attribute `nonce` of the page's own elements; letters, digits, `-` and `_`
 */
export function ownInline(marked: string, mark: string): { readonly html: string; readonly inline: InlineSources } {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  const own = new RegExp(`<(script|style)(?=[ ])[^>]* nonce="${mark}"[^>]*>(.*?)</\\1>`, 'gsu')
  for (const [, name, text = ''] of marked.matchAll(own))
    (name === 'script' ? scripts : styles).add(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return { html: marked.replaceAll(` nonce="${mark}"`, ''), inline: { scripts: [...scripts], styles: [...styles] } }
}
