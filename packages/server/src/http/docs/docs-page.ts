import { siteTones } from '@fairball/domain/site-colors'
import type { Site } from '../../modules/settings/service.ts'
import { type Document, type Reader, READERS } from './documents.ts'
import { escaped } from './render-markdown.ts'

/** What each reader's documents are called. */
const TITLES: Readonly<Record<Reader, string>> = {
  run: 'Run it',
  audit: 'Audit it',
  integrate: 'Integrate it',
  change: 'Change it',
}

/** What a page of the documentation shows beside its document. */
interface Shell {
  readonly site: Pick<Site, 'name' | 'colors' | 'icon' | 'logo'>
  readonly version: string
  readonly documents: ReadonlyMap<string, Document>
}

/** A document as a page. It needs no script; the one that it names copies code and shows the theme that was chosen. */
export function docsPage(document: Document, shell: Shell): string {
  const isIndex = document.name === ''
  const title = isIndex ? `Documentation · ${shell.site.name}` : `${document.title} · ${shell.site.name}`
  const markdown = isIndex ? '/docs/index.md' : `/docs/${document.name}.md`
  const chapters = isIndex ? '' : chaptersOf(document)
  return pageOf(title, document.about, shell, {
    reader: document.reader ?? (document.name.startsWith('decisions/') ? 'change' : null),
    beside: `${chapters}${listOf(shell.documents, document)}`,
    main: `${document.html}
<p class="foot"><a href="${markdown}">This page as Markdown</a> · Fairball ${escaped(shell.version)} · <a href="/docs/files/REUSE.toml">Licences</a></p>`,
  })
}

/** The page for an address that has no document. */
export function missingDocument(shell: Shell): string {
  return pageOf(`No such document · ${shell.site.name}`, '', shell, {
    reader: null,
    beside: listOf(shell.documents, null),
    main: '<h1>No such document</h1><p>It may have another name in this version. <a href="/docs">All documents</a></p>',
  })
}

/** The variables of the site's own colours, which replace the product's in the light theme. */
export function colorRules(colors: Site['colors']): string {
  if (colors === null) return ''
  const { ink, ink2, ink3, paper, sunken, line, lineStrong } = siteTones(colors)
  const own = { ink, 'ink-2': ink2, 'ink-3': ink3, paper, sunken, line, 'line-strong': lineStrong }
  const rules = Object.entries(own)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(' ')
  return `@media screen { [data-theme='light'] { ${rules} } }
@media screen and (prefers-color-scheme: light) { :root:not([data-theme]) { ${rules} } }
`
}

interface Content {
  readonly reader: Reader | null
  readonly beside: string
  readonly main: string
}

function pageOf(title: string, about: string, { site }: Shell, { reader, beside, main }: Content): string {
  const readers = READERS.map((one) => {
    const current = one === reader ? ' aria-current="true"' : ''
    return `<li><a href="/docs#${anchors[one]}"${current}>${TITLES[one]}</a></li>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<meta name="description" content="${escaped(about)}">
<link rel="icon" href="${escaped(site.icon?.light ?? '/favicon.svg')}">
<link rel="stylesheet" href="/docs/style.css">
<script src="/docs/script.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="site" href="/"><img src="${escaped(site.logo?.light ?? '/favicon.svg')}" alt="" width="32" height="32">${escaped(site.name)}</a>
<nav aria-label="Readers"><ul><li><a href="/docs">Documentation</a></li>${readers.join('')}</ul></nav>
</header>
<div class="columns">
<nav class="beside" aria-label="Documents"><details open><summary>Contents</summary>${beside}</details></nav>
<main id="content" tabindex="-1">
${main}
</main>
</div>
</body>
</html>
`
}

/** The headings of the index, by their readers. */
const anchors: Readonly<Record<Reader, string>> = {
  run: 'run-it',
  audit: 'audit-it',
  integrate: 'integrate-it',
  change: 'change-it',
}

/** All documents by their readers; those of the present reader are open. */
function listOf(documents: ReadonlyMap<string, Document>, present: Document | null): string {
  return READERS.map((reader) => {
    const items = [...documents.values()]
      .filter((one) => one.reader === reader)
      .map(({ name, title }) => {
        const current = name === present?.name ? ' aria-current="page"' : ''
        return `<li><a href="/docs/${name}"${current}>${escaped(title)}</a></li>`
      })
    return `<h2>${TITLES[reader]}</h2><ul>${items.join('')}</ul>`
  }).join('')
}

function chaptersOf({ chapters }: Document): string {
  if (chapters.length < 2) return ''
  const items = chapters.map(({ id, text }) => `<li><a href="#${id}">${escaped(text)}</a></li>`)
  return `<h2>On this page</h2><ul>${items.join('')}</ul>`
}

/** All documents for programs (llmstxt.org): their titles, addresses and first sentences. */
export function llmsText({ site, documents }: Shell, publicUrl: string): string {
  const index = documents.get('')
  const parts = READERS.map((reader) => {
    const items = [...documents.values()]
      .filter((one) => one.reader === reader)
      .map(({ name, title, about }) => `- [${title}](${publicUrl}/docs/${name}.md): ${about}`)
    return `## ${TITLES[reader]}\n\n${items.join('\n')}`
  })
  const api = `- [API](${publicUrl}/api/v1/openapi.json): Every call, as an OpenAPI document.`
  return [`# ${site.name}`, `> ${index?.about ?? ''}`, ...parts, `## Reference\n\n${api}`].join('\n\n').concat('\n')
}
