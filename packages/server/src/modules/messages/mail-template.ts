import { escapeHtml } from './sanitise-html.ts'

/** What a mail says. Plain sentences: they are escaped where they become HTML. */
export interface MailContent {
  readonly subject: string
  /** Sentences, a paragraph each. */
  readonly paragraphs: readonly string[]
  /** The one thing to do, where there is one: the label of its button and its absolute address. */
  readonly action?: { readonly label: string; readonly address: string }
  /** Paragraphs behind the button. */
  readonly closing?: readonly string[]
}

/** A mail in its two forms, and the addresses it links to. */
export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly links: string[]
}

const SIGNATURE = 'Fairball'

/**
 * Makes text and HTML of a mail from the same sentences.
 *
 * Colours work on light and dark backgrounds, nothing is loaded from anywhere, and the button's address stands below it
 * in full, because some programs show no links.
 */
export function renderMail(content: MailContent): RenderedMail {
  const { action, closing = [] } = content
  const lines = [...content.paragraphs, ...(action ? [`${action.label}:\n${action.address}`] : []), ...closing]
  return {
    subject: oneLine(content.subject),
    text: `${[...lines, SIGNATURE].join('\n\n')}\n`,
    html: htmlOf(content.paragraphs, action, closing),
    links: action ? [action.address] : [],
  }
}

/** A text that can be a header: no line feed can begin another one, no control character can hide in it. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
    .trim()
    .slice(0, 200)
}

function htmlOf(paragraphs: readonly string[], action: MailContent['action'], closing: readonly string[]): string {
  const block = (text: string): string => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
  const button = action === undefined ? '' : buttonOf(action)
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">',
    '<meta name="viewport" content="width=device-width"></head>',
    '<body style="font:16px/1.5 system-ui,sans-serif;margin:0;padding:24px"><div style="max-width:560px;margin:0 auto">',
    ...paragraphs.map(block),
    button,
    ...closing.map(block),
    `<p style="margin:24px 0 0">${SIGNATURE}</p></div></body></html>`,
  ].join('\n')
}

function buttonOf({ label, address }: { label: string; address: string }): string {
  const href = escapeHtml(address)
  const style =
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#ffffff;text-decoration:none'
  return `<p style="margin:0 0 8px"><a href="${href}" style="${style}">${escapeHtml(label)}</a></p>
<p style="margin:0 0 16px;font-size:14px;word-break:break-all">${href}</p>`
}
