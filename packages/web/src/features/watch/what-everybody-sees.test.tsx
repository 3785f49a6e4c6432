import { act } from 'react'
import { describe, expect, it } from 'vitest'
import { go, open, server, setUpWatchPage, START, stream, tag, tell } from '../../testing/watch-page.tsx'

describe('what everybody sees of a draw', () => {
  setUpWatchPage()

  const asked = (name: string) => server.asked.filter((call) => call.name === name).map(({ isPublic }) => isPublic)

  it('a player asks for it as a visitor does from the close to the last ball, so that shared caches answer', async () => {
    server.now = START - 60
    server.entries = null
    await open({ isPlayer: true, isDemo: false })
    await go(65)
    act(() => stream()?.tell('error'))
    await go(90)
    expect(asked('getWatch').length).toBeGreaterThan(80)
    expect(asked('getDraw').length).toBeGreaterThan(10)
    expect(new Set([...asked('getWatch'), ...asked('getDraw')])).toEqual(new Set([true]))
    // The games were loaded with the page; since then they were asked for without the player.
    expect(asked('getGames').slice(1)).toEqual([true, true])
  })

  it('a player without a stream asks for the own prizes once, as soon as there are prizes', async () => {
    server.now = START + 90
    await open({ isPlayer: true })
    act(() => stream()?.tell('error'))
    await go(12)
    expect(tag()).toBe('ENDED')
    expect(asked('getWatch').filter((isPublic) => !isPublic)).toHaveLength(1)
    expect(document.body.textContent).toContain('You win!')
  })

  it('a visitor asks for nothing more when the prizes are there', async () => {
    server.now = START + 95
    await open()
    tell()
    await go(6)
    const before = server.asked.length
    tell()
    await go(1)
    expect(tag()).toBe('ENDED')
    expect(server.asked).toHaveLength(before)
  })
})
