import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GAMES } from './seeds.ts'
import { contrast, hexOf, mixed, oklchOf } from './oklch.ts'
import { problemOfAccent, worldOf } from './world.ts'

const anyColor = fc
  .integer({ min: 0, max: 0xff_ff_ff })
  .map((number) => `#${number.toString(16).padStart(6, '0').toUpperCase()}`)

describe('a colour in OKLCH', () => {
  // The values of CSS Color Module Level 4 (W3C) for the named colours red, lime, blue and green.
  it.each([
    ['#FF0000', 0.62796, 0.25768, 29.234],
    ['#00FF00', 0.86644, 0.29483, 142.495],
    ['#0000FF', 0.45201, 0.31321, 264.052],
    ['#008000', 0.51975, 0.17686, 142.495],
  ])('%s has the lightness, chroma and hue of the standard', (hex, lightness, chroma, degrees) => {
    const found = oklchOf(hex)
    expect(found.lightness).toBeCloseTo(lightness, 4)
    expect(found.chroma).toBeCloseTo(chroma, 4)
    expect(((found.hue * 180) / Math.PI + 360) % 360).toBeCloseTo(degrees, 1)
  })

  it('every colour of a screen comes back from OKLCH', () => {
    fc.assert(fc.property(anyColor, (color) => hexOf(oklchOf(color)) === color))
  })

  it('contrast and mixture are those of WCAG and of color-mix', () => {
    expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21)
    // The grey that WebAIM names as the lightest with 4.5:1 on white.
    expect(contrast('#767676', '#FFFFFF')).toBeCloseTo(4.54, 2)
    expect(mixed('#FF0000', 0.5, '#0000FF')).toBe('#800080')
  })
})

describe('the colours of a game', () => {
  it('the six accents keep the tones that were tuned for them', () => {
    expect(worldOf('#FF9A1F')).toEqual({
      accent: '#FF9A1F',
      shade: '#E57F00',
      light: '#FFBF6B',
      deep: { light: '#9A4500', dark: '#FF9A1F' },
      soft: { light: '#FFEBD1', dark: mixed('#FF9A1F', 0.1, '#1C162D') },
    })
    for (const { accent: color } of GAMES) {
      expect(worldOf(color).deep.dark, color).toBe(color)
      expect(problemOfAccent(color)).toBeNull()
    }
  })

  it('an accent that cannot be read is refused with the nearest colour that can', () => {
    expect(problemOfAccent('#1A237E')).toBe('#1A237E: ink on it has 1.3:1 and needs 4.5:1; #627CDE passes.')
    expect(problemOfAccent('#FF9A1')).toBe('#FF9A1: a colour is written as #RRGGBB.')
  })

  it('each of 200 accents passes or is refused, and the colour named instead passes', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const named = /; (#[\dA-F]{6}) passes\.$/u.exec(problemOfAccent(color) ?? '')?.[1] ?? color
        expect(problemOfAccent(named)).toBeNull()
        const { accent, deep, soft } = worldOf(named)
        for (const [text, ground] of [
          ['#1C1433', accent],
          [accent, '#1C162D'],
          [deep.light, '#FBF7EF'],
          [deep.light, soft.light],
          [deep.dark, '#1C162D'],
          [deep.dark, soft.dark],
        ] as const)
          expect(contrast(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
      }),
      { numRuns: 200 },
    )
  })
})
