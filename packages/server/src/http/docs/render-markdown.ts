import { fromMarkdown } from 'mdast-util-from-markdown'

// Our own documents as HTML. The library reads them; every element is written here, and every text is escaped, so that
// nothing of a document becomes markup that is not below.

type Root = ReturnType<typeof fromMarkdown>
type Node = Root['children'][number]

/** A heading of a document. */
interface Heading {
  /** the anchor, as code hosts make it of the text */
  readonly id: string
  readonly text: string
  /** 1 is the document's title */
  readonly level: number
}

/** A document as HTML. */
interface RenderedMarkdown {
  readonly html: string
  readonly headings: readonly Heading[]
  /** the text of the first paragraph */
  readonly about: string
}

/** What the parts of a document share while it is rendered. */
interface Rendering {
  readonly addressOf: AddressOf
  readonly headings: Heading[]
  readonly ids: Map<string, number>
  about: string
}

/** Where a link or a picture of a document leads on the site; null for nowhere: then only its text is shown. */
export type AddressOf = (href: string) => string | null

const FENCE = /^ {0,3}(`{3,}|~{3,})/u
const DELIMITERS = /^\|(?: *:?-+:? *\|)+ *$/u
/** Without any of these a cell is plain text, as most are: the library need not read it. */
const MARKS = /[`*_[\]<&\\!~#]|^\s*(?:\d+[.)]|[-+>])\s/u
/** The column's alignment in a table's second row. */
const TO_THE_RIGHT = /^ *-+: *$/u

/**
 * Renders a document: CommonMark, and tables as code hosts have them, beginning at the first column.
 *
 * @param addressOf rewrites the addresses of links and pictures
 */
export function renderMarkdown(source: string, addressOf: AddressOf): RenderedMarkdown {
  const rendering: Rendering = { addressOf, headings: [], ids: new Map(), about: '' }
  const html = partsOf(source)
    .map(({ isTable, lines }) =>
      isTable ? table(rendering, lines) : blocks(rendering, fromMarkdown(lines.join('\n')).children),
    )
    .join('\n')
  return { html, headings: rendering.headings, about: rendering.about }
}

/** Escapes a text for an element or an attribute in double quotes. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

interface Part {
  readonly isTable: boolean
  readonly lines: string[]
}

/** Tables, which CommonMark does not know, and what is between them. */
function partsOf(source: string): Part[] {
  const lines = source.replaceAll('\r\n', '\n').split('\n')
  const parts: Part[] = []
  let fence: string | null = null
  for (const [index, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1]
    if (fence === null) fence = mark ?? null
    else if (mark !== undefined && mark.startsWith(fence)) fence = null
    const last = parts.at(-1)
    const isRow = fence === null && line.startsWith('|')
    const begins = isRow && DELIMITERS.test(lines[index + 1] ?? '')
    const isTable = isRow && (begins || last?.isTable === true)
    if (last !== undefined && last.isTable === isTable) last.lines.push(line)
    else parts.push({ isTable, lines: [line] })
  }
  return parts
}

function table(rendering: Rendering, [head = '', delimiters = '', ...rows]: readonly string[]): string {
  const sides = cellsOf(delimiters).map((cell) => (TO_THE_RIGHT.test(cell) ? ' class="right"' : ''))
  const row = (line: string, element: 'th' | 'td'): string => {
    const cells = cellsOf(line).map(
      (cell, column) => `<${element}${sides[column] ?? ''}>${inline(rendering, cell)}</${element}>`,
    )
    return `<tr>${cells.join('')}</tr>`
  }
  const body = rows.map((line) => row(line, 'td')).join('\n')
  // A wide table scrolls in its own frame, which the keyboard reaches.
  return `<div class="table" tabindex="0"><table>\n<thead>${row(head, 'th')}</thead>\n<tbody>\n${body}\n</tbody></table></div>`
}

/** The cells of a row; `\|` is a sign in a cell, even in code. */
function cellsOf(line: string): string[] {
  const cells = line.trim().split(/(?<!\\)\|/u)
  return cells.slice(1, -1).map((cell) => cell.replaceAll('\\|', '|'))
}

/** The content of a cell. */
function inline(rendering: Rendering, text: string): string {
  if (!MARKS.test(text)) return escaped(text.trim())
  const [paragraph] = fromMarkdown(text.trim()).children
  return paragraph?.type === 'paragraph' ? nodes(rendering, paragraph.children) : escaped(text.trim())
}

function blocks(rendering: Rendering, children: readonly Node[]): string {
  return children.map((child) => node(rendering, child)).join('\n')
}

function nodes(rendering: Rendering, children: readonly Node[]): string {
  return children.map((child) => node(rendering, child)).join('')
}

/** One node as HTML. What documents do not use is shown as the text that it is. */
function node(rendering: Rendering, one: Node): string {
  switch (one.type) {
    case 'heading':
      return heading(rendering, one)
    case 'paragraph': {
      const text = nodes(rendering, one.children)
      if (rendering.about === '') rendering.about = textOf(one)
      return `<p>${text}</p>`
    }
    case 'text':
      return escaped(one.value)
    case 'strong':
      return `<strong>${nodes(rendering, one.children)}</strong>`
    case 'emphasis':
      return `<em>${nodes(rendering, one.children)}</em>`
    case 'inlineCode':
      return `<code>${escaped(one.value)}</code>`
    case 'code':
      return `<pre tabindex="0"><code>${escaped(one.value)}</code></pre>`
    case 'link':
      return link(rendering, one.url, nodes(rendering, one.children))
    case 'image':
      return image(rendering, one)
    case 'list':
      return list(rendering, one)
    case 'blockquote':
      return `<blockquote>${blocks(rendering, one.children)}</blockquote>`
    case 'break':
      return '<br>'
    case 'thematicBreak':
      return '<hr>'
    case 'html':
      return html(one.value)
    case 'definition':
    case 'delete':
    case 'footnoteDefinition':
    case 'footnoteReference':
    case 'imageReference':
    case 'linkReference':
    case 'listItem':
    case 'table':
    case 'tableCell':
    case 'tableRow':
    case 'yaml':
      return escaped(textOf(one))
  }
}

/** Of HTML there are anchors, `<a id="here"></a>`, and comments, which mark what programs write; more is shown as text. */
function html(source: string): string {
  const [, id] = /^<a id="([a-z][\w-]*)">(?:<\/a>)?$/u.exec(source) ?? []
  if (id !== undefined) return `<a id="${id}"></a>`
  return source.startsWith('<!--') || source === '</a>' ? '' : escaped(source)
}

function heading(rendering: Rendering, one: Extract<Node, { type: 'heading' }>): string {
  const text = textOf(one)
  const plain = anchorOf(text)
  const before = rendering.ids.get(plain) ?? 0
  rendering.ids.set(plain, before + 1)
  const id = before === 0 ? plain : `${plain}-${before}`
  rendering.headings.push({ id, text, level: one.depth })
  const content = nodes(rendering, one.children)
  if (one.depth === 1) return `<h1 id="${id}">${content}</h1>`
  const toSelf = `<a class="self" href="#${id}" aria-label="Link to this section: ${escaped(text)}">#</a>`
  return `<h${one.depth} id="${id}">${content} ${toSelf}</h${one.depth}>`
}

/** The anchor of a heading: lower case, without punctuation, a hyphen for each space. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/gu, '-')
}

function link({ addressOf }: Rendering, href: string, text: string): string {
  const address = addressOf(href)
  return address === null ? text : `<a href="${escaped(address)}">${text}</a>`
}

function image({ addressOf }: Rendering, { url, alt }: Extract<Node, { type: 'image' }>): string {
  const address = addressOf(url)
  return address === null ? '' : `<img src="${escaped(address)}" alt="${escaped(alt ?? '')}" loading="lazy">`
}

function list(rendering: Rendering, one: Extract<Node, { type: 'list' }>): string {
  const items = one.children.map((item) => {
    const [first, ...rest] = item.children
    // The text of a tight item is not a paragraph.
    const isTight = one.spread !== true && item.spread !== true && first?.type === 'paragraph'
    const begin = isTight ? nodes(rendering, first.children) : blocks(rendering, first === undefined ? [] : [first])
    return `<li>${begin}${rest.length === 0 ? '' : `\n${blocks(rendering, rest)}`}</li>`
  })
  const from = one.ordered === true && (one.start ?? 1) !== 1 ? ` start="${one.start}"` : ''
  const element = one.ordered === true ? 'ol' : 'ul'
  return `<${element}${from}>\n${items.join('\n')}\n</${element}>`
}

/** The text of a node, without its marks. */
function textOf(one: Node): string {
  if ('value' in one) return one.value
  if ('children' in one) return one.children.map((child) => textOf(child)).join('')
  return 'alt' in one ? (one.alt ?? '') : ''
}
