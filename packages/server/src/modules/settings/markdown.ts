import type { Block, Words } from '@fairball/contract/schemas/legal'
import { fromMarkdown } from 'mdast-util-from-markdown'

// Markdown of legal texts. A library reads it; whatever pages do not show is a fault, so that a text that passes is
// shown as it was written.

/** A text as it was read. Only one without faults is complete. */
interface MarkdownText {
  readonly blocks: Block[]
  /** what is not shown, and what to do; in the order of their lines, counted from 1 */
  readonly faults: readonly Fault[]
}

interface Fault {
  readonly line: number
  readonly text: string
}

type Node = ReturnType<typeof fromMarkdown>['children'][number]
type Of<Type extends Node['type']> = Extract<Node, { type: Type }>

/** What the parts of a text share while it is read. */
interface Reading {
  readonly source: string
  readonly faults: Fault[]
  /** how often each id of a heading was given */
  readonly ids: Map<string, number>
  /** the level of the heading above; 1 at the beginning, as the page has a title */
  level: number
}

/** Lists in lists, emphasis in emphasis, and the like. */
const MAX_DEPTH = 8
const MAX_LEVEL = 4
const MAX_HREF = 2000
/** What cannot be seen: controls, and signs that turn the direction of the following text. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const LINE_END = /\r\n|\n|\r/u

/** What is not shown, by the library's name for it. */
const NOT_SHOWN: Partial<Record<Node['type'], (source: string) => string>> = {
  html: (source) => `leave out "${source}": HTML is not shown; write \\< for the sign itself`,
  image: () => 'leave out the picture: pictures are not shown',
  imageReference: () => 'leave out the picture: pictures are not shown',
  inlineCode: () => 'leave out "`": code is not read; write \\` for the sign itself',
  code: (source) =>
    /^[`~]/u.test(source)
      ? 'leave out the fence: code is not read'
      : 'begin the line with fewer spaces: code is not read',
  thematicBreak: () => 'leave out the rule; a heading begins with ##',
  linkReference: (source) => `write "${source}" as [text](address): addresses at another place are not read`,
  definition: (source) => `leave out "${source}": addresses at another place are not read`,
}

/** What the library takes for plain text, though it was hardly meant as that: a sign behind `\` is not found. */
const NOT_PLAIN: readonly (readonly [RegExp, (found: string) => string])[] = [
  [
    /&(?:[a-z][a-z\d]{1,30}|#\d{1,7}|#x[\da-f]{1,6});/giu,
    (found) => `write the sign itself in place of "${found}", or \\& for the sign &`,
  ],
  [
    /\*+(?=[^\s*])|(?<=[^\s*])\*+|(?<![\p{L}\p{N}_])_+(?=[^\s_])|(?<=[^\s_])_+(?![\p{L}\p{N}_])/gu,
    (found) => `close "${found}", or write \\${found[0]} for the sign itself`,
  ],
  [/`+/gu, (found) => `leave out "${found}": code is not read; write \\\` for the sign itself`],
  [/~~/gu, () => 'leave out "~~": struck-out text is not read; write \\~ for the sign itself'],
  [/\[\^/gu, () => 'leave out the footnote: footnotes are not read'],
  [/^\|/gmu, () => 'write the table as a list: tables are not read'],
  [/^#+[^#\s]/gmu, () => 'write a space behind #, or \\# for the sign itself'],
]

/**
 * Reads a text. `#` is its title, which may only come first; chapters have `##`, their parts `###` and `####`.
 *
 * @returns its parts, and everything that is not shown; it never throws
 */
export function readMarkdown(text: string): MarkdownText {
  const source = text.replace(/^\uFEFF/u, '') // the library skips it without counting it
  const reading: Reading = { source, faults: [], ids: new Map(), level: 1 }
  for (const [index, line] of source.split(LINE_END).entries())
    if (UNSEEN.test(line)) reading.faults.push({ line: index + 1, text: 'leave out the control character' })
  const blocks = blocksOf(fromMarkdown(source).children, reading, 0)
  return { blocks, faults: reading.faults.toSorted((a, b) => a.line - b.line) }
}

/** Whether a link may lead there: a web address, a mail address, or a place on this site. */
export function isHref(href: string): boolean {
  if (href.length > MAX_HREF || UNSEEN.test(href) || /[\s\\<>"]/u.test(href)) return false
  if (/^(?:#[^#]+|\/(?!\/).*)$/u.test(href)) return true
  if (/^mailto:[^\s@?]+@[^\s@?]+$/iu.test(href)) return true
  return /^https?:\/\/[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?(?:[/?#].*)?$/iu.test(href)
}

function blocksOf(nodes: readonly Node[], reading: Reading, depth: number): Block[] {
  return nodes.map((node, place): Block => {
    if (depth > MAX_DEPTH)
      return { kind: 'paragraph', words: [refused(node, reading, 'write it with fewer lists in lists')] }
    if (node.type === 'heading') return headingOf(node, reading, depth > 0 ? Infinity : place === 0 ? 1 : 2)
    if (node.type === 'paragraph') return { kind: 'paragraph', words: wordsOf(node.children, reading, 0) }
    if (node.type === 'blockquote') return { kind: 'quote', blocks: blocksOf(node.children, reading, depth + 1) }
    if (node.type === 'list') return listOf(node, reading, depth)
    return { kind: 'paragraph', words: [refused(node, reading)] }
  })
}

/** @param least the smallest level that may be here */
function headingOf(node: Of<'heading'>, reading: Reading, least: number): Block {
  const fault = (what: string) => void refused(node, reading, what)
  const due = reading.level + 1
  if (!sourceOf(node, reading).startsWith('#')) fault('leave out the rule; a heading begins with ##')
  else if (least === Infinity) fault('move the heading out of the list or quote')
  else if (node.depth > MAX_LEVEL) fault(`write at most ${'#'.repeat(MAX_LEVEL)}`)
  else if (node.depth < least) fault('write ## here: # is the title, and comes once, at the beginning')
  else if (node.depth > due) fault(`write ${'#'.repeat(due)} here: no level may be left out`)
  reading.level = Math.min(node.depth, MAX_LEVEL)
  const words = wordsOf(node.children, reading, 0)
  const title = plainOf(words)
  if (title.trim() === '') fault('write a text behind #')
  return { kind: 'heading', level: reading.level, id: idOf(title, reading.ids), title, words }
}

/** Begins with `text-`, so that it is never another part's of the page. */
function idOf(title: string, ids: Map<string, number>): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const id = `text-${words.slice(0, 8).join('-').slice(0, 60)}`
  const count = (ids.get(id) ?? 0) + 1
  ids.set(id, count)
  return count === 1 ? id : `${id}--${count}`
}

function listOf(node: Of<'list'>, reading: Reading, depth: number): Block {
  const from = node.ordered === true ? (node.start ?? 1) : null
  const items = node.children.map((item, place) => {
    const due = (from ?? 0) + place
    if (from !== null && Number.parseInt(sourceOf(item, reading)) !== due)
      refused(item, reading, `number this item ${due}, as it is shown`)
    return blocksOf(item.children, reading, depth + 1)
  })
  return { kind: 'list', from, items }
}

function wordsOf(nodes: readonly Node[], reading: Reading, depth: number): Words[] {
  return nodes.map((node): Words => {
    if (depth > MAX_DEPTH) return refused(node, reading, 'write it with less emphasis in emphasis')
    if (node.type === 'emphasis' || node.type === 'strong')
      return { kind: node.type, words: wordsOf(node.children, reading, depth + 1) }
    if (node.type === 'link') return linkOf(node, reading, depth)
    if (node.type === 'break') return { kind: 'break' }
    if (node.type !== 'text') return refused(node, reading)
    checkPlain(node, reading)
    return node.value
  })
}

function linkOf(node: Of<'link'>, reading: Reading, depth: number): Words {
  const { url: href, title, children } = node
  const words = wordsOf(children, reading, depth + 1)
  if (!isHref(href))
    refused(
      node,
      reading,
      `"${shortened(href)}" is no address of a link: set https://…, mailto:… or a path like /terms`,
    )
  if (typeof title === 'string')
    refused(node, reading, 'leave out what follows the address of the link: it is not shown')
  if (plainOf(words).trim() === '') refused(node, reading, 'a link needs a text: [text](address)')
  return { kind: 'link', href, words }
}

/** The text of words, without their form. */
function plainOf(words: readonly Words[]): string {
  const plain = (piece: Words) =>
    typeof piece === 'string' ? piece : piece.kind === 'break' ? ' ' : plainOf(piece.words)
  return words.map(plain).join('')
}

/** Adds a fault for each sign in a text that should have meant something. */
function checkPlain(node: Of<'text'>, reading: Reading): void {
  const source = sourceOf(node, reading).replace(/\\[!-/:-@[-`{-~]/gu, '··')
  for (const [pattern, textOf] of NOT_PLAIN)
    for (const { 0: found, index } of source.matchAll(pattern)) {
      const line = lineOf(node) + source.slice(0, index).split(LINE_END).length - 1
      reading.faults.push({ line, text: textOf(found) })
    }
}

/** Adds a fault. @returns what was written, to be shown as it is */
function refused(node: Node, reading: Reading, text?: string): string {
  const source = sourceOf(node, reading)
  const known = NOT_SHOWN[node.type] ?? ((found: string) => `leave out "${found}": it is not read`)
  reading.faults.push({ line: lineOf(node), text: text ?? known(shortened(source)) })
  return source
}

function lineOf({ position }: Node): number {
  return position?.start.line ?? 1
}

function sourceOf({ position }: Node, { source }: Reading): string {
  return source.slice(position?.start.offset, position?.end.offset)
}

function shortened(text: string): string {
  const [line = ''] = text.split(LINE_END, 1)
  return line.length > 60 ? `${line.slice(0, 57)}...` : line
}
