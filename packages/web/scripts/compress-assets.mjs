// Puts a brotli and a gzip copy beside each file of the client's build that becomes smaller by it; the server sends these.
// Run after everything else has been written: node packages/web/scripts/compress-assets.mjs [another build's folder]
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { brotliCompress, constants, gzip } from 'node:zlib'

const CLIENT = process.argv[2] ?? fileURLToPath(new URL('../dist/client/', import.meta.url))
/** Fonts and pictures are already compressed. */
const TEXT = /\.(?:js|mjs|css|svg|html|json|txt|py|webmanifest|sha256)$/
/** Smaller files fit into one packet with their headers. */
const WORTH_BYTES = 1000

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]
const files = readdirSync(CLIENT, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`)

for (const file of files) if (/\.(?:br|gz)$/.test(file)) rmSync(file)

await Promise.all(
  files
    .filter((file) => TEXT.test(file) && !file.includes('/.vite/'))
    .map(async (file) => {
      const content = readFileSync(file)
      if (content.length < WORTH_BYTES) return
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
      const [small, zipped] = await Promise.all([brotli(content, { params }), zip(content, { level: 9 })])
      if (small.length < content.length) writeFileSync(`${file}.br`, small)
      if (zipped.length < content.length) writeFileSync(`${file}.gz`, zipped)
    }),
)
