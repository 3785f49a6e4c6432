import { expect, it } from 'vitest'
import { allOf, renderConsole, said, seen } from '../../testing/console.tsx'
import { goTo } from '../../shared/address.ts'

const RESULTS = [
  { kind: 'player', id: '17', label: 'janet_w', at: null },
  { kind: 'draw', id: 'hero/214', label: 'Hero 214', at: 1_795_881_000 },
  { kind: 'transaction', id: null, label: 'abcd', at: null },
]

it('what is found leads to its page, and what has none does not', async () => {
  renderConsole('/search?q=janet', { 'GET /search': { results: RESULTS } })
  expect((await seen('link', 'janet_w')).getAttribute('href')).toBe('/players/17')
  expect((await seen('link', 'Hero 214')).getAttribute('href')).toBe('/draws/hero/214')
  expect(allOf('link', 'abcd')).toEqual([])
  expect(document.querySelector<HTMLInputElement>('input[type=search]')?.value).toBe('janet')
})

it('a search that finds nothing says so, and another one starts by its address', async () => {
  renderConsole('/search?q=nobody', {
    'GET /search': ({ query }: { query: URLSearchParams }) => ({ results: query.get('q') === 'janet' ? RESULTS : [] }),
  })
  await said('Nothing was found.')
  goTo('/search?q=janet')
  await seen('link', 'janet_w')
})
