/** Builds the verifier for independent users; started by `build.mjs`. The build is reproducible byte by byte. */
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { rolldown } from 'rolldown'

const HERE = import.meta.dirname
const folder = resolve(process.argv[2] ?? join(HERE, 'dist'))

mkdirSync(folder, { recursive: true })
const cli = await bundled('main.ts', { platform: 'node', format: 'esm', target: 'node20' })
const page = pageOf(await bundled('page-main.ts', { platform: 'browser', format: 'iife', target: 'es2022' }))
write('fairball-verify.mjs', `#!/usr/bin/env node\n${cli}`)
chmodSync(join(folder, 'fairball-verify.mjs'), 0o755)
write('fairball-verify.html', page)

/** A whole program in one text. */
async function bundled(entry: string, made: { platform: 'node' | 'browser'; format: 'esm' | 'iife'; target: string }) {
  const { platform, format, target } = made
  const build = await rolldown({
    cwd: HERE,
    input: join(HERE, 'src', entry),
    platform,
    transform: { target },
    logLevel: 'warn',
    onLog(level, log, handle) {
      if (level === 'warn') throw new Error(log.message)
      handle(level, log)
    },
  })
  try {
    const { output } = await build.generate({
      format,
      minify: true,
      comments: { legal: true, jsdoc: false, annotation: false },
    })
    if (output.length !== 1) throw new Error(`${entry} was bundled into more than one file`)
    return output[0].code
  } finally {
    await build.close()
  }
}

/** The page with its style and script inline, and a policy that allows nothing else to run and no connections. */
function pageOf(code: string): string {
  // The content of a script element must not contain its closing tag or the start of a comment.
  const script = code.replaceAll(/<\/(?=script)/gi, String.raw`<\/`).replaceAll('<!--', String.raw`<\!--`)
  const style = readFileSync(join(HERE, 'page', 'page.css'), 'utf8')
  const policy = [
    "default-src 'none'",
    `script-src '${sourceHash(script)}'`,
    `style-src '${sourceHash(style)}'`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const filled: [string, string][] = [
    ['{{policy}}', policy],
    ['<style></style>', `<style>${style}</style>`],
    ['<script></script>', `<script>${script}</script>`],
  ]
  let page = readFileSync(join(HERE, 'page', 'page.html'), 'utf8')
  for (const [place, text] of filled) {
    if (page.split(place).length !== 2) throw new Error(`page.html must contain ${place} exactly once`)
    page = page.replace(place, () => text)
  }
  return page
}

function sourceHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

/** Writes a file, and its hash beside it in the format of `sha256sum --check`. */
function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, `${name}.sha256`), `${createHash('sha256').update(text).digest('hex')}  ${name}\n`)
}
