import { contrast, hexOf, oklchOf } from './oklch.ts'
import { firstFit, LOWEST_CONTRAST, worldOf } from './world.ts'

/** The colours that an operator gives the light theme, `#RRGGBB` each. */
export interface SiteColors {
  /** the background of pages */
  readonly paper: string
  /** text, and buttons */
  readonly ink: string
}

/** What follows from paper and ink, `#RRGGBB` each: the tokens of the design language with these names. */
interface SiteTones extends SiteColors {
  readonly ink2: string
  readonly ink3: string
  readonly sunken: string
  readonly line: string
  readonly lineStrong: string
}

/** A game whose colours are used together with the site's. */
interface ColoredGame {
  readonly name: string
  /** `#RRGGBB` */
  readonly accent: string
}

/** Lowest contrast of ink with paper, panels and ball faces, and of secondary text with paper (WCAG 2.2, AAA). */
const INK_CONTRAST = 7
/** Lowest contrast of the borders of controls (WCAG 2.2, AA). */
const BORDER_CONTRAST = 3
/** Panels and inputs, and the faces of balls. */
const SURFACE = '#FFFFFF'
const DISC = '#FFFDF8'
/** The colours of states in the light theme, which no setting changes. */
const STATES = { danger: '#B3261E', success: '#0A6E45', warning: '#855400', info: '#0B57B0' } as const

/** The tones of the light theme: paler inks that can be read on the paper, and papers that are darker. */
export function siteTones({ paper, ink }: SiteColors): SiteTones {
  const [base, text] = [oklchOf(paper), oklchOf(ink)]
  const darker = (by: number, chroma: number) =>
    hexOf({ lightness: base.lightness - by, chroma: base.chroma * chroma, hue: base.hue })
  const paler = (chroma: number, ground: string, least: number) =>
    firstFit({ chroma: text.chroma * chroma, hue: text.hue }, 1000, 0, (tone) => contrast(tone, ground) >= least)
  const sunken = darker(0.026, 1.5)
  return {
    paper,
    ink,
    ink2: paler(0.87, paper, INK_CONTRAST),
    ink3: paler(0.8, sunken, LOWEST_CONTRAST),
    sunken,
    line: darker(0.077, 1.9),
    lineStrong: paler(0.5, sunken, BORDER_CONTRAST),
  }
}

/**
 * What makes two colours unfit as a site's paper and ink: a pair of the design language that cannot be read as well
 * as its class requires.
 *
 * @param games all whose accents are shown
 * @returns one sentence; null if every pair passes
 */
export function problemOfSiteColors({ paper, ink }: SiteColors, games: readonly ColoredGame[]): string | null {
  const pairs = [
    { name: `ink ${ink} on paper ${paper}`, colors: [ink, paper], least: INK_CONTRAST },
    { name: `ink ${ink} on panels ${SURFACE}`, colors: [ink, SURFACE], least: INK_CONTRAST },
    { name: `ink ${ink} on balls ${DISC}`, colors: [ink, DISC], least: INK_CONTRAST },
    ...games.flatMap(({ name, accent }) => {
      const deep = worldOf(accent).deep.light
      return [
        { name: `ink ${ink} on the accent ${accent} of ${name}`, colors: [ink, accent], least: LOWEST_CONTRAST },
        { name: `the deep tone ${deep} of ${name} on paper ${paper}`, colors: [deep, paper], least: LOWEST_CONTRAST },
      ]
    }),
    ...Object.entries(STATES).map(([name, color]) => ({
      name: `${name} ${color} on paper ${paper}`,
      colors: [color, paper],
      least: LOWEST_CONTRAST,
    })),
  ].map(({ name, colors: [first = '', second = ''], least }) => ({ name, least, ratio: contrast(first, second) }))
  const pair = pairs.find(({ ratio, least }) => ratio < least)
  return pair === undefined ? null : `${pair.name} has ${Math.floor(pair.ratio * 10) / 10}:1 and needs ${pair.least}:1`
}
