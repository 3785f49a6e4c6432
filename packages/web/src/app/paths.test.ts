import { describe, expect, it } from 'vitest'
import { isAuthPage, paths, queryText, sameSitePath } from './paths.ts'

describe('?path= is followed on this site only', () => {
  it.each(['/', '/game/treasure', '/game/treasure?transaction_id=1#top', '/settings/general/messages/2', '/a//b'])(
    '%s is followed',
    (path) => {
      expect(sameSitePath(path)).toBe(path)
    },
  )

  it.each([
    undefined,
    null,
    1,
    '',
    'game/treasure',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/game\\..\\evil',
    'https://evil.example/',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/\n/evil.example',
    ' /game',
    '/game\u0000',
  ])('%j is not', (path) => {
    expect(sameSitePath(path)).toBeNull()
  })

  it('never leaves the site, whatever a browser makes of what passes', () => {
    for (const path of [
      '/',
      '/game',
      '/a//b',
      '/@evil.example',
      '/;//evil.example',
      '/?//evil.example',
      '/.//evil.example',
    ]) {
      const checked = sameSitePath(path)
      if (checked !== null) expect(new URL(checked, 'https://fairball.example').host).toBe('fairball.example')
    }
  })
})

describe('addresses', () => {
  it('keep the path readable in the query', () => {
    expect(paths.login('/game/treasure')).toBe('/login?path=/game/treasure')
    expect(paths.loginSecure('k/1', '/game/treasure?transaction_id=a&b')).toBe(
      '/login-secure/k%2F1?path=/game/treasure%3Ftransaction_id%3Da%26b',
    )
  })

  it('do not remember the home page or a page for signing in', () => {
    expect(paths.login('/')).toBe('/login')
    expect(paths.login('/open-an-account?path=/game/treasure')).toBe('/login')
    expect(paths.openAccount('/reset-password/key')).toBe('/open-an-account')
  })

  it('leave out the first page and put a play behind its page', () => {
    expect(paths.draws('treasure', 1)).toBe('/game/treasure/draws')
    expect(paths.draws('treasure', 2)).toBe('/game/treasure/draws/2')
    expect(paths.results('treasure', undefined, 'p 1')).toBe('/game/treasure/results/1/p%201')
  })

  it('leave absent values out of a query', () => {
    expect(queryText({ a: undefined, b: null, c: 'x y' })).toBe('c=x%20y')
  })

  it.each([
    ['/login', true],
    ['/login?path=/', true],
    ['/login-secure/key', true],
    ['/loginx', false],
    ['/game/treasure', false],
  ])('%s counts as a page for signing in: %s', (path, expected) => {
    expect(isAuthPage(path)).toBe(expected)
  })
})
