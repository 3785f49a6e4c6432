import type { SiteLook, SitePictures } from '@fairball/contract/pages'
import { siteTones } from '@fairball/domain/site-colors'

/** The dark theme's values of the tokens that a site's colours replace in the light theme (ui/tokens.css). */
const DARK = {
  ink: '#f4f0fa',
  'ink-2': '#b9b1cc',
  'ink-3': '#9b92b3',
  paper: '#120d20',
  sunken: '#261f3b',
  line: '#382f52',
  'line-strong': '#8279a0',
  'ink-fixed': '#1c1433',
} as const
const PAPER = '#fbf7ef'

/**
 * Writes the colours of the browser's own bar and the icons into a page's head. Only the server writes them: the script
 * of every page is smaller without them, and they stay for as long as the document does.
 *
 * @returns the elements
 */
export function siteHead({ colors, icon }: SiteLook): string {
  return [
    `<meta name="theme-color" data-scheme="light" media="(prefers-color-scheme: light)" content="${colors?.paper ?? PAPER}"/>`,
    `<meta name="theme-color" data-scheme="dark" media="(prefers-color-scheme: dark)" content="${DARK.paper}"/>`,
    icon === null ? '<link rel="icon" href="/favicon.svg" type="image/svg+xml"/>' : iconLinks(icon),
    `<link rel="apple-touch-icon" href="${icon?.light ?? '/icons/apple-touch-icon.png'}"/>`,
    '<link rel="manifest" href="/manifest.webmanifest"/>',
  ].join('')
}

/** The addresses are of the server's making: nothing in them ends an attribute. */
function iconLinks(icon: SitePictures): string {
  return (['light', 'dark'] as const)
    .map((theme) => `<link rel="icon" href="${icon[theme]}" media="(prefers-color-scheme: ${theme})"/>`)
    .join('')
}

/**
 * The style rules of a site's colours: those of the light theme on screens. The dark theme and printed pages keep the
 * product's.
 *
 * @returns the rules; none for the product's own colours
 */
export function siteRules(colors: SiteLook['colors']): string {
  if (colors === null) return ''
  const { ink, ink2, ink3, paper, sunken, line, lineStrong } = siteTones(colors)
  const light: Record<keyof typeof DARK, string> = {
    ink,
    'ink-2': ink2,
    'ink-3': ink3,
    paper,
    sunken,
    line,
    'line-strong': lineStrong,
    'ink-fixed': ink,
  }
  const values = Object.entries(DARK).map(([name, dark]) => {
    const tone = light[name as keyof typeof DARK] // a key of the object above
    return `--${name}:light-dark(${tone},${dark})`
  })
  return `@layer tokens{@media screen{:root,[data-theme]{${values.join(';')}}}}`
}
