import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { render } from '@fairball/ui/testing/render.tsx'
import type { Rendered } from '@fairball/ui/testing/render.tsx'
import { arrivedAt } from './arrival.ts'
import { runtime } from './runtime.ts'
import { PageFailed } from './page-failed.tsx'

const GONE = new TypeError('Failed to fetch dynamically imported module')
const GONE_STYLES = new Error('Unable to preload CSS for /assets/draws.css')

let page: Rendered
beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue() // there is no router here
  vi.spyOn(location, 'reload').mockReturnValue()
})
afterEach(() => {
  page.unmount()
  history.replaceState(null, '', arrivedAt)
  vi.restoreAllMocks()
})

/** A page that failed after the tab moved to another address, or at the address of the document itself. */
const open = async (error: Error, { at = '/game/treasure', server = async () => new Response() } = {}) => {
  vi.spyOn(runtime, 'fetch').mockImplementation(server)
  history.replaceState(null, '', at)
  page = render(<PageFailed error={error} reset={() => {}} />)
  await act(async () => undefined)
}
const words = () => page.container.textContent

describe('a page that could not be shown', () => {
  it.each([GONE, GONE_STYLES])(
    'a page whose files are gone reloads automatically if the server answers',
    async (error) => {
      await open(error)
      expect(location.reload).toHaveBeenCalledOnce()
      expect(words()).not.toContain('Data cannot be loaded!')
    },
  )

  it.each([
    ['there is no connection', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['the server fails', async () => new Response(null, { status: 502 })],
  ])('a page that could not be shown says so while %s', async (_what, server) => {
    await open(GONE, { server })
    expect(location.reload).not.toHaveBeenCalled()
    expect(words()).toContain('Data cannot be loaded!')
  })

  it('a page is not reloaded twice: a document loaded at its address shows the error', async () => {
    await open(GONE, { at: arrivedAt })
    expect(location.reload).not.toHaveBeenCalled()
    expect(words()).toContain('Data cannot be loaded!')
  })

  it('a page that crashed is not reloaded', async () => {
    await open(new Error('It fell over.'))
    expect(location.reload).not.toHaveBeenCalled()
    expect(words()).toContain('Data cannot be loaded!')
  })
})
