// Builds the witness for independent users: one file for Node and its SHA-256. The build is reproducible byte by byte.
// `node packages/witness/build.mjs [folder]`, by default `dist` beside this file.
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const HERE = import.meta.dirname
const NAME = 'fairball-witness.mjs'
const folder = resolve(process.argv[2] ?? join(HERE, 'dist'))

const text = `#!/usr/bin/env node\n${await bundled()}`
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, NAME), text)
chmodSync(join(folder, NAME), 0o755)
// The format of `sha256sum --check`.
writeFileSync(join(folder, `${NAME}.sha256`), `${createHash('sha256').update(text).digest('hex')}  ${NAME}\n`)

/** The whole program in one text. */
async function bundled() {
  const build = await rolldown({
    cwd: HERE,
    input: join(HERE, 'src', 'main.ts'),
    platform: 'node',
    transform: { target: 'node20' },
    logLevel: 'warn',
    onLog(level, log, handle) {
      if (level === 'warn') throw new Error(log.message)
      handle(level, log)
    },
  })
  try {
    const { output } = await build.generate({ format: 'esm', minify: true, comments: false })
    if (output.length !== 1) throw new Error('the program was bundled into more than one file')
    return output[0].code
  } finally {
    await build.close()
  }
}
