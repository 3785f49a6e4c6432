// Checks the console's first pages against their budget (console.md, section 13): the bytes that a browser has to load
// before a page works, after gzip, without the fonts. Run after the build: node packages/console/scripts/check-size.mjs
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const CLIENT = new URL('../dist/client/', import.meta.url)
const LIMIT_BYTES = 120_000
const SHELL = 'src/app/shell/shell.tsx'
const PAGES = [
  { name: 'console: sign-in', sources: ['index.html'] },
  { name: 'console: enrolment', sources: ['index.html', 'src/features/enrol/enrol-screen.tsx'] },
  { name: 'console: overview', sources: ['index.html', SHELL, 'src/features/overview/overview-screen.tsx'] },
  { name: 'console: inbox', sources: ['index.html', SHELL, 'src/features/inbox/inbox-screen.tsx'] },
]

/** @typedef {{ file: string, css?: string[], imports?: string[] }} BuiltFile Vite's description of a file */

const manifest = /** @type {Record<string, BuiltFile>} */ (
  JSON.parse(readFileSync(new URL('.vite/manifest.json', CLIENT), 'utf8'))
)

/**
 * The bytes of these sources and of all they import.
 *
 * @param {string[]} sources relative to the package
 */
function zippedBytes(sources) {
  const files = new Set(['index.html'])
  const seen = new Set()
  /** @param {string} source */
  const add = (source) => {
    if (seen.has(source)) return
    seen.add(source)
    const built = manifest[source]
    if (built === undefined) throw new Error(`The build has no ${source}.`)
    for (const file of [built.file, ...(built.css ?? [])]) files.add(file)
    for (const imported of built.imports ?? []) add(imported)
  }
  for (const source of sources) add(source)
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, CLIENT)), { level: 9 }).length, 0)
}

for (const { name, sources } of PAGES) {
  const bytes = zippedBytes(sources)
  const isOver = bytes > LIMIT_BYTES
  if (isOver) process.exitCode = 1
  process.stdout.write(
    `${isOver ? 'OVER' : 'ok  '}  ${name.padEnd(34)} ${(bytes / 1000).toFixed(1)} of ${LIMIT_BYTES / 1000} kB\n`,
  )
}
if (process.exitCode === 1) process.stderr.write('A first page is over its budget: load what needs a press later.\n')
