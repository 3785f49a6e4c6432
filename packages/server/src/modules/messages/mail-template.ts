import {
  BALL_PX,
  type BallsPicture,
  type MailFile,
  type MailParagraph,
  pictureName,
  widthOfBalls,
  wordsOfParagraph,
} from './mail-parts.ts'
import type { MailCategory } from './queries.ts'
import { escapeHtml } from './sanitise-html.ts'

/** The content of a mail: plain sentences, which are escaped when they become HTML, and rows of balls. */
export interface MailContent {
  readonly subject: string
  /** Sentences and rows of balls, one paragraph each. */
  readonly paragraphs: readonly MailParagraph[]
  /** The one action, if any: the label of its button and its absolute address. */
  readonly action?: { readonly label: string; readonly address: string }
  /** Paragraphs behind the button. */
  readonly closing?: readonly string[]
  readonly files?: readonly MailFile[]
}

/** The sender of a mail, as its foot says. */
export interface MailSite {
  /** The name of the site. */
  readonly name: string
  /** Without a slash at its end. */
  readonly publicUrl: string
  /** Null if no one answers mail. */
  readonly supportEmail: string | null
}

/** A mail in its two forms, and the addresses it links to. */
export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly links: string[]
  /** The rows of balls that the HTML refers to, in their order. */
  readonly pictures: readonly BallsPicture[]
  readonly files: readonly MailFile[]
}

const LONGEST_SUBJECT = 200
/** The preview that mail programs show beside the subject. */
const LONGEST_PREVIEW = 120

/**
 * Makes text and HTML of a mail from the same sentences.
 *
 * Nothing is loaded from anywhere, pictures travel with the mail, styles are inline, and tables make the layout, since some programs know nothing
 * else. Text and page have no colours of their own, so a dark mail program shows light text on dark. Coloured elements
 * have both colours, and an edge that is visible on either. The button's address is below it in full, because some
 * programs show no links.
 */
export function renderMail(content: MailContent, category: MailCategory, site: MailSite): RenderedMail {
  const { action, closing = [], files = [] } = content
  const subject = oneLine(content.subject)
  const foot = footOf(category, site)
  const lines = [
    ...content.paragraphs.map(wordsOfParagraph),
    ...(action ? [`${action.label}:\n${action.address}`] : []),
    ...closing,
  ]
  return {
    subject,
    text: `${[...lines, ['-- ', site.name, site.publicUrl, ...foot.map(({ text }) => text)].join('\n')].join('\n\n')}\n`,
    html: pageOf(subject, content, foot, site),
    links: action ? [action.address] : [],
    pictures: content.paragraphs.filter((one) => typeof one !== 'string'),
    files,
  }
}

/** A text that can be a header: no line feed can begin another one, and no control character can hide in it. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
    .slice(0, LONGEST_SUBJECT)
}

/** A sentence of the foot, in both forms. */
interface FootLine {
  readonly text: string
  readonly html: string
}

function footOf(category: MailCategory, { name, publicUrl, supportEmail }: MailSite): FootLine[] {
  const reason = reasonOf(category, name)
  const preferences = `${publicUrl}/settings/profile-and-settings/email-preferences`
  const lines: FootLine[] = [{ text: reason, html: escapeHtml(reason) }]
  if (category === 'results' || category === 'reminder' || category === 'news')
    lines.push({ text: `Choose your mails: ${preferences}`, html: linkOf(preferences, 'Choose your mails') })
  if (supportEmail !== null && category !== 'contact' && category !== 'operator')
    lines.push({
      text: `Questions? ${supportEmail}`,
      html: `Questions? ${linkOf(`mailto:${supportEmail}`, supportEmail)}`,
    })
  return lines
}

function reasonOf(category: MailCategory, name: string): string {
  switch (category) {
    case 'account':
      return `You get this mail because of an account at ${name} with this address. Mails about accounts are always sent.`
    case 'payment':
    case 'win':
      return `You get this mail because you play at ${name}. Mails about payments and wins are always sent.`
    case 'results':
    case 'reminder':
      return 'You chose to get emails about your games.'
    case 'news':
      return 'You chose to get emails about winners and good causes.'
    case 'contact':
      return `Somebody sent this with the contact form of ${name}.`
    case 'operator':
      return `You get this mail because the operator of ${name} named this address.`
  }
}

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'
/** Contrast of at least three to one on white and on the background of dark programs. */
const LINE_COLOUR = '#8c8498'
/** Ink, the colour field of the site's first game, and a ball's face. */
const INK = '#1c1433'
const FIELD = '#ff9a1f'
const DISC = '#fffdf8'

function pageOf(subject: string, content: MailContent, foot: readonly FootLine[], site: MailSite): string {
  const { paragraphs, action, closing = [] } = content
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:0">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(previewOf(paragraphs))}</div>
<table ${TABLE} width="100%"><tr><td align="center" style="padding:24px 20px">
<table ${TABLE} width="560" style="width:100%;max-width:560px;text-align:left;${FONT};font-size:16px;line-height:1.5">
<tr><td style="padding:0 0 20px">${wordmark(site.name)}</td></tr>
<tr><td style="overflow-wrap:anywhere;word-break:break-word">
<h1 style="margin:0 0 20px;font-size:24px;line-height:1.25;font-weight:800">${escapeHtml(subject)}</h1>
${bodyOf(paragraphs)}
${action === undefined ? '' : buttonOf(action)}
${closing.map(paragraph).join('\n')}
</td></tr>
<tr><td style="padding:20px 0 0;border-top:1px solid ${LINE_COLOUR};font-size:14px;overflow-wrap:anywhere">
<p style="margin:0 0 8px"><strong>${escapeHtml(site.name)}</strong>, ${linkOf(site.publicUrl, site.publicUrl.replace(/^https?:\/\//, ''))}</p>
${foot.map(({ html }) => `<p style="margin:0 0 8px">${html}</p>`).join('\n')}
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

/** The first sentence with content. */
function previewOf(paragraphs: readonly MailParagraph[]): string {
  const words = paragraphs.map(wordsOfParagraph)
  const first = words.find((text) => !text.startsWith('Hello ')) ?? words[0] ?? ''
  return first.length <= LONGEST_PREVIEW ? first : `${first.slice(0, LONGEST_PREVIEW - 1)}…`
}

/** The product's mark, a ball on a tile of ink, and the name, without a picture to load. */
function wordmark(name: string): string {
  const round = (px: number, colour: string): string =>
    `width:${px}px;height:${px}px;border-radius:${px / 2}px;background-color:${colour};font-size:0;line-height:0`
  const cell = (style: string, inside: string): string =>
    `<table ${TABLE} align="center"><tr><td align="center" valign="middle" style="${style}">${inside}</td></tr></table>`
  const ball = cell(round(24, FIELD), cell(round(16, DISC), ''))
  return `<table ${TABLE}><tr>
<td width="32" height="32" align="center" valign="middle" style="width:32px;height:32px;border-radius:9px;background-color:${INK}">${ball}</td>
<td style="padding:0 0 0 10px;font-weight:800;font-size:20px;line-height:32px">${escapeHtml(name)}</td>
</tr></table>`
}

function bodyOf(paragraphs: readonly MailParagraph[]): string {
  let pictures = 0
  return paragraphs.map((one) => (typeof one === 'string' ? paragraph(one) : ballsOf(one, pictures++))).join('\n')
}

/** The picture is a part of the mail; its words have their own line if a program shows none. */
function ballsOf({ words, numbers }: BallsPicture, place: number): string {
  const width = widthOfBalls(numbers.length)
  return `<p style="margin:0 0 16px"><img src="cid:${pictureName(place)}" alt="${escapeHtml(words)}" width="${width}" height="${BALL_PX}" style="display:block;max-width:100%;height:auto;border:0;${FONT};font-size:16px"></p>`
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 16px;white-space:pre-line">${escapeHtml(text)}</p>`
}

/** A cell with a colour, since every program draws it as a button; its edge is also visible on a dark page. */
function buttonOf({ label, address }: { label: string; address: string }): string {
  const cell = `border-radius:10px;background-color:${INK};border:2px solid ${LINE_COLOUR}`
  const link = `display:inline-block;padding:13px 24px;${FONT};font-size:16px;font-weight:700;line-height:20px;color:#ffffff;text-decoration:none`
  return `<table ${TABLE} style="margin:8px 0 12px"><tr><td bgcolor="${INK}" style="${cell}">
<a href="${escapeHtml(address)}" style="${link}">${escapeHtml(label)}</a>
</td></tr></table>
<p style="margin:0 0 24px;font-size:14px">If the button does not work, open this address:<br>
${linkOf(address, address)}</p>`
}

/** A link in the colour of the text around it: a mail program's blue is unreadable on some backgrounds. */
function linkOf(address: string, text: string): string {
  return `<a href="${escapeHtml(address)}" style="color:inherit;word-break:break-all">${escapeHtml(text)}</a>`
}
