import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fadePage, MAX_HELD_MS } from './page-change.ts'

const root = document.documentElement
/** A stand-in for the browser: the test decides when the picture exists, and when it has faded or was removed. */
let picture: { ready: PromiseWithResolvers<void>; finished: PromiseWithResolvers<void>; skipTransition: () => void }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  const startViewTransition = (update: () => void) => {
    const [ready, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    picture = { ready, finished, skipTransition: vi.fn<() => void>(() => finished.resolve()) }
    void ready.promise.catch(() => undefined)
    void Promise.resolve().then(update)
    return { ready: ready.promise, finished: finished.promise, skipTransition: picture.skipTransition }
  }
  Object.assign(document, { startViewTransition })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(document, 'startViewTransition')
  document.body.replaceChildren()
})

test('the next page appears under the picture of the old one, which then fades', async () => {
  const page = Promise.withResolvers<void>()
  const change = vi.fn<() => Promise<void>>(() => page.promise)
  const fading = fadePage(change)
  await Promise.resolve()
  expect(root.dataset['pageFade']).toBe('held')
  expect(change).not.toHaveBeenCalled()
  picture.ready.resolve()
  await vi.waitFor(() => expect(change).toHaveBeenCalledOnce())
  expect(root.dataset['pageFade']).toBe('held')
  page.resolve()
  await fading
  expect(root.dataset['pageFade']).toBe('running')
  picture.finished.resolve()
  await vi.waitFor(() => expect(root.dataset['pageFade']).toBeUndefined())
  await vi.advanceTimersByTimeAsync(MAX_HELD_MS)
  expect(picture.skipTransition).not.toHaveBeenCalled()
})

test.each([
  ['a browser without view transitions', () => Reflect.deleteProperty(document, 'startViewTransition')],
  ['a visitor who prefers no motion', () => vi.stubGlobal('matchMedia', () => ({ matches: true }))],
])('%s gets the next page immediately', async (_, set) => {
  set()
  const change = vi.fn<() => Promise<void>>(async () => undefined)
  await fadePage(change)
  expect(change).toHaveBeenCalledOnce()
  expect(root.dataset['pageFade']).toBeUndefined()
})

test('the next page opens even without a picture, as in a hidden tab', async () => {
  const change = vi.fn<() => Promise<void>>(async () => undefined)
  const fading = fadePage(change)
  picture.ready.reject(new Error('hidden'))
  picture.finished.resolve()
  await fading
  expect(change).toHaveBeenCalledOnce()
  await vi.waitFor(() => expect(root.dataset['pageFade']).toBeUndefined())
})

test('a slow page is not hidden by the picture of the old one', async () => {
  const fading = fadePage(() => new Promise((resolve) => setTimeout(resolve, MAX_HELD_MS + 1)))
  picture.ready.resolve()
  await vi.advanceTimersByTimeAsync(MAX_HELD_MS - 1)
  expect(picture.skipTransition).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(picture.skipTransition).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(1)
  await fading
  expect(root.dataset['pageFade']).toBeUndefined()
})

test('a page that fails leaves no picture over the document', async () => {
  const fading = fadePage(() => Promise.reject(new Error('no page')))
  const outcome = expect(fading).rejects.toThrow('no page')
  picture.ready.resolve()
  await outcome
  expect(root.dataset['pageFade']).toBe('running')
  picture.finished.resolve()
  await vi.waitFor(() => expect(root.dataset['pageFade']).toBeUndefined())
})

test('the picture of an earlier change does not affect that of a later one', async () => {
  const first = fadePage(async () => undefined)
  const left = picture
  const second = fadePage(async () => undefined)
  left.ready.reject(new Error('skipped'))
  left.finished.resolve()
  await first
  expect(root.dataset['pageFade']).toBe('held')
  picture.ready.resolve()
  await second
  expect(root.dataset['pageFade']).toBe('running')
  picture.finished.resolve()
})

test('a press while the picture is taken reaches the element at its place, with its details', async () => {
  const link = document.createElement('a')
  document.body.append(link)
  document.elementFromPoint = (x, y) => (x === 30 && y === 40 ? link : null)
  const pressed = vi.fn<(event: MouseEvent) => void>()
  link.addEventListener('click', pressed)
  const fading = fadePage(async () => expect(pressed).toHaveBeenCalledOnce())
  root.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: 30, clientY: 40, ctrlKey: true }))
  document.body.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: 30, clientY: 40 }))
  expect(pressed).not.toHaveBeenCalled()
  picture.ready.resolve()
  await fading
  expect(pressed.mock.calls.map(([event]) => [event.clientX, event.clientY, event.ctrlKey])).toEqual([[30, 40, true]])
  root.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: 30, clientY: 40 }))
  expect(pressed).toHaveBeenCalledOnce()
})

test('a press that begins while the picture is taken and ends after it reaches the element at its place', async () => {
  const link = document.createElement('a')
  document.body.append(link)
  document.elementFromPoint = () => link
  const pressed = vi.fn<() => void>()
  link.addEventListener('click', pressed)
  const fading = fadePage(async () => undefined)
  root.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
  picture.ready.resolve()
  await fading
  // The button went down on the document and up on the link, so the browser tells the document of the click.
  root.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  root.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  expect(pressed).toHaveBeenCalledOnce()
  picture.finished.resolve()
})
