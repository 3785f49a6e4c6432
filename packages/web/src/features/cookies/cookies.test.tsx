import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { OWN_TEXT } from '../../testing/legal-text.ts'
import { renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { press } from '@fairball/ui/testing/render.tsx'
import { keepOffline } from '../../shared/offline/registration.ts'
import { EMAIL_VERIFIED_KEY } from '../../shared/session/session.ts'
import { ACCESS_KEY, REFRESH_KEY } from '../../shared/session/token-store.ts'
import { CookiesScreen } from './cookies-screen.tsx'
import { KEPT_PLACES } from './kept-items.ts'

const SOURCES = join(import.meta.dirname, '../..')

let page: RenderedPage | null = null
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  page?.unmount()
  page = null
  vi.useRealTimers()
})

const keysOf = (id: string) => KEPT_PLACES.find((place) => place.id === id)?.items.map(({ key }) => key) ?? []
const source = (file: string) => readFileSync(join(SOURCES, file), 'utf8')

/** Source files that run in the browser, without tests. */
const files = () =>
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/u.test(file) && !/\.test\.tsx?$|^testing\//u.test(file))
    .toSorted()

it('every file that stores something in a browser is known, so that the page lists what it stores', () => {
  const keeping = /\blocalStorage\b|\bsessionStorage\b|\bcaches\b|\bindexedDB\b|document\.cookie|\bserviceWorker\b/u
  expect(files().filter((file) => keeping.test(source(file)) && !file.startsWith('features/cookies/'))).toEqual([
    'app/document/coming-texts.ts',
    'app/document/theme.ts',
    'app/layout/coming-texts.tsx',
    'entry-server.tsx',
    'features/checkout/way-back.ts',
    'features/play/use-order.ts',
    'features/play/use-play.ts',
    'features/play/use-visitor-order.ts',
    'features/responsible-play/use-reminder.ts',
    'features/watch/use-draw-sound.ts',
    'offline/offline-worker.ts',
    'offline/site-cache.ts',
    'proof/kept-store.ts',
    'shared/offline/registration.ts',
    'shared/order/use-same-numbers.ts',
    'shared/seen-draws.ts',
    'shared/session/browser-session.ts',
    'shared/stage/celebrated.ts',
  ])
})

it('no script reads or sets a cookie, as the page says', () => {
  expect(files().filter((file) => source(file).includes('document.cookie'))).toEqual([])
})

it('the page names the keys that the code uses', () => {
  const server = readFileSync(join(SOURCES, '../../server/src/http/device-cookie.ts'), 'utf8')
  expect(keysOf('cookies').map((key) => server.includes(`'${key}'`))).toEqual([true])
  expect(keysOf('session-storage')).toEqual([ACCESS_KEY, 'order:…', 'tsr-scroll-restoration-v1_3'])
  expect(keysOf('local-storage').slice(0, 2)).toEqual([REFRESH_KEY, EMAIL_VERIFIED_KEY])
  const places = [
    ['fairball.visitor-order', 'shared/session/kept-for-player.ts'],
    ['fairball.draws', 'proof/kept-store.ts'],
    ['fairball.play-time', 'features/responsible-play/use-reminder.ts'],
    ['fairball.seen-draws', 'shared/session/kept-for-player.ts'],
    ['fairball.draw-sound', 'features/watch/use-draw-sound.ts'],
    ['fairball.celebrated', 'shared/stage/celebrated.ts'],
    ['fairball.theme', 'app/document/theme.ts'],
    ['fairball.coming-texts', 'app/document/coming-texts.ts'],
    ['fairball.offline', 'shared/offline/registration.ts'],
    ['fairball-', 'offline/site-cache.ts'],
    ['order', 'shared/session/kept-for-player.ts'],
  ] as const
  for (const [key, file] of places) expect(source(file), file).toContain(`= '${key}'`)
  expect(keysOf('indexeddb')).toEqual(['fairball.draws'])
  expect([...keysOf('local-storage').slice(2), ...keysOf('cache-storage')]).toEqual([
    'fairball.visitor-order',
    'fairball.play-time',
    'fairball.seen-draws',
    'fairball.draw-sound',
    'fairball.celebrated',
    'fairball.theme',
    'fairball.coming-texts',
    'fairball.offline',
    'fairball-…',
  ])
  const router = join(import.meta.dirname, '../../../../../node_modules/@tanstack/router-core/dist/esm')
  expect(readFileSync(join(router, 'scroll-restoration.js'), 'utf8')).toContain('tsr-scroll-restoration-v1_3')
})

it('the page lists every item, and a third party’s form only if one is configured', async () => {
  page = await renderPage(<CookiesScreen version={undefined} />, {
    answers: { getLegalText: () => OWN_TEXT },
    profile: null,
  })
  for (const { items } of KEPT_PLACES) for (const { key } of items) expect(text()).toContain(key)
  expect(text()).not.toContain('forms.example')
  page.unmount()
  page = await renderPage(<CookiesScreen version={undefined} />, {
    answers: { getLegalText: () => OWN_TEXT },
    profile: null,
    config: { content: { operator: null, social: [], feedbackFormUrl: 'https://forms.example/1' } },
  })
  expect(text()).toContain('forms.example')
})

it('a button deletes the results kept for offline reading for good, and another one keeps them again', async () => {
  const told: unknown[] = []
  const registered: unknown[] = []
  const serviceWorker = {
    getRegistration: async () => ({ active: { postMessage: (word: unknown) => told.push(word) } }),
    register: async (address: unknown) => void registered.push(address),
  }
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true })
  page = await renderPage(<CookiesScreen version={undefined} />, {
    answers: { getLegalText: () => OWN_TEXT },
    profile: null,
  })
  await press(button('Delete the kept results'))
  expect(told).toEqual(['leave'])
  expect(localStorage.getItem('fairball.offline')).toBe('no')
  expect(text()).toContain('From now on no results are kept')
  await keepOffline()
  expect(registered).toEqual([])
  await press(button('Keep the results again'))
  expect(localStorage.getItem('fairball.offline')).toBeNull()
  expect(registered).toEqual(['/service-worker.js'])
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

function button(name: string): HTMLElement {
  const found = [...document.querySelectorAll('button')].find((one) => one.textContent === name)
  if (found === undefined) throw new Error(`There is no button ${name}.`)
  return found
}
