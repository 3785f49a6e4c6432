/** A colour in OKLCH: lightness 0 to 1, chroma from 0, and hue as an angle in radians. */
export interface Oklch {
  readonly lightness: number
  readonly chroma: number
  readonly hue: number
}

/** Red, green and blue, 0 to 1 each. */
type Rgb = readonly [red: number, green: number, blue: number]

/** Halvings when chroma is lowered until a screen can show the colour. */
const HALVINGS = 12
/** How far outside 0 to 1 a channel may be from rounding alone. */
const ROUNDING = 1e-6

/** @param hex `#RRGGBB` */
export function oklchOf(hex: string): Oklch {
  const [red, green, blue] = linearOf(hex)
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  return {
    lightness: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  }
}

/** @returns the colour as `#RRGGBB`: with less chroma if no screen can show it */
export function hexOf(color: Oklch): string {
  if (isShown(color)) return hexFrom(linearAt(color))
  let [shown, hidden] = [0, color.chroma]
  for (let round = 0; round < HALVINGS; round++) {
    const chroma = (shown + hidden) / 2
    if (isShown({ ...color, chroma })) shown = chroma
    else hidden = chroma
  }
  return hexFrom(linearAt({ ...color, chroma: shown }))
}

function isShown(color: Oklch): boolean {
  return linearAt(color).every((channel) => channel >= -ROUNDING && channel <= 1 + ROUNDING)
}

/** @returns the mixture of two colours in sRGB, as CSS `color-mix` has it. @param share of the first, 0 to 1 */
export function mixed(first: string, share: number, second: string): string {
  const other = channelsOf(second)
  return hexOfChannels(channelsOf(first).map((channel, place) => channel * share + (other[place] ?? 0) * (1 - share)))
}

/** @returns the contrast of two colours, from 1 to 21 (WCAG 2.2) */
export function contrast(first: string, second: string): number {
  const [one, other] = [luminance(first), luminance(second)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

function luminance(hex: string): number {
  const [red, green, blue] = linearOf(hex)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linearAt({ lightness, chroma, hue }: Oklch): Rgb {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

function linearOf(hex: string): Rgb {
  const [red, green, blue] = channelsOf(hex)
  return [linear(red), linear(green), linear(blue)]
}

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function hexFrom(rgb: Rgb): string {
  return hexOfChannels(
    rgb.map((value) => 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)),
  )
}

/** The three channels of `#RRGGBB`, 0 to 255 each. */
function channelsOf(hex: string): Rgb {
  const number = Number.parseInt(hex.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

function hexOfChannels(channels: readonly number[]): string {
  const text = channels.map((channel) =>
    Math.round(Math.min(255, Math.max(0, channel)))
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${text.join('').toUpperCase()}`
}
