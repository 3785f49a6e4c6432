/**
 * The readable reference: one page of all calls, made from the OpenAPI document. It has no scripts, and its style in a
 * separate file.
 */
import type { Json, JsonObject, OpenApiDocument, Operation } from './openapi.ts'
import { REFERENCE_STYLE } from './reference-style.ts'

/** The page and its style sheet, which the page expects at {@link REFERENCE_STYLE_PATH}. */
interface ReferencePage {
  readonly html: string
  readonly css: string
}

/** Path of the page's style sheet. */
export const REFERENCE_STYLE_PATH = '/api/docs.css'

/** Renders the page. */
export function referencePage(document: OpenApiDocument): ReferencePage {
  const entries = entriesOf(document)
  const tags = [...new Set(entries.map((entry) => entry.tag))]
  const schemas = Object.entries(document.components.schemas)
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(document.info.title)} API reference</title>
<link rel="stylesheet" href="${REFERENCE_STYLE_PATH}">
</head>
<body>
<header>
<h1>${escaped(document.info.title)} API reference</h1>
<p>Version ${escaped(document.info.version)}. ${escaped(document.info.description)}</p>
<p><a href="/api/v1/openapi.json">OpenAPI document</a></p>
</header>
<nav aria-label="Calls">
${tags
  .map((tag) =>
    navigationGroup(
      tag,
      entries.filter((entry) => entry.tag === tag),
    ),
  )
  .join('\n')}
<h2><a href="#shapes">Shapes</a></h2>
</nav>
<main>
${tags
  .map((tag) =>
    section(
      tag,
      entries.filter((entry) => entry.tag === tag),
    ),
  )
  .join('\n')}
<section aria-labelledby="shapes">
<h2 id="shapes">Shapes</h2>
${schemas.map(([name, schema]) => shape(name, schema)).join('\n')}
</section>
</main>
</body>
</html>
`
  return { html, css: REFERENCE_STYLE }
}

interface Entry {
  readonly tag: string
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

function entriesOf(document: OpenApiDocument): Entry[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, value]) => {
        // openapi.ts puts only operations below a method.
        const operation = value as Operation
        const base = baseOf(item['servers'] ?? document['servers'])
        return { tag: operation.tags[0] ?? '', method: method.toUpperCase(), path: base + path, operation }
      }),
  )
}

const METHODS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'delete'])

/** The path of the first server: `/api/v1`, or empty for calls at the root. */
function baseOf(servers: Json | undefined): string {
  const [server] = Array.isArray(servers) ? (servers as readonly JsonObject[]) : []
  return textOf(server?.['url']).replace(/^[a-z]+:\/\/[^/]*/, '')
}

function navigationGroup(tag: string, entries: readonly Entry[]): string {
  const links = entries.map(
    ({ method, path, operation }) =>
      `<li><a href="#${escaped(operation.operationId)}"><b>${method}</b> ${breakable(path)}</a></li>`,
  )
  return `<details><summary>${escaped(tag)} (${entries.length})</summary><ul>${links.join('')}</ul></details>`
}

function section(tag: string, entries: readonly Entry[]): string {
  const id = `tag-${tag.toLowerCase()}`
  return `<section aria-labelledby="${id}">
<h2 id="${id}">${escaped(tag)}</h2>
${entries.map(article).join('\n')}
</section>`
}

function article({ method, path, operation }: Entry): string {
  const id = escaped(operation.operationId)
  return `<article aria-labelledby="${id}">
<h3 id="${id}"><b class="method">${method}</b> <code>${breakable(path)}</code></h3>
<p>${escaped(operation.summary)} <small>${access(operation['security'])} Named <code>${id}</code>.</small></p>
${parameters(operation)}
${body(operation)}
${responses(operation)}
</article>`
}

function access(security: Json | undefined): string {
  const text = JSON.stringify(security ?? [])
  if (text.includes('refreshToken')) return 'The bearer is the refresh token.'
  if (!text.includes('accessToken')) return 'For anyone.'
  return text.includes('{}') ? 'For anyone; a bearer is used if there is one.' : 'For signed-in players.'
}

function parameters({ parameters: rows }: Operation): string {
  if (rows.length === 0) return ''
  const items = rows.map((row) => {
    const place = `in the ${row.in}${row.required ? '' : ', optional'}`
    return `<li><code>${escaped(row.name)}</code> ${place}: ${typeText(row.schema)}</li>`
  })
  return `<h4>Parameters</h4>\n<ul>${items.join('')}</ul>`
}

function body(operation: Operation): string {
  const schema = contentSchema(operation['requestBody'])
  return schema === undefined ? '' : `<h4>Body</h4>\n${typeBlock(schema)}`
}

function responses({ responses: byStatus }: Operation): string {
  const statuses = Object.entries(byStatus)
  const good = statuses.filter(([status]) => status.startsWith('2'))
  const errors = statuses.filter(([status]) => !status.startsWith('2'))
  const answers = good.map(([status, response]) => {
    const schema = contentSchema(response)
    const title = `<h4>Answer ${status}, ${escaped(contentType(response))}</h4>`
    return schema === undefined ? title : `${title}\n${typeBlock(schema)}`
  })
  const rows = errors.flatMap(([status, response]) =>
    textOf(response['description'])
      .split('\n')
      .map((line) => `<li><b>${status}</b> ${escaped(line)}</li>`),
  )
  return `${answers.join('\n')}\n<details><summary>Errors (${rows.length})</summary><ul>${rows.join('')}</ul></details>`
}

function shape(name: string, schema: JsonObject): string {
  const id = `shape-${escaped(name)}`
  return `<article aria-labelledby="${id}">\n<h3 id="${id}">${escaped(name)}</h3>\n${typeBlock(schema)}\n</article>`
}

function content(holder: Json | undefined): readonly [string, JsonObject] | undefined {
  if (!isObject(holder) || !isObject(holder['content'])) return undefined
  const [first] = Object.entries(holder['content'])
  return first !== undefined && isObject(first[1]) ? [first[0], first[1]] : undefined
}

function contentType(holder: Json | undefined): string {
  return content(holder)?.[0] ?? 'nothing'
}

function contentSchema(holder: Json | undefined): JsonObject | undefined {
  const schema = content(holder)?.[1]['schema']
  return isObject(schema) ? schema : undefined
}

function typeBlock(schema: JsonObject): string {
  return `<pre>${typeText(schema)}</pre>`
}

/** A schema as a short type in HTML: references are links, bounds follow. */
function typeText(schema: JsonObject, indent = ''): string {
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const name = escaped(reference.slice(reference.lastIndexOf('/') + 1))
    return `<a href="#shape-${name}">${name}</a>`
  }
  if ('const' in schema) return escaped(JSON.stringify(schema['const']))
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => escaped(JSON.stringify(value))).join(' | ')
  const options = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(options)) {
    return (options as readonly Json[]).map((option) => (isObject(option) ? typeText(option, indent) : '')).join(' | ')
  }
  if (schema['type'] === 'array') {
    return `list${bounds(schema)} of ${isObject(schema['items']) ? grouped(schema['items'], indent) : 'anything'}`
  }
  if (schema['type'] === 'object') return objectText(schema, indent)
  return `${escaped(textOf(schema['type'] ?? 'anything'))}${bounds(schema)}`
}

/** Brackets around a choice inside a list, which would read as two types. */
function grouped(schema: JsonObject, indent: string): string {
  const text = typeText(schema, indent)
  return 'anyOf' in schema || 'oneOf' in schema || 'enum' in schema ? `(${text})` : text
}

function objectText(schema: JsonObject, indent: string): string {
  const { properties, additionalProperties, required } = schema
  if (!isObject(properties)) {
    return `{ [name]: ${isObject(additionalProperties) ? typeText(additionalProperties, indent) : 'anything'} }`
  }
  const needed = new Set(Array.isArray(required) ? required : [])
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, property]) => {
    const type = isObject(property) ? typeText(property, inner) : 'anything'
    return `${inner}${escaped(name)}${needed.has(name) ? '' : '?'}: ${type}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

const BOUNDS = [
  ['minimum', 'from'],
  ['maximum', 'to'],
  ['minLength', 'at least'],
  ['maxLength', 'at most'],
  ['minItems', 'at least'],
  ['maxItems', 'at most'],
  ['pattern', 'matching'],
] as const

function bounds(schema: JsonObject): string {
  const known = BOUNDS.filter(([key]) => schema[key] !== undefined)
  return known.length === 0
    ? ''
    : ` (${known.map(([key, word]) => `${word} ${escaped(textOf(schema[key]))}`).join(', ')})`
}

/** A plain value of the document as a text; empty if it is missing. */
function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A path that may break after each slash on a narrow screen. */
function breakable(path: string): string {
  return escaped(path).replaceAll('/', '/<wbr>')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
