// Checks the built pages against their budgets (stack-web, section 5): the bytes a browser has to load before a page
// works, after gzip. Run after the client build: node packages/web/scripts/check-size.mjs
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const CLIENT = new URL('../dist/client/', import.meta.url)
const ENTRY = 'src/entry-client.tsx'

/** Budgets in bytes; a kB is 1000 bytes. */
const PAGES = [
  { name: 'home', screens: ['src/features/home/home-screen.tsx'], scriptBytes: 130_000, styleBytes: 12_000 },
  { name: 'game', screens: ['src/features/play/play-screen.tsx'], scriptBytes: 130_000, styleBytes: 12_000 },
  {
    name: 'paid ticket',
    screens: ['play-screen', 'components/player-steps', 'components/payment-step'].map(
      (part) => `src/features/play/${part}.tsx`,
    ),
    scriptBytes: 175_000,
    styleBytes: 20_000,
  },
  // Payment works before the scripts have loaded, but they render the code to scan.
  {
    name: 'checkout',
    screens: ['src/features/checkout/checkout-screen.tsx'],
    scriptBytes: 150_000,
    styleBytes: 12_000,
  },
  ...[
    'settings/my-tickets',
    'settings/my-games',
    'settings/messages',
    'settings/personal-details',
    'settings/security',
    'settings/password-change',
    'settings/email-preferences',
    'settings/balance',
    'settings/transaction-history',
    'settings/crypto-account-details',
    'responsible-play/responsible-play',
    'personal-data/personal-data',
  ].map((page) => ({
    name: `settings/${page.split('/')[1]}`,
    screens: ['src/app/layout/settings-layout.tsx', `src/features/${page}-screen.tsx`],
    scriptBytes: 190_000,
    styleBytes: 12_000,
  })),
]

/**
 * The build's description of its files, by source (Vite's manifest).
 *
 * @typedef {{ file: string, css?: string[], imports?: string[], dynamicImports?: string[] }} BuiltFile
 */

const manifest = /** @type {Record<string, BuiltFile>} */ (
  JSON.parse(readFileSync(new URL('.vite/manifest.json', CLIENT), 'utf8'))
)

/**
 * The files of these sources and of all they import.
 *
 * @param {string[]} sources relative to the package
 */
function filesOf(sources) {
  /** @type {Map<string, BuiltFile>} */
  const seen = new Map()
  /** @param {string} source */
  const add = (source) => {
    if (seen.has(source)) return
    const built = builtFrom(source)
    seen.set(source, built)
    for (const imported of built.imports ?? []) add(imported)
  }
  for (const source of sources) add(source)
  const scripts = new Set([...seen.values()].map((built) => built.file))
  // The styles of lazily loaded parts are in the HTML, their scripts come later.
  const lazy = sources.filter((source) => source !== ENTRY).flatMap((source) => builtFrom(source).dynamicImports ?? [])
  for (const source of lazy) add(source)
  return { scripts, styles: new Set([...seen.values()].flatMap((built) => built.css ?? [])) }
}

/** @param {string} source */
function builtFrom(source) {
  const built = manifest[source]
  if (built === undefined) throw new Error(`The build has no ${source}.`)
  return built
}

/** @param {Set<string>} files */
const zippedBytes = (files) =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, CLIENT)), { level: 9 }).length, 0)

/** @param {number} bytes */
const kB = (bytes) => (bytes / 1000).toFixed(1)

let failed = false
for (const { name, screens, scriptBytes, styleBytes } of PAGES) {
  const { scripts, styles } = filesOf([ENTRY, ...screens])
  const [script, style] = [zippedBytes(scripts), zippedBytes(styles)]
  const isOver = script > scriptBytes || style > styleBytes
  failed ||= isOver
  process.stdout.write(
    `${isOver ? 'OVER' : 'ok  '}  ${name.padEnd(34)} scripts ${kB(script)} of ${kB(scriptBytes)} kB   styles ${kB(style)} of ${kB(styleBytes)} kB\n`,
  )
}
if (failed) {
  process.stderr.write(
    'A page is over its budget. Load parts that need a press with React.lazy, or find the import that added bytes.\n',
  )
  process.exitCode = 1
}
