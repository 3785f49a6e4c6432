import { Profiler } from 'react'
import type { ProfilerOnRenderCallback } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { heroGame } from '../../testing/hero-game.ts'
import { pass, renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { useGame, useGames } from './games.ts'
import type { Game } from './games.ts'

const NOW = Date.parse('2026-11-27T12:00:00Z') / 1000
const ASKED_AGAIN_MS = 10_000

let page: RenderedPage
beforeEach(() => vi.useFakeTimers({ now: NOW * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

function All() {
  return (
    <p>
      {useGames()
        .data?.map(({ name }) => name)
        .join()}
    </p>
  )
}

function One() {
  return <p>{useGame('bitcoin-hero').data?.summary}</p>
}

it('games that are asked for again and again render a component only when they change', async () => {
  let games = [heroGame(NOW + 3600)]
  const onRender = vi.fn<ProfilerOnRenderCallback>()
  page = await renderPage(
    <Profiler id="games" onRender={onRender}>
      <All />
      <One />
    </Profiler>,
    { answers: { getGames: () => JSON.parse(JSON.stringify(games)) as Game[] } },
  )
  const asked = page.calls('getGames').length
  onRender.mockClear()
  await pass(3 * ASKED_AGAIN_MS)
  expect(page.calls('getGames').length).toBeGreaterThanOrEqual(asked + 3)
  expect(onRender).not.toHaveBeenCalled()

  games = games.map((game) => ({ ...game, summary: 'Drawn twice a day' }))
  await pass(ASKED_AGAIN_MS)
  expect(text()).toContain('Drawn twice a day')
})
