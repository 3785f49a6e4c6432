import { expect, it } from 'vitest'
import { EXAMPLE_CONTENT } from '../modules/content/operator-content.ts'
import { siteOf } from '../modules/settings/service.ts'
import { configOf, lookOf, manifestOf } from './site-look.ts'

const BUILT = { id: '/', name: 'Fairball', short_name: 'Fairball', background_color: '#fbf7ef', theme_color: '#fbf7ef' }

it('the manifest of a site that sets nothing is the build’s', () => {
  expect(manifestOf(BUILT, { name: 'Fairball', colors: null, icon: null })).toEqual(BUILT)
})

it('the manifest has the name and the paper of the site', () => {
  expect(manifestOf(BUILT, { name: 'Lucky', colors: { paper: '#EAF4EC', ink: '#06281C' }, icon: null })).toEqual({
    id: '/',
    name: 'Lucky',
    short_name: 'Lucky',
    background_color: '#EAF4EC',
    theme_color: '#EAF4EC',
  })
})

it('the manifest has the icon of the site for the light theme in place of the build’s', () => {
  const icon = { light: '/content/a.webp', dark: '/content/b.png' }
  const built = { ...BUILT, icons: [{ src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' }] }
  const { icons } = manifestOf(built, { name: 'Fairball', colors: null, icon })
  expect(icons).toEqual([{ src: '/content/a.webp', sizes: 'any', type: 'image/webp' }])
})

it('the logo is for the script of a page too, the icon only for its head, and the pictures of causes for neither', () => {
  const own = siteOf({}, { supportEmail: null, content: EXAMPLE_CONTENT, contentFile: null })
  const pictures = { light: '/content/a.png', dark: '/content/b.png' }
  const site = { ...own, logo: pictures, icon: pictures }
  expect(configOf(site).logo).toEqual(pictures)
  expect(lookOf(site)).toEqual({ colors: null, icon: pictures })
  const config = configOf(own)
  expect(Object.keys(config)).toEqual(['siteName', 'supportEmail', 'content'])
  expect(Object.keys(config.content)).toEqual(['operator', 'social', 'feedbackFormUrl'])
})
