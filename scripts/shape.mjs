// npm run shape: prints the measures of the server's layout, each with its limit. The structure test checks the same
// limits.
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { parseSync } from 'vite'
import { importsOf } from './structure.mjs'

const ROOT = join(import.meta.dirname, '..')
const LONGEST_FUNCTION = 80
const LONGEST_FILE = 400
const MAX_FACTORIES = 25

/** Files that are lists of independent entries, so their length does not count. */
const LISTS = /(-?queries|variables|timezone-list|countries|units|openapi|calls|schemas?)\.ts$|\/(words|texts)\//
/** Folders that may have factories: an adapter is one object behind a declared interface. */
const FACTORY_HOMES = /^packages\/server\/src\/(ports|db|runtime|jobs|http|main)\//

/**
 * Every measure of the server's layout.
 * @param {string} root a folder that contains `packages/`
 * @returns {{ name: string, most: number, found: string[], remedy: string }[]} `found` names each place that counts
 */
export function measuresOf(root = ROOT) {
  const files = serverSources(root).map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  return [
    {
      name: 'files of modules that import http and are not routes',
      most: 0,
      found: files.filter(({ file, text }) => isModule(file) && !isRoutes(file) && knowsHttp(file, text)).map(fileOf),
      remedy: 'Only routes know HTTP: take what you need from src/kernel, or move it there.',
    },
    {
      name: 'imports of another module past its service.ts (and ledger/accounts.ts)',
      most: 0,
      found: files.flatMap(({ file, text }) => pastService(file, text)),
      remedy: 'Export what you need from the service.ts of the module that owns it, and import it from there.',
    },
    {
      name: 'statements that take five or more parameters by position',
      most: 0,
      found: files.flatMap(({ file, text }) => positionalIn(file, text)),
      remedy: 'Name them: $name in the text, and params as an object.',
    },
    {
      name: 'columns passed on in snake_case',
      most: 0,
      found: files.flatMap(({ file, text }) => snakeColumnsIn(file, text)),
      remedy: 'Write the name in camelCase: it is read from the column of the same name.',
    },
    {
      name: 'factories in modules',
      most: 0,
      found: files.flatMap(({ file, text }) => (FACTORY_HOMES.test(file) ? [] : factoriesIn(file, text))),
      remedy: 'Write a top-level function that takes the context of its module; code with state is a class.',
    },
    {
      name: 'factories elsewhere',
      most: MAX_FACTORIES,
      found: files.flatMap(({ file, text }) => (FACTORY_HOMES.test(file) ? factoriesIn(file, text) : [])),
      remedy: 'Factories are for adapters of ports and fixtures: elsewhere write a function or a class.',
    },
    {
      name: `functions over ${LONGEST_FUNCTION} lines`,
      most: 0,
      found: files.flatMap(({ file, text }) => longFunctionsIn(file, text)),
      remedy: 'Move a part of it into its own function.',
    },
    {
      name: `files over ${LONGEST_FILE} lines that are not lists`,
      most: 0,
      found: files
        .filter(({ file, text }) => !LISTS.test(file) && linesOf(text) > LONGEST_FILE)
        .map(({ file, text }) => `${file} has ${linesOf(text)}`),
      remedy: 'It has two subjects: move one to its own file.',
    },
  ]
}

/** Number of context types; each module has one. */
function contextsOf(root = ROOT) {
  return serverSources(root).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^export interface (\w+Context)\b/gm)].map(([, name]) => name),
  )
}

function serverSources(root) {
  return readdirSync(join(root, 'packages/server/src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted()
}

const fileOf = ({ file }) => file
const linesOf = (text) => text.split('\n').length - 1
const isModule = (file) => file.startsWith('packages/server/src/modules/')
const isRoutes = (file) => /\/([\w-]+-)?routes?\.ts$/.test(file)
const moduleOf = (file) => /^packages\/server\/src\/modules\/([^/]+)\//.exec(file)?.[1] ?? null

function targetsOf(file, text) {
  return importsOf(text)
    .filter((one) => one.startsWith('.'))
    .map((one) => posix.join(dirname(file), one))
}

function knowsHttp(file, text) {
  return targetsOf(file, text).some((target) => target.startsWith('packages/server/src/http/'))
}

function pastService(file, text) {
  const own = moduleOf(file)
  if (own === null) return []
  return targetsOf(file, text)
    .filter((target) => {
      const other = moduleOf(target)
      if (other === null || other === own || target.endsWith('/service.ts')) return false
      return !target.endsWith('/ledger/accounts.ts')
    })
    .map((target) => `${file} → ${target.replace('packages/server/src/modules/', '')}`)
}

function factoriesIn(file, text) {
  return [...text.matchAll(/^export function (create[A-Z]\w*)/gm)].map(([, name]) => `${file} ${name}`)
}

function longFunctionsIn(file, text) {
  const found = []
  const lineAt = (offset) => text.slice(0, offset).split('\n').length
  visitNodes(parseSync(file, text).program, (node, name) => {
    if (!/Function(Declaration|Expression)$/.test(node.type)) return
    const lines = lineAt(node.end) - lineAt(node.start) + 1
    if (lines > LONGEST_FUNCTION) found.push(`${file} ${name ?? '(unnamed)'} has ${lines}`)
  })
  return found
}

function positionalIn(file, text) {
  const found = []
  if (!text.includes('sql({')) return found
  visitNodes(parseSync(file, text).program, (node, name) => {
    if (node.type !== 'CallExpression' || node.callee.name !== 'sql') return
    const params = node.arguments[0]?.properties?.find(({ key }) => key.name === 'params')?.value
    if (params?.type === 'ArrayExpression' && params.elements.length >= 5) found.push(`${file} ${name}`)
  })
  return found
}

/** Codecs under a name with an underscore: parameters have none, so these are columns. */
function snakeColumnsIn(file, text) {
  return [...text.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+): (?:t\.|nullable\(|array\()/g)].map(
    ([, name]) => `${file} ${name}`,
  )
}

/** Calls `look` with each node of a tree, and the name of its surrounding function. */
function visitNodes(node, look, name = null) {
  if (node === null || typeof node !== 'object') return
  if (Array.isArray(node)) {
    for (const one of node) visitNodes(one, look, name)
    return
  }
  if (typeof node.type !== 'string') return
  const named = node.id?.name ?? node.key?.name ?? name
  look(node, named)
  for (const [key, value] of Object.entries(node)) if (key !== 'parent') visitNodes(value, look, named)
}

if (process.argv[1] === import.meta.filename) {
  const isVerbose = process.argv.includes('--list')
  for (const { name, most, found } of measuresOf()) {
    process.stdout.write(
      `${found.length <= most ? '✓' : '✗'} ${String(found.length).padStart(4)}  (at most ${most})  ${name}\n`,
    )
    if (isVerbose || found.length > most) for (const one of found) process.stdout.write(`          ${one}\n`)
  }
  const contexts = contextsOf()
  process.stdout.write(`  ${String(contexts.length).padStart(4)}  types of context: ${contexts.join(', ')}\n`)
}
