// Finds exports that no other file names, for `npm run lint`. A name that only its own file uses is not exported, and
// an unused one is deleted.
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { parseSync } from 'vite'

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['packages', 'trials', 'e2e', 'scripts']
const SOURCE = /\.(tsx?|mts|mjs)$/
/** Replaces a name: every export. */
const ALL = '*'
/** Files that a tool, a process or the compiler finds by their path. */
const ENTRIES =
  /\.test\.tsx?$|\.d\.mts$|(^|\/)(global-setup|[\w-]+\.config|web\/dev-server|external-store|mutation\/words|kept-[\w-]+)\.m?[tj]s$/

/**
 * Each export that no other file names.
 * @param {string} root a folder that contains `packages/`
 * @returns {string[]} `file name`
 */
export function unusedExports(root = ROOT) {
  const files = new Map(
    sourcesOf(root).map((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return [file, { text, module: parseSync(file, text).module }]
    }),
  )
  const used = new Map()
  for (const [file, { text, module }] of files) {
    const use = (specifier, name) => {
      const target = targetOf(file, specifier, files)
      if (target !== null) used.set(target, (used.get(target) ?? new Set()).add(name))
    }
    for (const { moduleRequest, entries } of module.staticImports)
      for (const { importName, localName } of entries)
        if (importName.kind !== 'NamespaceObject') use(moduleRequest.value, importName.name ?? 'default')
        else for (const name of membersOf(localName.value, text)) use(moduleRequest.value, name)
    for (const { entries } of module.staticExports)
      for (const { moduleRequest, importName } of entries)
        if (moduleRequest !== null) use(moduleRequest.value, importName.name ?? ALL)
    // A dynamic import may use every export.
    for (const { moduleRequest } of module.dynamicImports)
      use(text.slice(moduleRequest.start + 1, moduleRequest.end - 1), ALL)
  }
  return [...files]
    .filter(([file]) => !ENTRIES.test(file))
    .flatMap(([file, { module }]) => {
      const names = used.get(file) ?? new Set()
      if (names.has(ALL)) return []
      return module.staticExports
        .flatMap(({ entries }) => entries.map(({ exportName }) => exportName.name ?? 'default'))
        .filter((name) => !names.has(name))
        .map((name) => `${file} ${name}`)
    })
}

/** The members of a namespace that a file names; all of them if it passes the namespace on. */
function membersOf(namespace, text) {
  const uses = [...text.matchAll(new RegExp(`(?<!as )(?<![\\w$.])${namespace}\\b(?:\\.(\\w+))?`, 'g'))]
  return uses.map(([, member]) => member ?? ALL)
}

function sourcesOf(root) {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
  ).filter((file) => !/\/(node_modules|dist)\//.test(file))
}

/** The file of the repository that an import refers to; null for a package of npm. */
function targetOf(file, specifier, files) {
  const [, name, path = 'index'] = /^@fairball\/(\w+)(?:\/(.*))?$/.exec(specifier) ?? []
  const source = name === 'server' ? 'packages/server' : `packages/${name}/src`
  const inside = /\.tsx?$/.test(path) ? path : `${path}.ts`
  const wanted = name === undefined ? posix.join(dirname(file), specifier) : `${source}/${inside}`
  return files.has(wanted) ? wanted : null
}

if (process.argv[1] === import.meta.filename) {
  const unused = unusedExports()
  for (const one of unused) process.stdout.write(`Nothing imports this: remove its export, or delete it: ${one}\n`)
  process.exit(unused.length > 0 ? 1 : 0)
}
