// The order of imports and the reserved globals, as checks over a tree of sources. `structure.test.mjs` runs them on the
// repository, and on planted sources that break each rule.
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'

/** What each package may import beside its own files. `*` is any package of npm. */
const ALLOWED = {
  domain: ['@noble/', '@scure/base'],
  contract: ['@fairball/domain', 'zod'],
  server: ['@fairball/domain', '@fairball/contract', '*'],
  web: ['@fairball/domain', '@fairball/contract', '*'],
  verifier: ['@fairball/domain', 'node:'],
  witness: ['@fairball/domain', 'node:'],
}
const REMEDY = {
  domain: 'The domain is pure: take what you need as an argument, and move I/O to the server.',
  contract: 'The contract knows the domain and zod only: move the rest to the server or the web.',
  server: 'The server imports the domain and the contract; move what both sides need into one of them.',
  web: 'The web imports the domain and the contract; move what both sides need into one of them.',
  verifier: 'A stranger reads this program whole: it imports the domain and Node, nothing else.',
  witness: 'A stranger reads this program whole: it imports the domain and Node, nothing else.',
}
/** Files through which clock, randomness, timers and network come in. */
const RUNTIME_FILES =
  /^packages\/(server\/src\/runtime\/|web\/src\/app\/runtime\.ts$|(verifier|witness)\/src\/runtime\.ts$)/
/** Files with components or hooks. */
const COMPILED = /^packages\/web\/src\/.*(\.tsx|\/use-[\w-]+\.ts)$/
/** Tests, and what only tests import. */
const TEST_FILES = /(\.test|-fixture)\.tsx?$|^packages\/server\/test\//

/**
 * What may be used in the runtime's files alone. The linter knows these as well, and `fetch`, whose name is also that of
 * the argument that takes its place; `new Date()` without argument it cannot tell from one with.
 */
const RESERVED = [
  { pattern: /\bDate\.now\b/, name: 'Date.now', remedy: 'take the time as an argument, or runtime.clock.now()' },
  {
    pattern: /\bnew Date\(\s*\)/,
    name: 'new Date()',
    remedy: 'take the time as an argument, or new Date(runtime.clock.nowMs())',
  },
  { pattern: /(?<![.\w])Date\(\s*\)/, name: 'Date()', remedy: 'take the time as an argument, or runtime.clock.now()' },
  { pattern: /\bMath\.random\b/, name: 'Math.random', remedy: 'take random bytes as an argument, or runtime.random' },
  {
    pattern: /(?<![.\w#])(setTimeout|setInterval|setImmediate)\s*\(/,
    name: 'a timer',
    remedy: 'wait with runtime.clock.sleep or runtime.steady.sleep',
  },
  {
    pattern: /\b(globalThis|window|self)\.(setTimeout|setInterval|fetch|crypto)\b(?!\s*>)/,
    name: 'a global by its object',
    remedy: 'take it from the runtime',
  },
  { pattern: /\bcrypto\.(random\w+|getRandomValues)\b/, name: 'crypto.random*', remedy: 'use runtime.random' },
  { pattern: /\bgetRandomValues\b/, name: 'getRandomValues', remedy: 'use runtime.random' },
  {
    pattern: /import[^;\n]*\brandom(Bytes|UUID|Int|Fill|FillSync)\b[^;\n]*from/,
    name: 'randomness of node:crypto or noble',
    remedy: 'use runtime.random',
  },
  { pattern: /\bperformance\.now\b/, name: 'performance.now', remedy: 'measure with runtime.steady.nowMs()' },
]

/**
 * Every breach of the structure under `root`.
 * @param {string} root a folder that holds `packages/`
 * @returns {string[]} one sentence each, with the file and the remedy
 */
export function breachesIn(root) {
  const breaches = []
  for (const file of sourcesUnder(root)) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const specifier of importsOf(text)) {
      const breach = importBreach(file, specifier)
      if (breach !== null) breaches.push(`${file} imports '${specifier}'. ${breach}`)
    }
    breaches.push(...reservedBreaches(file, text), ...miscompiledIn(file, text))
  }
  return breaches
}

/** Sources of the packages, with slashes, from `packages/`. */
function sourcesUnder(root) {
  const packages = join(root, 'packages')
  return readdirSync(packages, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mts|js|mjs)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => /^packages\/[^/]+\/(src|test)\//.test(file))
    .toSorted()
}

/** What a source imports, of values and types alike: `import … from`, `export … from`, `import '…'`, `import('…')`. */
export function importsOf(text) {
  const code = withoutComments(text)
  const patterns = [
    /\b(?:import|export)\s+(?:type\s+)?[\w*{}\s,$]+?\s+from\s*['"]([^'"]+)['"]/g,
    /\bimport\s*['"]([^'"]+)['"]/g,
    /\bimport\s*\(\s*['"]([^'"]+)['"]/g,
  ]
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1]))
}

/** The reason why `file` may not import `specifier`, with the remedy, or null. */
function importBreach(file, specifier) {
  const owner = file.split('/')[1]
  const isTest = TEST_FILES.test(file)
  if (specifier.startsWith('.')) return relativeBreach(file, posix.join(dirname(file), specifier), isTest)
  if (!(owner in ALLOWED)) return null

  const other = /^@fairball\/([^/]+)/.exec(specifier)?.[1]
  if (other === 'server' || other === 'web') return `Nobody imports ${other}. ${REMEDY[owner]}`
  if (owner === 'web' && isIn(file, 'packages/web/src/ui/') && other !== undefined && !isTest)
    return 'src/ui knows nothing of the lottery: pass what it shows as props.'
  if (other === owner) return null
  if (isTest) return null // tests may use test libraries and Node
  const isAllowed = ALLOWED[owner].some(
    (one) => specifier === one || one === '*' || specifier.startsWith(/[/:]$/.test(one) ? one : `${one}/`),
  )
  if (!isAllowed) return REMEDY[owner]
  if (owner === 'web' && specifier.startsWith('node:') && !isIn(file, 'packages/web/src/server/'))
    return 'The web runs in a browser: there is no Node.'
  return null
}

function relativeBreach(file, target, isTest) {
  const owner = file.split('/')[1]
  if (!isIn(target, `packages/${owner}/`)) return `Import another package by its name. ${REMEDY[owner] ?? ''}`.trim()

  const module = moduleOf(file)
  const otherModule = moduleOf(target)
  if (otherModule !== null && otherModule !== module && !isTest) {
    const part = /\/(queries|routes|jobs)\.ts$/.exec(target)?.[1]
    const isComposition = /^packages\/server\/src\/[^/]+\.ts$/.test(file) // what puts the program together
    if (part !== undefined && !(isComposition && part !== 'queries'))
      return `Modules reach each other through service.ts: add a function to the service of ${otherModule}.`
  }
  const feature = featureOf(file)
  const otherFeature = featureOf(target)
  if (feature !== null && otherFeature !== null && feature !== otherFeature)
    return `Features never import each other: let a route of src/app put them together, or move what both need to src/ui or the domain.`
  if (isIn(file, 'packages/web/src/ui/') && (otherFeature !== null || isIn(target, 'packages/web/src/app/')))
    return 'src/ui knows nothing of the lottery: pass it as props or children.'
  return null
}

const moduleOf = (file) => /^packages\/server\/src\/modules\/([^/]+)\//.exec(file)?.[1] ?? null
const featureOf = (file) => /^packages\/web\/src\/features\/([^/]+)\//.exec(file)?.[1] ?? null
const isIn = (file, folder) => file.startsWith(folder)

/** What the compiler of React's components (oxc 0.156) turns into `undefined` in the browser's build alone: `0n`. */
function miscompiledIn(file, text) {
  if (!COMPILED.test(file) || TEST_FILES.test(file)) return []
  return withoutStrings(withoutComments(text))
    .split('\n')
    .flatMap((line, index) =>
      /\b\d[\d_]*n\b/.test(line)
        ? [`${file}:${index + 1} has a bigint literal in a component, which is miscompiled: name it in another file.`]
        : [],
    )
}

function reservedBreaches(file, text) {
  if (RUNTIME_FILES.test(file) || TEST_FILES.test(file)) return []
  const breaches = []
  for (const [index, line] of withoutStrings(withoutComments(text)).split('\n').entries())
    for (const { pattern, name, remedy } of RESERVED)
      if (pattern.test(line))
        breaches.push(`${file}:${index + 1} uses ${name}, which only the runtime's files may: ${remedy}.`)
  return breaches
}

/** The code with its comments blanked and its lines kept. A `//` inside a text (`https://…`) is none. */
function withoutComments(text) {
  return text.replaceAll(
    /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (whole, string) => string ?? whole.replaceAll(/[^\n]/g, ' '),
  )
}

function withoutStrings(text) {
  return text.replaceAll(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, "''")
}
