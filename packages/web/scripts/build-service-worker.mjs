// Builds the service worker from src/offline into one file beside the pages, after the client's build, whose fonts it keeps.
// node packages/web/scripts/build-service-worker.mjs
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const WEB = fileURLToPath(new URL('../', import.meta.url))
const CLIENT = `${WEB}dist/client/`

const manifest = /** @type {Record<string, { file: string }>} */ (
  JSON.parse(readFileSync(`${CLIENT}.vite/manifest.json`, 'utf8'))
)
const fonts = { display: fontOf('anybody'), text: fontOf('figtree') }
// A browser treats a worker with a changed text as a new one; the version is a hash of the text, so the same sources
// keep their caches.
const version = createHash('sha256')
  .update(await bundled({ version: '', fonts }))
  .update(readFileSync(`${CLIENT}favicon.svg`))
  .digest('hex')
  .slice(0, 12)
writeFileSync(`${CLIENT}service-worker.js`, await bundled({ version, fonts }))

/** @param {string} name of the face */
function fontOf(name) {
  const built = Object.entries(manifest).find(([source]) => source.includes(`/${name}-latin-wght-normal.woff2`))
  if (built === undefined) throw new Error(`The build has no font ${name}.`)
  return `/${built[1].file}`
}

/**
 * The whole worker in one text.
 *
 * @param {{ version: string, fonts: { display: string, text: string } }} files
 */
async function bundled(files) {
  const build = await rolldown({
    cwd: WEB,
    input: `${WEB}src/offline/service-worker.ts`,
    platform: 'browser',
    transform: { target: 'es2022', define: { FILES: JSON.stringify(files) } },
    logLevel: 'warn',
  })
  try {
    const { output } = await build.generate({ format: 'iife', minify: true, comments: false })
    if (output.length !== 1) throw new Error('the worker is more than one file')
    return output[0].code
  } finally {
    await build.close()
  }
}
