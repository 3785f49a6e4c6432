// Makes the icons of the installed app from the sign (public/favicon.svg). Run it when the sign changes: node packages/web/scripts/make-icons.mjs
// It needs the Chromium of the tests; the pictures are in the repository, so the build does not.
import { mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'

const PUBLIC = fileURLToPath(new URL('../public/', import.meta.url))
const INK = '#1c1433'
const sign = readFileSync(`${PUBLIC}favicon.svg`, 'utf8')
/** Without its rounded corners: a maskable icon and Apple's are cut to shape by the device. */
const square = sign.replace('rx="9" ', '')
const ICONS = [
  { name: 'icon-192', size: 192, svg: sign, scale: 1, background: 'transparent' },
  { name: 'icon-512', size: 512, svg: sign, scale: 1, background: 'transparent' },
  // Four fifths of it are always visible: the ball is inside them, with ink all around.
  { name: 'maskable-512', size: 512, svg: square, scale: 0.9, background: INK },
  { name: 'apple-touch-icon', size: 180, svg: square, scale: 0.94, background: INK },
]

mkdirSync(`${PUBLIC}icons`, { recursive: true })
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
for (const { name, size, svg, scale, background } of ICONS) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  const picture = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  await page.setContent(
    `<body style="margin:0;display:grid;place-items:center;height:100vh;background:${background}"><img src="${picture}" width="${size * scale}" height="${size * scale}">`,
  )
  await page.screenshot({ path: `${PUBLIC}icons/${name}.png`, omitBackground: true })
  await page.close()
}
await browser.close()
