// Holds the built pages to their budgets (stack-web, section 5): what the browser has to load before a page works, after gzip.
// Run after the client build: node packages/web/scripts/check-size.mjs
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const CLIENT = new URL('../dist/client/', import.meta.url)
const ENTRY = 'src/entry-client.tsx'

/** Budgets in bytes; a kB is 1000 bytes. */
const PAGES = [
  { name: 'home', screens: ['src/features/home/home-screen.tsx'], scriptBytes: 130_000, styleBytes: 12_000 },
  { name: 'game', screens: ['src/features/play/play-screen.tsx'], scriptBytes: 130_000, styleBytes: 12_000 },
  ...[
    'my-games',
    'messages',
    'personal-details',
    'security',
    'password-change',
    'email-preferences',
    'transaction-history',
    'crypto-account-details',
  ].map((page) => ({
    name: `settings/${page}`,
    screens: ['src/app/layout/settings-layout.tsx', `src/features/settings/${page}-screen.tsx`],
    scriptBytes: 190_000,
    styleBytes: 12_000,
  })),
]

const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', CLIENT), 'utf8'))

/** The files of these sources and of all they import, except what is only imported later. */
function filesOf(sources) {
  const seen = new Set()
  const add = (source) => {
    if (seen.has(source)) return
    if (manifest[source] === undefined) throw new Error(`The build knows no ${source}.`)
    seen.add(source)
    for (const imported of manifest[source].imports ?? []) add(imported)
  }
  for (const source of sources) add(source)
  const built = [...seen].map((source) => manifest[source])
  return { scripts: new Set(built.map((file) => file.file)), styles: new Set(built.flatMap((file) => file.css ?? [])) }
}

const zippedBytes = (files) =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, CLIENT)), { level: 9 }).length, 0)

const kB = (bytes) => (bytes / 1000).toFixed(1)

let failed = false
for (const { name, screens, scriptBytes, styleBytes } of PAGES) {
  const { scripts, styles } = filesOf([ENTRY, ...screens])
  const [script, style] = [zippedBytes(scripts), zippedBytes(styles)]
  const isOver = script > scriptBytes || style > styleBytes
  failed ||= isOver
  console.log(
    `${isOver ? 'OVER' : 'ok  '}  ${name.padEnd(34)} scripts ${kB(script)} of ${kB(scriptBytes)} kB   styles ${kB(style)} of ${kB(styleBytes)} kB`,
  )
}
if (failed) {
  console.error('A page is over its budget. Load what stands behind a press with React.lazy, or find what came in by an import.')
  process.exitCode = 1
}
