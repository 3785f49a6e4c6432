// Draws the letters of the pictures that go with links (packages/server/src/http/share): the server puts these together, without a font and
// without a browser. Run it again when a face changes: node packages/web/scripts/make-letters.mjs
// It needs the Chromium of the tests; neither the build nor the server needs either.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { deflateSync } from 'node:zlib'
import { chromium } from '@playwright/test'

const OUT = new URL('../../server/src/http/share/letters.json', import.meta.url)
const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,:;!?&-–'’()/+%£$€"
/** Drawn a little larger than any picture needs them, so that they are only ever made smaller. */
const FACES = [
  {
    name: 'display',
    file: '@fontsource-variable/anybody/files/anybody-latin-wght-normal.woff2',
    weight: 800,
    size: 112,
  },
  { name: 'text', file: '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2', weight: 600, size: 44 },
]

const require = createRequire(import.meta.url)
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--font-render-hinting=none'],
})
const page = await browser.newPage()
/** @type {Record<string, unknown>} */
const letters = {}
for (const { name, file, weight, size } of FACES) {
  const font = readFileSync(require.resolve(file)).toString('base64')
  const { glyphs, width, height, baseline, pixels } = await page.evaluate(draw, {
    font,
    weight,
    size,
    characters: CHARACTERS,
  })
  letters[name] = {
    size,
    baseline,
    width,
    height,
    glyphs,
    pixels: deflateSync(Buffer.from(pixels), { level: 9 }).toString('base64'),
  }
}
await browser.close()
writeFileSync(OUT, `${JSON.stringify(letters)}\n`)

/**
 * Runs in the browser: all characters side by side, as coverage from 0 to 255.
 *
 * @param {{ font: string, weight: number, size: number, characters: string }} face
 */
async function draw({ font, weight, size, characters }) {
  const face = new FontFace('Face', `url(data:font/woff2;base64,${font})`, { weight: '100 900' })
  document.fonts.add(await face.load())
  const canvas = document.createElement('canvas')
  const baseline = Math.ceil(size * 0.95)
  const height = Math.ceil(size * 1.25)
  const pad = 8 // more than any letter reaches to the left
  const style = `${weight} ${size}px Face`
  const measure = canvas.getContext('2d')
  if (measure === null) throw new Error('no canvas')
  measure.font = style
  /** @type {Record<string, [number, number, number]>} where it begins, how wide it is, and how far the next one is */
  const glyphs = {}
  let width = 0
  for (const character of characters) {
    const { width: advance, actualBoundingBoxRight, actualBoundingBoxLeft } = measure.measureText(character)
    const box = Math.ceil(Math.max(advance, actualBoundingBoxRight) + Math.max(0, actualBoundingBoxLeft)) + 2 * pad
    glyphs[character] = [width, box, Math.round(advance * 100) / 100]
    width += box
  }
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas')
  context.font = style
  for (const [character, [x]] of Object.entries(glyphs)) context.fillText(character, x + pad, baseline)
  const { data } = context.getImageData(0, 0, width, height)
  return {
    glyphs,
    width,
    height,
    baseline,
    pixels: Array.from({ length: width * height }, (_, i) => data[i * 4 + 3] ?? 0),
  }
}
