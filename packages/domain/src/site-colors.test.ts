import { describe, expect, it } from 'vitest'
import { contrast } from './oklch.ts'
import { GAMES } from './seeds.ts'
import { problemOfSiteColors, siteTones } from './site-colors.ts'

const OWN = { paper: '#FBF7EF', ink: '#1C1433' }

describe("the site's colours", () => {
  it.each([
    ['a pale ink', { ...OWN, ink: '#6F6785' }, 'ink #6F6785 on paper #FBF7EF has 4.9:1 and needs 7:1'],
    ['white on black', { paper: '#000000', ink: '#FFFFFF' }, 'ink #FFFFFF on panels #FFFFFF has 1:1 and needs 7:1'],
    ['ink on balls', { paper: '#FFFFFF', ink: '#595959' }, 'ink #595959 on balls #FFFDF8 has 6.8:1 and needs 7:1'],
    ['a grey paper', { ...OWN, paper: '#DDD8CC' }, 'success #0A6E45 on paper #DDD8CC has 4.4:1 and needs 4.5:1'],
    [
      'a dark paper',
      { ...OWN, paper: '#AAA8A0' },
      'the deep tone #9A4500 of Bitcoin Lotto on paper #AAA8A0 has 2.7:1 and needs 4.5:1',
    ],
    [
      'ink on an accent',
      { ...OWN, ink: '#3A3550' },
      'ink #3A3550 on the accent #FF6F96 of Bitcoin Hero has 4.4:1 and needs 4.5:1',
    ],
  ])('%s is refused with the pair and its ratio', (_what, colors, problem) => {
    expect(problemOfSiteColors(colors, GAMES)).toBe(problem)
  })

  it('the accents of the present games alone decide', () => {
    const colors = { ...OWN, ink: '#3A3550' }
    expect(problemOfSiteColors(colors, [])).toBeNull()
    expect(problemOfSiteColors(colors, [{ name: 'Sun', accent: '#FFD43B' }])).toBeNull()
    expect(problemOfSiteColors(colors, [{ name: 'Rose', accent: '#FF6F96' }])).toContain('of Rose')
  })

  it.each([OWN, { paper: '#FFFFFF', ink: '#000000' }, { paper: '#EAF4EC', ink: '#06281C' }])(
    'tones that follow from %j can be read',
    (colors) => {
      expect(problemOfSiteColors(colors, GAMES)).toBeNull()
      const { ink2, ink3, lineStrong, sunken, paper } = siteTones(colors)
      expect(contrast(ink2, paper)).toBeGreaterThanOrEqual(7)
      expect(contrast(ink3, sunken)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(lineStrong, sunken)).toBeGreaterThanOrEqual(3)
      expect(contrast(sunken, paper)).toBeLessThan(1.15)
    },
  )
})
