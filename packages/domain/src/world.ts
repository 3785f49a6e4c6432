import { contrast, hexOf, mixed, oklchOf } from './oklch.ts'
import type { Oklch } from './oklch.ts'

/** The colours of a game, `#RRGGBB` each. Deep and soft differ between the light and the dark theme. */
interface GameWorld {
  /** the game's field and its balls */
  readonly accent: string
  /** the pattern on the accent */
  readonly shade: string
  readonly light: string
  /** text and lines in the game's colour */
  readonly deep: Themed
  /** the background of panels of the game */
  readonly soft: Themed
}

/** A colour in both themes. */
interface Themed {
  readonly light: string
  readonly dark: string
}

/** Ink on every accent, in both themes. */
const INK = '#1C1433'
const PAPER = '#FBF7EF'
/** The surface of panels in the dark theme. */
const DARK = '#1C162D'
/** Lowest contrast of text with its background (WCAG 2.2, AA). */
export const LOWEST_CONTRAST = 4.5
/** Contrast that the deep tone has with the soft one, above the lowest as the tuned ones are. */
const DEEP_CONTRAST = 5.5
/** Share of the accent in the soft tone of the dark theme. */
const SOFT_SHARE = 0.1

/** Accents that are used with tones tuned by eye: shade, light, and the deep and soft ones of the light theme. */
const TUNED: Readonly<Record<string, readonly [shade: string, light: string, deep: string, soft: string]>> = {
  '#FF9A1F': ['#E57F00', '#FFBF6B', '#9A4500', '#FFEBD1'],
  '#FF6F96': ['#E84A77', '#FFA9C0', '#AD0F4C', '#FFE1E9'],
  '#22C58F': ['#0F9F70', '#74DEB8', '#04664A', '#D3F4E6'],
  '#A08BFF': ['#7C63F2', '#C7BAFF', '#5033C6', '#EAE5FF'],
  '#55ABFF': ['#1F83E8', '#9BCFFF', '#0A55AC', '#DDEEFF'],
  '#FFD43B': ['#EFA300', '#FFE68C', '#705500', '#FFF4CB'],
}

/**
 * The colours of a game, from one accent: tones of the same hue, lighter and darker. A tuned accent keeps its tones.
 *
 * @param accent `#RRGGBB`
 */
export function worldOf(accent: string): GameWorld {
  const base = accent.toUpperCase()
  const softDark = mixed(base, SOFT_SHARE, DARK)
  const deepDark = lighter(base, (tone) => contrast(tone, softDark) >= LOWEST_CONTRAST)
  const [shade, light, deep, soft] = TUNED[base] ?? derivedTones(oklchOf(base))
  return { accent: base, shade, light, deep: { light: deep, dark: deepDark }, soft: { light: soft, dark: softDark } }
}

function derivedTones({ lightness, chroma, hue }: Oklch): readonly [string, string, string, string] {
  const soft = hexOf({ lightness: 0.945, chroma: chroma * 0.23, hue })
  return [
    hexOf({ lightness: lightness - 0.1, chroma: chroma * 1.05, hue }),
    hexOf({ lightness: lightness + (1 - lightness) * 0.36, chroma: chroma * 0.65, hue }),
    firstFit({ chroma: chroma * 0.95, hue }, 700, 0, (tone) => contrast(tone, soft) >= DEEP_CONTRAST),
    soft,
  ]
}

/** @returns a colour, or the nearest lighter one of its hue that is fit; its lightness is then in whole thousandths */
function lighter(color: string, isFit: (tone: string) => boolean): string {
  const { lightness, chroma, hue } = oklchOf(color)
  return isFit(color) ? color : firstFit({ chroma, hue }, Math.floor(lightness * 1000), 1000, isFit)
}

/**
 * The fit tone nearest to one that is not, between two lightnesses in thousandths.
 *
 * @param fitAt taken to be fit
 */
export function firstFit(
  { chroma, hue }: Omit<Oklch, 'lightness'>,
  unfitAt: number,
  fitAt: number,
  isFit: (tone: string) => boolean,
): string {
  const toneAt = (thousandths: number) => hexOf({ lightness: thousandths / 1000, chroma, hue })
  let [unfit, fit] = [unfitAt, fitAt]
  while (Math.abs(fit - unfit) > 1) {
    const middle = Math.trunc((unfit + fit) / 2)
    if (isFit(toneAt(middle))) fit = middle
    else unfit = middle
  }
  return toneAt(fit)
}

/**
 * What makes a colour unfit as a game's accent: not `#RRGGBB`, or a pair of colours that cannot be read. The message
 * names the nearest colour of the same hue that passes.
 *
 * @returns one sentence; null for an accent that passes
 */
export function problemOfAccent(accent: string): string | null {
  if (!/^#[\da-f]{6}$/iu.test(accent)) return `${accent}: a colour is written as #RRGGBB.`
  const pair = pairsOf(accent).find((one) => one.contrast < LOWEST_CONTRAST)
  if (pair === undefined) return null
  const ratio = `${Math.floor(pair.contrast * 10) / 10}:1`
  return `${accent}: ${pair.name} has ${ratio} and needs ${LOWEST_CONTRAST}:1; ${lighter(accent, isFit)} passes.`
}

/** Whether ink can be read on an accent, and the accent on dark: only too dark a colour fails. */
function isFit(accent: string): boolean {
  return pairsOf(accent).every((pair) => pair.contrast >= LOWEST_CONTRAST)
}

/** The pairs of an accent's colours that have to be readable. */
function pairsOf(accent: string): { name: string; contrast: number }[] {
  const { deep, soft } = worldOf(accent)
  return [
    { name: 'ink on it', contrast: contrast(INK, accent) },
    { name: 'it on the dark theme', contrast: contrast(accent, DARK) },
    { name: 'its deep tone on paper', contrast: contrast(deep.light, PAPER) },
    { name: 'its deep tone on its soft one', contrast: contrast(deep.light, soft.light) },
  ]
}
