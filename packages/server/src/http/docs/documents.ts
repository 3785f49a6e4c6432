import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { type AddressOf, escaped, renderMarkdown } from './render-markdown.ts'

/** The repository. Its files below are served, and no other. */
const ROOT = new URL('../../../../../', import.meta.url)

/** Whom a document is for. */
export const READERS = ['run', 'audit', 'integrate', 'change'] as const
export type Reader = (typeof READERS)[number]

/** A document that is served: `/docs/<name>`, and `/docs/<name>.md` as it is written. */
interface Listed {
  /** empty for the index */
  readonly name: string
  /** in the repository */
  readonly file: string
  /** null for documents that are listed under another one */
  readonly reader: Reader | null
}

/** How much of a document is read for its first sentences, in characters. */
const BEGINNING = 2000

/** A document. It is rendered when it is first wanted, since a long one takes a tenth of a second. */
export class Document implements Listed {
  readonly name: string
  readonly file: string
  readonly reader: Reader | null
  readonly title: string
  readonly source: string
  readonly #addressOf: AddressOf
  readonly #after: () => string
  #rendered: ReturnType<typeof renderMarkdown> | null = null

  /** @param after what follows the document on its page */
  constructor({ name, file, reader }: Listed, source: string, addressOf: AddressOf, after: () => string) {
    this.name = name
    this.file = file
    this.reader = reader
    this.title = /^# (.+)$/mu.exec(source)?.[1]?.replaceAll('`', '') ?? name
    this.source = source
    this.#addressOf = addressOf
    this.#after = after
  }

  /** Its first sentences. */
  get about(): string {
    const [beginning = ''] = this.source.slice(0, BEGINNING).split(/\n(?=## )/u)
    return beginningOf(renderMarkdown(beginning, () => null).about)
  }

  get html(): string {
    return this.#whole().html + this.#after()
  }

  /** Headings of the second level. */
  get chapters(): readonly { readonly id: string; readonly text: string }[] {
    return this.#whole().headings.filter(({ level }) => level === 2)
  }

  #whole(): ReturnType<typeof renderMarkdown> {
    return (this.#rendered ??= renderMarkdown(this.source, this.#addressOf))
  }
}

const doc = (reader: Reader, name: string, file = `docs/${name}.md`): Listed => ({ reader, name, file })

/** Every document but the decisions, in the order of the lists. */
const LISTED: readonly Listed[] = [
  { reader: null, name: '', file: 'docs/README.md' },
  doc('run', 'run'),
  doc('run', 'operations'),
  doc('run', 'configuration'),
  doc('run', 'operator-content'),
  doc('run', 'supply-chain'),
  doc('audit', 'audit'),
  doc('audit', 'fairness'),
  doc('audit', 'verifier', 'packages/verifier/README.md'),
  doc('audit', 'verifier-in-python', 'packages/verifier/python/README.md'),
  doc('audit', 'witness', 'packages/witness/README.md'),
  doc('audit', 'trust'),
  doc('audit', 'simulation'),
  doc('integrate', 'integrate'),
  doc('change', 'change'),
  doc('change', 'contributing', 'CONTRIBUTING.md'),
  doc('change', 'architecture'),
  doc('change', 'glossary'),
  doc('change', 'decisions', 'docs/decisions/README.md'),
  doc('change', 'changelog', 'CHANGELOG.md'),
  doc('change', 'licences'),
  { reader: null, name: 'about', file: 'README.md' },
]
const DECISIONS = 'docs/decisions'
const DECISION = /^\d{4}-[a-z0-9-]+\.md$/u

/** Other files that documents lead to, with their types; served at `/docs/files/<file>`. */
const FILES: Readonly<Record<string, string>> = {
  'LICENSES/AGPL-3.0-only.txt': 'text/plain; charset=utf-8',
  'LICENSES/Apache-2.0.txt': 'text/plain; charset=utf-8',
  'REUSE.toml': 'text/plain; charset=utf-8',
  'THIRD-PARTY-NOTICES.txt': 'text/plain; charset=utf-8',
  'deploy/compose/alertmanager.example.yml': 'text/plain; charset=utf-8',
  'deploy/nginx/console.conf': 'text/plain; charset=utf-8',
  'deploy/nginx/fairball.conf': 'text/plain; charset=utf-8',
  'deploy/systemd/fairball-console.service': 'text/plain; charset=utf-8',
  'deploy/systemd/fairball-web@.service': 'text/plain; charset=utf-8',
  'deploy/systemd/fairball-witness.service': 'text/plain; charset=utf-8',
  'deploy/systemd/fairball-worker@.service': 'text/plain; charset=utf-8',
  'docs/content.example.json': 'application/json; charset=utf-8',
  'docs/images/live-draw.png': 'image/png',
  'docs/images/proof.png': 'image/png',
  'docs/monitoring/alerts.yml': 'text/plain; charset=utf-8',
  'docs/monitoring/dashboard.json': 'application/json; charset=utf-8',
}
const FILES_AT = '/docs/files/'

/** The documents of this version. They are read once. */
export class Documents {
  #all: Promise<ReadonlyMap<string, Document>> | null = null

  /** Every document by its name. Decisions follow the page that lists them. */
  all(): Promise<ReadonlyMap<string, Document>> {
    return (this.#all ??= readAll())
  }

  /** A file that documents lead to; null for any other. @param file in the repository */
  async file(file: string): Promise<{ readonly type: string; readonly content: Buffer } | null> {
    const type = Object.hasOwn(FILES, file) ? FILES[file] : undefined
    if (type === undefined || !existsSync(new URL(file, ROOT))) return null
    return { type, content: await readFile(new URL(file, ROOT)) }
  }
}

async function readAll(): Promise<ReadonlyMap<string, Document>> {
  const found = await readdir(new URL(DECISIONS, ROOT))
  const decisions = found
    .filter((name) => DECISION.test(name))
    .toSorted()
    .map((name) => ({ reader: null, name: `decisions/${name.slice(0, -3)}`, file: `${DECISIONS}/${name}` }))
  // What a copy was installed without is not listed.
  const listed = [...LISTED, ...decisions].filter(({ file }) => existsSync(new URL(file, ROOT)))
  const names = new Map(listed.map(({ file, name }) => [file, name]))
  const all = new Map<string, Document>()
  const texts = await Promise.all(listed.map(({ file }) => readFile(new URL(file, ROOT), 'utf8')))
  for (const [index, one] of listed.entries()) {
    const after = (): string => (one.name === 'decisions' ? linksTo(decisions, all) : '')
    all.set(one.name, new Document(one, texts[index] ?? '', addressesFrom(one.file, names), after))
  }
  return all
}

/** What the folder itself shows in a repository. */
function linksTo(listed: readonly Listed[], all: ReadonlyMap<string, Document>): string {
  const items = listed.map(
    ({ name }) => `<li><a href="/docs/${name}">${escaped(all.get(name)?.title ?? name)}</a></li>`,
  )
  return `\n<ul class="plain">\n${items.join('\n')}\n</ul>`
}

/** The first sentences of a text: enough to say something. */
function beginningOf(text: string): string {
  const [beginning = ''] = /^.{0,39}.*?[.:](?=\s|$)/su.exec(text) ?? [text]
  return beginning.replaceAll('\n', ' ').replace(/:$/u, '.')
}

/**
 * Where links of a document lead on the site.
 *
 * @param file the document's
 * @param names those of all documents, by their files
 */
function addressesFrom(file: string, names: ReadonlyMap<string, string>): AddressOf {
  return (href) => {
    if (/^(?:https?:|mailto:|#|\/(?!\/))/u.test(href)) return href
    if (/^[a-z][a-z\d+.-]*:|^\/\//iu.test(href)) return null
    const [path = '', anchor] = href.split('#')
    const target = posix.join(posix.dirname(file), path).replace(/\/$/u, '')
    const name = names.get(target) ?? names.get(`${target}/README.md`)
    if (name !== undefined) return `/docs${name === '' ? '' : `/${name}`}${anchor === undefined ? '' : `#${anchor}`}`
    return Object.hasOwn(FILES, target) ? FILES_AT + target : null
  }
}
