import { expect, it } from 'vitest'
import { manifestOf } from './site-look.ts'

const BUILT = { id: '/', name: 'Fairball', short_name: 'Fairball', background_color: '#fbf7ef', theme_color: '#fbf7ef' }

it('the manifest of a site that sets nothing is the build’s', () => {
  expect(manifestOf(BUILT, { name: 'Fairball', colors: null })).toEqual(BUILT)
})

it('the manifest has the name and the paper of the site', () => {
  expect(manifestOf(BUILT, { name: 'Lucky', colors: { paper: '#EAF4EC', ink: '#06281C' } })).toEqual({
    id: '/',
    name: 'Lucky',
    short_name: 'Lucky',
    background_color: '#EAF4EC',
    theme_color: '#EAF4EC',
  })
})
