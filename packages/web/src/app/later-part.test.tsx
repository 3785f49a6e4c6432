import { act, lazy } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { firstViewStands, wholeView } from './first-view.ts'
import '../testing/render.tsx'
import { LaterPart } from './later-part.tsx'

describe('a part of a page that loads later', () => {
  it('is waited for: the page is whole once the part that the server rendered is React’s', async () => {
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
})
