// The words of a line of Markdown: emphasis, links and line ends. Everything else is a fault with its place.

/** Something that is read differently elsewhere, or not shown here. */
export interface MarkdownFault {
  /** counted from 1 */
  readonly line: number
  /** what is wrong, and what to do */
  readonly text: string
}

/** A piece of a paragraph. */
export type Words =
  | string
  | { readonly kind: 'break' }
  | { readonly kind: 'strong' | 'emphasis'; readonly words: readonly Words[] }
  | { readonly kind: 'link'; readonly href: string; readonly words: readonly Words[] }

/** A line of a text, with its number. */
export interface Line {
  readonly line: number
  readonly text: string
}

/** Emphasis in emphasis, and the like; nobody writes more. */
const MAX_DEPTH = 8
const MAX_HREF = 2000
const BREAK = { kind: 'break' } as const

/** The signs that begin and end emphasis. */
type Mark = '**' | '__' | '*' | '_'

/** What is not read, by the signs that begin it. */
const UNREAD: readonly (readonly [RegExp, (found: string) => string])[] = [
  [
    /<https?:[^\s>]*>?|<mailto:[^\s>]*>?/iy,
    (found) => `write "${found}" as [text](address): addresses in < > are not read`,
  ],
  [/<[a-z/!?][^>\n]{0,40}>?/iy, (found) => `leave out "${found}": HTML is not shown; write \\< for the sign itself`],
  [
    /&(?:[a-z][a-z\d]{1,30}|#x?[\da-f]{1,6});/iy,
    (found) => `write the sign itself in place of "${found}", or \\& for the sign &`,
  ],
  [/!\[/y, () => 'leave out the picture: pictures are not shown'],
  [/\[\^/y, () => 'leave out the footnote: footnotes are not read'],
  [/`+/y, (found) => `leave out "${found}": code is not read; write \\\` for the sign itself`],
  [/~~/y, () => 'leave out "~~": struck-out text is not read; write \\~ for the sign itself'],
]

/**
 * Reads the lines of a paragraph or heading.
 *
 * @param faults whatever is not read is added to these; without any, nothing of the text is lost
 */
export function readWords(lines: readonly Line[], faults: MarkdownFault[]): Words[] {
  const text = lines.map((line) => line.text).join('\n')
  return new WordReader(text, lines[0]?.line ?? 1, faults).read(null, 0)
}

/** The text of words, without their form. */
export function textOfWords(words: readonly Words[]): string {
  return words
    .map((piece) => {
      if (typeof piece === 'string') return piece
      return piece.kind === 'break' ? ' ' : textOfWords(piece.words)
    })
    .join('')
}

/** Whether a link may lead there: a web address, a mail address, or a place on this site. */
export function isHref(href: string): boolean {
  if (href.length > MAX_HREF || /[\s\p{Cc}\\<>"]/u.test(href)) return false
  if (/^(?:#[^#]+|\/(?!\/).*)$/u.test(href)) return true
  if (/^mailto:[^\s@?]+@[^\s@?]+$/iu.test(href)) return true
  return /^https?:\/\/[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?(?:[/?#].*)?$/iu.test(href)
}

/** Reads a text from its beginning to its end, once. */
class WordReader {
  readonly #text: string
  readonly #faults: MarkdownFault[]
  #at = 0
  /** the line of the sign at `#countedTo` */
  #line: number
  #countedTo = 0

  constructor(text: string, line: number, faults: MarkdownFault[]) {
    this.#text = text
    this.#line = line
    this.#faults = faults
  }

  /** @returns the pieces up to the mark that ends them, which is read too, or up to the end */
  read(end: Mark | null, depth: number): Words[] {
    const startLine = this.#lineHere()
    const words: Words[] = []
    let plain = ''
    while (this.#at < this.#text.length) {
      if (end !== null && this.#ends(end)) {
        this.#at += end.length
        return plain === '' ? words : [...words, plain]
      }
      const piece = this.#match(/(?: {2,}|\\)\n/y) === null ? this.#piece(depth) : BREAK
      if (typeof piece === 'string') plain += piece
      else {
        if (plain !== '') words.push(plain)
        plain = ''
        words.push(piece)
      }
    }
    if (end !== null)
      this.#faults.push({ line: startLine, text: `close "${end}", or write \\${end[0]} for the sign itself` })
    return plain === '' ? words : [...words, plain]
  }

  #piece(depth: number): Words {
    const escaped = this.#match(/\\[!-/:-@[-`{-~]/y)
    if (escaped !== null) return escaped.slice(1)
    for (const [pattern, textOf] of UNREAD) {
      const found = this.#match(pattern)
      if (found !== null) {
        this.#fault(textOf(found))
        return found
      }
    }
    const mark = this.#begins()
    if (mark !== null) return this.#emphasis(mark, depth)
    if (this.#text[this.#at] === '[') return this.#link(depth)
    // Up to the next sign that may mean something.
    return this.#match(/[^\\<&![\]`~*_ \n]+|[^]/y) ?? ''
  }

  #emphasis(mark: Mark, depth: number): Words {
    this.#at += mark.length
    if (depth >= MAX_DEPTH) {
      this.#fault('write it with less emphasis in emphasis')
      return mark
    }
    return { kind: mark.length === 2 ? 'strong' : 'emphasis', words: this.read(mark, depth + 1) }
  }

  /** A link, or a bracket as it is written. */
  #link(depth: number): Words {
    const target = depth < MAX_DEPTH ? this.#targetHere() : null
    this.#at += 1
    if (target === null) return '['
    const inside = this.#text.slice(this.#at, target.closedAt)
    const words = new WordReader(inside, this.#lineHere(), this.#faults).read(null, depth + 1)
    this.#at = target.endAt
    if (!isHref(target.href))
      this.#fault(`"${shortened(target.href)}" is no address of a link: set https://…, mailto:… or a path like /terms`)
    if (textOfWords(words).trim() === '') this.#fault('a link needs a text: [text](address)')
    return { kind: 'link', href: target.href, words }
  }

  /** The address behind the bracket that closes the one here; null for a bracket that begins no link. */
  #targetHere(): { href: string; closedAt: number; endAt: number } | null {
    let open = 0
    for (let at = this.#at; at < this.#text.length; at += 1) {
      const sign = this.#text[at]
      if (sign === '\\') at += 1
      else if (sign === '[') open += 1
      else if (sign === ']') {
        const behind = /\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)/y
        behind.lastIndex = at + 1
        const found = behind.exec(this.#text)
        return found === null ? null : { href: (found[1] ?? '').trim(), closedAt: at, endAt: behind.lastIndex }
      }
      if (open > 1) return null // brackets in a link's text are not read
    }
    return null
  }

  /** What begins emphasis here: no space follows it, and `_` is not inside of a word. */
  #begins(): Mark | null {
    const sign = this.#text[this.#at]
    if (sign !== '*' && sign !== '_') return null
    const before = this.#text[this.#at - 1] ?? ' '
    if (sign === '_' && /[\p{L}\p{N}_]/u.test(before)) return null
    const mark: Mark = this.#text[this.#at + 1] === sign ? (sign === '*' ? '**' : '__') : sign
    const after = this.#text[this.#at + mark.length] ?? ' '
    return /\s/u.test(after) ? null : mark
  }

  #ends(mark: Mark): boolean {
    if (!this.#text.startsWith(mark, this.#at)) return false
    if (/\s/u.test(this.#text[this.#at - 1] ?? ' ')) return false
    const after = this.#text[this.#at + mark.length] ?? ' '
    // Strong text can begin inside of emphasis.
    if (after === mark && this.#begins()?.length === 2 && this.#text[this.#at + 2] !== mark) return false
    return !(mark.startsWith('_') && /[\p{L}\p{N}]/u.test(after))
  }

  /** Takes what matches here. @param pattern sticky */
  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) return null
    this.#at += found[0].length
    return found[0]
  }

  #fault(text: string): void {
    this.#faults.push({ line: this.#lineHere(), text })
  }

  #lineHere(): number {
    // Places are visited in order, so each line end is counted once.
    for (; this.#countedTo < this.#at; this.#countedTo += 1) if (this.#text[this.#countedTo] === '\n') this.#line += 1
    return this.#line
  }
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
