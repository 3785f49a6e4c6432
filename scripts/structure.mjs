// The order of imports and the reserved globals, as checks over a tree of sources. `structure.test.mjs` runs them on
// the repository, and on planted sources that break each rule.
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'

/** Allowed imports of each package, besides its own files. `*` is any package of npm. */
const ALLOWED = {
  domain: ['@noble/', '@scure/base'],
  contract: ['@fairball/domain', 'zod'],
  server: ['@fairball/domain', '@fairball/contract', '*'],
  ui: ['*'],
  web: ['@fairball/domain', '@fairball/contract', '@fairball/ui', '*'],
  console: ['@fairball/domain', '@fairball/contract', '@fairball/ui', '*'],
  verifier: ['@fairball/domain', 'node:'],
  witness: ['@fairball/domain', 'node:'],
}
const REMEDY = {
  domain: 'The domain is pure: take what you need as an argument, and move I/O to the server.',
  contract: 'The contract knows the domain and zod only: move the rest to the server or the web.',
  server: 'The server imports the domain and the contract; move what both sides need into one of them.',
  ui: 'The design system knows nothing of the lottery: pass it as props or children.',
  web: 'The web imports the domain and the contract; move what both sides need into one of them.',
  console: 'The console imports the domain, the contract and the design system; move what is shared into one of them.',
  verifier: 'A stranger reads this whole program: it imports the domain and Node, nothing else.',
  witness: 'A stranger reads this whole program: it imports the domain and Node, nothing else.',
}
/** Files that may use clock, randomness, timers and network; one is the text of a script for browsers. */
const RUNTIME_FILES =
  /^packages\/(server\/src\/runtime\/|server\/src\/modules\/integrations\/widget-script\.ts$|(web|console)\/src\/shared\/runtime\.ts$|(verifier|witness)\/src\/runtime\.ts$)/
/** Files with components or hooks. */
const COMPILED = /^packages\/(ui|web|console)\/src\/.*(\.tsx|\/use-[\w-]+\.ts)$/
/** Files that run in a browser. */
const BROWSER = /^packages\/(ui|web|console)\/src\/(?!server\/)/
/** Tests, and files that only tests import. */
const TEST_FILES = /(\.test|-fixture)\.tsx?$|^packages\/server\/test\//

/**
 * Allowed imports of each folder of the server, besides its own files. `src/main` imports all of them, and none imports
 * it.
 */
const LAYERS = {
  runtime: [],
  metrics: ['runtime'],
  db: ['runtime', 'metrics'],
  kernel: ['runtime', 'metrics', 'db'],
  jobs: ['runtime', 'metrics', 'db', 'kernel'],
  ports: ['runtime', 'metrics', 'db', 'kernel', 'jobs'],
  modules: ['runtime', 'metrics', 'db', 'kernel', 'jobs', 'ports'],
  http: ['runtime', 'metrics', 'db', 'kernel', 'jobs', 'ports', 'modules'],
  config: ['runtime', 'ports', 'modules'],
}
/** The same for the web. Its entries are files directly in `src`: they import every folder, and none imports them. */
const WEB_LAYERS = {
  shared: [],
  proof: ['shared'],
  features: ['shared', 'proof'],
  app: ['shared', 'proof', 'features'],
  offline: ['shared'],
  server: ['shared', 'app'],
}
/** The same for the console. */
const CONSOLE_LAYERS = { shared: [], features: ['shared'], app: ['shared', 'features'] }
const PAGE_LAYERS = { web: WEB_LAYERS, console: CONSOLE_LAYERS }
const WEB_REMEDY = {
  shared: 'src/shared lies under every feature: pass it as an argument, or move what both need here.',
  proof: 'src/proof knows src/shared only: pass it as an argument.',
  features: 'src/app is the roof: move what a feature needs to src/shared.',
  app: 'src/app puts features together: move what is only tested to src/testing.',
  offline: 'src/offline is the service worker, apart from the pages: move what both need to src/shared.',
  server: 'src/server knows the table of pages and what they share: move the rest to src/shared or src/app.',
}
/** Folders that only tests import. */
const TESTING = /^packages\/(ui|web|console)\/src\/testing\//
const TESTING_REMEDY = 'src/testing is for tests: move what the product needs to src/shared.'
/** Files of a module that know HTTP. */
const ROUTES = /^packages\/server\/src\/modules\/.*\/([\w-]+-)?routes?\.ts$/

/**
 * Globals that only the runtime's files may use. The linter checks them too, and `fetch`, which is also the name of the
 * argument that replaces it; but it cannot tell `new Date()` without an argument from one with an argument.
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
    remedy: 'wait with runtime.clock.sleep or runtime.monotonic.sleep',
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
  {
    pattern: /\b(hkdf(Sync)?|createCipheriv|createDecipheriv)\b/,
    name: 'a self-made key',
    remedy: 'give the use a label in runtime/keys.ts, and encrypt with runtime/seal.ts',
  },
  { pattern: /\bperformance\.now\b/, name: 'performance.now', remedy: 'measure with runtime.monotonic.nowMs()' },
]

/** Files that may import the password hash: all others use `passwords.ts`, which requires a counter from the caller. */
const HASHING = [
  { specifier: /(^|\/)password-threads\.ts$/, allowed: /\/identity\/password(s|-thread)\.ts$/ },
  { specifier: /argon2/, allowed: /\/identity\/password(s|-thread|-threads)\.ts$/ },
]
/** `Counted` by assertion, which bypasses the counter. */
const FORGED = /\bas\s+(unknown\s+as\s+)?Counted\b/
const COUNTERS = 'packages/server/src/kernel/limits.ts'

/** A mail about an account. Only one place writes it, which limits the number per address. */
const ACCOUNT_MAIL = /\bcategory:\s*['"]account['"]/
const BUDGETED = /\/identity\/account-mail\.ts$/
const ACCOUNT_MAIL_REMEDY = 'Add it to identity/mails.ts: identity/account-mail.ts counts what an address gets.'

/** The current offset, which is wrong for a moment beyond a clock change: pages need the offset of each moment. */
const OFFSET_OF_NOW = /\btimezone_utc_offset\b|\bgetTimezoneOffset\b/
const OFFSETS =
  /^packages\/(contract|server)\/|\/domain\/src\/time-zone\.ts$|\/web\/src\/(shared\/player-view|testing\/render-page)\.tsx?$/
const OFFSET_REMEDY = 'Use the offset at the moment that is written: useUtcOffset() of shared/player-view.ts.'

/** A game of the seeds by its key or name, and the split of its stakes: games are configuration. */
const NAMED_GAME =
  /\b(?:bitcoin-lotto|bitcoin-hero|th?reasure|ether-lotto|mega-ball|super-game|Bitcoin Lotto|Bitcoin Hero|Ether Lotto|Mega Ball|Super Game|GAMES\.length)\b|\b(?:5|15|80)n? \/ 100n?\b|\/seeds(?:\.ts)?'/
const GAMELESS = /^packages\/(?:server|domain|contract)\/src\//
/** Where a fresh installation gets its first games. */
const SEEDED =
  /\/(?:seeds|common-passwords|first-games|games-templates|[\w-]+-fixture)\.ts$|^packages\/server\/src\/main\/lottery\.ts$/
const GAME_REMEDY = 'Read the draw, its version, or modules/games: a game can be any.'

/**
 * Every breach of the structure under `root`.
 * @param {string} root a folder that contains `packages/`
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
    if (ACCOUNT_MAIL.test(withoutComments(text)) && !BUDGETED.test(file) && !TEST_FILES.test(file))
      breaches.push(`${file} writes a mail about an account. ${ACCOUNT_MAIL_REMEDY}`)
    if (OFFSET_OF_NOW.test(withoutComments(text)) && !OFFSETS.test(file) && !TEST_FILES.test(file))
      breaches.push(`${file} reads the offset of one moment. ${OFFSET_REMEDY}`)
    if (GAMELESS.test(file) && !SEEDED.test(file) && !TEST_FILES.test(file) && NAMED_GAME.test(withoutComments(text)))
      breaches.push(`${file} names a game of the seeds. ${GAME_REMEDY}`)
    breaches.push(...reservedBreaches(file, text), ...miscompiledIn(file, text), ...uncountedHashesIn(file, text))
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

/** All imports of a source, of values and types: `import … from`, `export … from`, `import '…'`, `import('…')`. */
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
  if (other === 'server' || other === 'web' || other === 'console') return `Nobody imports ${other}. ${REMEDY[owner]}`
  if (other === owner) return null
  if (owner === 'ui' && other !== undefined) return REMEDY.ui
  if (isTest) return null // tests may use test libraries and Node
  if (specifier.startsWith('@fairball/ui/testing/')) return TESTING.test(file) ? null : TESTING_REMEDY
  const isAllowed = ALLOWED[owner].some(
    (one) => specifier === one || one === '*' || specifier.startsWith(/[/:]$/.test(one) ? one : `${one}/`),
  )
  if (!isAllowed) return REMEDY[owner]
  if (BROWSER.test(file) && specifier.startsWith('node:')) return 'This runs in a browser: there is no Node.'
  return null
}

function relativeBreach(file, target, isTest) {
  const owner = file.split('/')[1]
  if (!isIn(target, `packages/${owner}/`)) return `Import another package by its name. ${REMEDY[owner] ?? ''}`.trim()

  const module = moduleOf(file)
  const otherModule = moduleOf(target)
  if (otherModule !== null && otherModule !== module && !isTest) {
    const part = /\/(queries|routes|jobs)\.ts$/.exec(target)?.[1]
    const isComposition = isIn(file, 'packages/server/src/main/')
    if (part !== undefined && !(isComposition && part !== 'queries'))
      return `Modules reach each other through service.ts: add a function to the service of ${otherModule}.`
  }
  const layer = folderOf(file, 'server', LAYERS)
  const otherLayer = folderOf(target, 'server', LAYERS)
  if (layer !== null && layer !== otherLayer && !isTest && !(otherLayer === 'http' && ROUTES.test(file))) {
    if (otherLayer === 'http') return 'Only routes know HTTP: take what you need from src/kernel, or move it there.'
    if (otherLayer === null || !LAYERS[layer].includes(otherLayer))
      return `src/${layer} knows only ${LAYERS[layer].join(', ') || 'itself'}: take what you need as an argument.`
  }
  const feature = featureOf(file)
  const otherFeature = featureOf(target)
  if (feature !== null && otherFeature !== null && feature !== otherFeature)
    return `Features never import each other: let a route of src/app put them together, or move what both need to src/shared.`
  return isTest || TESTING.test(file) ? null : pageBreach(file, target)
}

/** Entry, app, features, proof, shared: each may import those after it. */
function pageBreach(file, target) {
  const owner = file.split('/')[1]
  const layers = PAGE_LAYERS[owner]
  const room = folderOf(file, owner)
  if (layers === undefined || room === null || !isIn(target, `packages/${owner}/src/`)) return null
  if (!(room in layers))
    return `src/${room} has no place in the order: put it into one of the folders, or give it a place in scripts/structure.mjs.`
  const otherRoom = folderOf(target, owner)
  if (otherRoom === null) return 'Nothing imports an entry: move what both need to src/shared.'
  if (TESTING.test(target)) return TESTING_REMEDY
  return room === otherRoom || layers[room].includes(otherRoom) ? null : WEB_REMEDY[room]
}

const moduleOf = (file) => /^packages\/server\/src\/modules\/([^/]+)\//.exec(file)?.[1] ?? null
/** The folder of a package's sources that contains a file, if it is one of `known`; any folder without `known`. */
function folderOf(file, owner, known = null) {
  const [, folder = null] = new RegExp(`^packages/${owner}/src/([^/]+)/`).exec(file) ?? []
  return folder !== null && (known === null || folder in known) ? folder : null
}
const featureOf = (file) => /^packages\/(?:web|console)\/src\/features\/([^/]+)\//.exec(file)?.[1] ?? null
const isIn = (file, folder) => file.startsWith(folder)

/** Password hashes without a counter: each takes 19 MiB and a place in the queue of all players. */
function uncountedHashesIn(file, text) {
  if (TEST_FILES.test(file)) return []
  const remedy = 'Hash with passwords.ts, with the result of rateLimits.take or .check for the caller.'
  const imported = importsOf(text)
    .filter((one) => HASHING.some(({ specifier, allowed }) => specifier.test(one) && !allowed.test(file)))
    .map((one) => `${file} imports '${one}'. ${remedy}`)
  const isForged = file !== COUNTERS && FORGED.test(withoutComments(text))
  return isForged ? [...imported, `${file} makes its own Counted. ${remedy}`] : imported
}

/**
 * Bigint literals in components: the React compiler (oxc 0.156) turns `0n` into `undefined`, only in the browser's
 * build.
 */
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

/** The code with its comments blanked and its lines kept. A `//` inside a text (`https://…`) is not a comment. */
function withoutComments(text) {
  return text.replaceAll(
    /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (whole, string) => string ?? whole.replaceAll(/[^\n]/g, ' '),
  )
}

function withoutStrings(text) {
  return text.replaceAll(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, "''")
}
