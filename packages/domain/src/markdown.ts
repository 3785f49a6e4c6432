import { type Line, type MarkdownFault, readWords, textOfWords, type Words } from './markdown-words.ts'

// Markdown of legal texts: headings, paragraphs, lists, block quotes, emphasis and links. HTML, pictures, tables and
// code are faults, so that a text that passes is shown as it was written.

export type { Words } from './markdown-words.ts'

/** A part of a text. */
export type Block = Heading | Paragraph | Quote | List

export interface Heading {
  readonly kind: 'heading'
  /** 1 for the text's title, 2 to 4 below it */
  readonly level: number
  /** of its element, unique in the text */
  readonly id: string
  readonly words: readonly Words[]
}

interface Paragraph {
  readonly kind: 'paragraph'
  readonly words: readonly Words[]
}

interface Quote {
  readonly kind: 'quote'
  readonly blocks: readonly Block[]
}

interface List {
  readonly kind: 'list'
  /** the number of its first item; null for bullets */
  readonly from: number | null
  readonly items: readonly (readonly Block[])[]
}

/** A text as it was read. Only one without faults is complete. */
interface MarkdownText {
  readonly blocks: readonly Block[]
  /** in the order of their lines */
  readonly faults: readonly MarkdownFault[]
}

/** Lists in lists, and the like. */
const MAX_DEPTH = 6
const MAX_LEVEL = 4
/** What cannot be seen: controls, and signs that turn the direction of the following text. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

const HEADING = /^(#+)(?: +(.*?))?(?: +#+)? *$/u
const MARK = /^(?:[-*+]|(\d{1,6})[.)]) +(?=\S)/u
const QUOTE = /^> ?/u

/** What is not read, by how its line begins. */
const UNREAD: readonly (readonly [RegExp, string])[] = [
  [/^(?:```|~~~)/u, 'leave out the fence: code is not read'],
  [/^\|/u, 'write the table as a list: tables are not read'],
  [/^(?:=+|(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/u, 'leave out the rule; a heading begins with ##'],
  [/^#+[^# ]/u, 'write a space behind #, or \\# for the sign itself'],
]

/** What the parts of a text share while it is read. */
interface Reading {
  readonly faults: MarkdownFault[]
  /** how often each id of a heading was given */
  readonly ids: Map<string, number>
  /** the level of the heading above; 1 at the beginning, as the page has a title */
  level: number
}

/** The lines of a part, and where in them reading has got to. */
interface Cursor {
  readonly lines: readonly Line[]
  at: number
}

/**
 * Reads a text. `#` is its title, which may only come first; chapters have `##`, their parts `###` and `####`.
 *
 * @returns its parts, and everything that is not read; it never throws
 */
export function readMarkdown(text: string): MarkdownText {
  const lines = text.split(/\r\n|\n|\r/u).map((one, index): Line => {
    return { line: index + 1, text: one.replace(/^[ \t]+/u, (space) => space.replaceAll('\t', '    ')) }
  })
  const reading: Reading = { faults: [], ids: new Map(), level: 1 }
  for (const { line, text: one } of lines)
    if (UNSEEN.test(one)) reading.faults.push({ line, text: 'leave out the control character' })
  const blocks = blocksOf(lines, reading, 0)
  return { blocks, faults: reading.faults.toSorted((a, b) => a.line - b.line) }
}

function blocksOf(lines: readonly Line[], reading: Reading, depth: number): Block[] {
  const blocks: Block[] = []
  const cursor: Cursor = { lines, at: 0 }
  for (let line = lines[0]; line !== undefined; line = lines[cursor.at]) {
    if (isEmpty(line)) {
      cursor.at += 1
      continue
    }
    if (line.text.startsWith(' ')) {
      reading.faults.push({ line: line.line, text: 'begin the line without spaces' })
    }
    const block = blockAt(cursor, reading, depth, blocks.length === 0)
    if (block !== null) blocks.push(block)
  }
  return blocks
}

/** Reads a block, and moves the cursor behind it. */
function blockAt(cursor: Cursor, reading: Reading, depth: number, isFirst: boolean): Block | null {
  const { line, text } = cursor.lines[cursor.at] ?? { line: 0, text: '' }
  const kind = kindOf(text)
  if (depth > MAX_DEPTH) reading.faults.push({ line, text: 'write it with fewer lists in lists' })
  if (kind === 'unread') {
    cursor.at += 1
    reading.faults.push({ line, text: UNREAD.find(([pattern]) => pattern.test(text.trim()))?.[1] ?? '' })
    return null
  }
  if (kind === 'heading') {
    cursor.at += 1
    return headingOf({ line, text }, reading, isFirst && depth === 0 ? 1 : depth === 0 ? 2 : Infinity)
  }
  if (depth <= MAX_DEPTH && kind === 'quote') return quoteAt(cursor, reading, depth)
  if (depth <= MAX_DEPTH && kind === 'list') return listAt(cursor, reading, depth)
  return { kind: 'paragraph', words: readWords(paragraphAt(cursor), reading.faults) }
}

function kindOf(text: string): 'heading' | 'quote' | 'list' | 'unread' | 'paragraph' {
  if (UNREAD.some(([pattern]) => pattern.test(text.trim()))) return 'unread'
  if (HEADING.test(text)) return 'heading'
  if (QUOTE.test(text)) return 'quote'
  return MARK.test(text) ? 'list' : 'paragraph'
}

/** @param least the smallest level that may stand here */
function headingOf({ line, text }: Line, reading: Reading, least: number): Heading {
  const [, marks = '', title = ''] = HEADING.exec(text) ?? []
  const level = marks.length
  const fault = (what: string): void => void reading.faults.push({ line, text: what })
  if (least === Infinity) fault('move the heading out of the list or quote')
  else if (level > MAX_LEVEL) fault(`write at most ${'#'.repeat(MAX_LEVEL)}`)
  else if (level < least) fault('write ## here: # is the title, and comes once, at the beginning')
  else if (level > reading.level + 1) fault(`write ${'#'.repeat(reading.level + 1)} here: no level may be left out`)
  reading.level = Math.min(Math.max(level, 1), MAX_LEVEL)
  const words = readWords([{ line, text: title }], reading.faults)
  const plain = textOfWords(words)
  if (plain.trim() === '') fault('write a text behind #')
  return { kind: 'heading', level: reading.level, id: idOf(plain, reading.ids), words }
}

/** Begins with `text-`, so that it is never another part's of the page. */
function idOf(title: string, ids: Map<string, number>): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const id = `text-${words.slice(0, 8).join('-').slice(0, 60)}`
  const count = (ids.get(id) ?? 0) + 1
  ids.set(id, count)
  return count === 1 ? id : `${id}--${count}`
}

function paragraphAt(cursor: Cursor): Line[] {
  const taken: Line[] = []
  for (let line = cursor.lines[cursor.at]; line !== undefined; line = cursor.lines[cursor.at]) {
    if (isEmpty(line) || (taken.length > 0 && !continuesParagraph(line.text))) break
    taken.push({ ...line, text: line.text.trimStart() })
    cursor.at += 1
  }
  return taken
}

/** Whether a line behind a paragraph's is of it: a number that is not 1 begins no list there. */
function continuesParagraph(text: string): boolean {
  const kind = kindOf(text)
  return kind === 'paragraph' || (kind === 'list' && Number(MARK.exec(text)?.[1] ?? 1) !== 1)
}

function quoteAt(cursor: Cursor, reading: Reading, depth: number): Quote {
  const inside: Line[] = []
  for (let line = cursor.lines[cursor.at]; line !== undefined; line = cursor.lines[cursor.at]) {
    if (isEmpty(line) || !(QUOTE.test(line.text) || continuesParagraph(line.text))) break
    inside.push({ ...line, text: line.text.replace(QUOTE, '') })
    cursor.at += 1
  }
  return { kind: 'quote', blocks: blocksOf(inside, reading, depth + 1) }
}

function listAt(cursor: Cursor, reading: Reading, depth: number): List {
  const first = numberOf(cursor.lines[cursor.at])
  const items: Block[][] = []
  for (let line = cursor.lines[cursor.at]; line !== undefined; line = cursor.lines[cursor.at]) {
    const number = numberOf(line)
    if (number === undefined || (number === null) !== (first === null)) break
    const due = (first ?? null) === null ? null : Number(first) + items.length
    if (number !== due) reading.faults.push({ line: line.line, text: `number this item ${due}, as it is shown` })
    items.push(blocksOf(itemAt(cursor), reading, depth + 1))
  }
  return { kind: 'list', from: first ?? null, items }
}

/** The number of the item that a line begins; null for a bullet, undefined where none begins. */
function numberOf(line: Line | undefined): number | null | undefined {
  const found = kindOf(line?.text ?? '') === 'list' ? MARK.exec(line?.text ?? '') : null
  if (found === null) return undefined
  return found[1] === undefined ? null : Number(found[1])
}

/** The lines of an item without their indent: the first of those that have one says how wide it is. */
function itemAt(cursor: Cursor): Line[] {
  const start = cursor.lines[cursor.at]
  if (start === undefined) return []
  const taken = [{ ...start, text: start.text.replace(MARK, '') }]
  let indent = 0
  let empty = 0
  for (cursor.at += 1; cursor.at < cursor.lines.length; cursor.at += 1) {
    const line = cursor.lines[cursor.at]
    if (line === undefined) break
    if (isEmpty(line)) {
      empty += 1
      continue
    }
    const own = indentOf(line)
    if (own < 2 && (empty > 0 || !continuesItem(line.text))) break
    if (indent === 0) indent = own
    for (; empty > 0; empty -= 1) taken.push({ line: line.line - empty, text: '' })
    taken.push({ ...line, text: line.text.slice(Math.min(own, indent)) })
  }
  return taken
}

function continuesItem(text: string): boolean {
  return kindOf(text) === 'paragraph'
}

function indentOf({ text }: Line): number {
  return text.length - text.trimStart().length
}

function isEmpty({ text }: Line): boolean {
  return text.trim() === ''
}
