import { act, lazy } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { firstViewStands, wholeView } from './first-view.ts'
import { render } from '@fairball/ui/testing/render.tsx'
import { LaterPart } from './later-part.tsx'

describe('a part of a page that loads later', () => {
  it('the page is complete only once React has taken over its later parts', async () => {
    const module = Promise.withResolvers<{ default: () => React.ReactNode }>()
    const Lower = () => <p>The lower half</p>
    const place = document.createElement('div')
    document.body.append(place)
    place.innerHTML = renderToString(
      <LaterPart fallback={<p>Loading</p>}>
        <Lower />
      </LaterPart>,
    )
    let isWhole = false
    void wholeView.then(() => {
      isWhole = true
    })

    const Lazy = lazy(() => module.promise)
    const root = await act(async () =>
      hydrateRoot(
        place,
        <LaterPart fallback={<p>Loading</p>}>
          <Lazy />
        </LaterPart>,
      ),
    )
    onTestFinished(() => act(async () => root.unmount()))
    await act(async () => firstViewStands())
    expect([place.textContent, isWhole]).toEqual(['The lower half', false])
    await act(async () => module.resolve({ default: Lower }))
    expect([place.textContent, isWhole]).toEqual(['The lower half', true])
  })

  it('a part whose script cannot be fetched is missing without the rest of the page', async () => {
    vi.spyOn(console, 'error').mockReturnValue() // React reports the caught error
    vi.spyOn(console, 'warn').mockReturnValue() // there is no router here
    const Lost = lazy(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))
    const page = render(
      <main>
        <h1>The draw</h1>
        <LaterPart fallback={<p>Loading</p>}>
          <Lost />
        </LaterPart>
      </main>,
    )
    await act(async () => undefined)
    expect(page.container.querySelector('h1')?.textContent).toBe('The draw')
    expect(page.container.querySelector('button')?.textContent).toBe('Try again')
  })
})
