// Adds to licences.txt, which the client's build has written, the notices that the build leaves out: those of the fonts
// and the web worker's library. Ends with an error if a package of the pages has no notice.
// node packages/web/scripts/write-notices.mjs
import { appendFileSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const NOTICES = `${ROOT}packages/web/dist/client/licences.txt`
const UNCOUNTED = ['@fontsource-variable/anybody', '@fontsource-variable/figtree', '@noble/curves']
/** Dependencies of the pages' packages on the server only. */
const NOT_SENT = ['zod']

for (const name of UNCOUNTED) {
  const { version, license } = manifestOf(`node_modules/${name}`)
  const text = readFileSync(`${ROOT}node_modules/${name}/LICENSE`, 'utf8')
  appendFileSync(NOTICES, `\n## ${name} - ${version} (${license})\n\n${text.trim()}\n`)
}

const notices = readFileSync(NOTICES, 'utf8')
const needed = ['web', 'ui', 'domain', 'contract'].flatMap((name) =>
  Object.keys(manifestOf(`packages/${name}`).dependencies),
)
const missing = needed.filter(
  (name) => !name.startsWith('@fairball/') && !NOT_SENT.includes(name) && !notices.includes(`\n## ${name} - `),
)
if (missing.length > 0) throw new Error(`licences.txt has no notice of ${missing.join(', ')}.`)

/**
 * @param {string} folder of a package
 * @returns {{ version: string, license: string, dependencies: Record<string, string> }} its package.json
 */
function manifestOf(folder) {
  return /** @type {ReturnType<typeof manifestOf>} */ (
    JSON.parse(readFileSync(`${ROOT}${folder}/package.json`, 'utf8'))
  )
}
