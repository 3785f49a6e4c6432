import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAuthPage, isKeyPage, paths, queryText, returnPath, sameSitePath } from './paths.ts'

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
  ])('%j is not followed', (path) => {
    expect(sameSitePath(path)).toBeNull()
  })

  it('an accepted path never leaves the site, however a browser reads it', () => {
    const parts = [
      '/',
      '//',
      '\\',
      '.',
      '..',
      '@',
      ':',
      ';',
      '?',
      '#',
      '%2F',
      '%5C',
      '\t',
      '\n',
      'evil.example',
      'https:',
    ]
    // The library's own unit of every character takes seconds to lay out.
    const unit = fc.integer({ min: 0, max: 0x10_ff_ff }).map((code) => String.fromCodePoint(code))
    const tricks = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit, maxLength: 4 })), { maxLength: 8 })
    fc.assert(
      fc.property(tricks, (pieces) => {
        const checked = sameSitePath(`/${pieces.join('')}`)
        if (checked !== null)
          expect(new URL(checked, 'https://fairball.example').origin).toBe('https://fairball.example')
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('addresses', () => {
  it('addresses keep the path readable in the query', () => {
    expect(paths.login('/game/treasure')).toBe('/login?path=/game/treasure')
    expect(paths.loginSecure('k/1', '/game/treasure?transaction_id=a&b')).toBe(
      '/login-secure/k%2F1?path=/game/treasure%3Ftransaction_id%3Da%26b',
    )
  })

  it('addresses do not remember the home page or a page for signing in', () => {
    expect(paths.login('/')).toBe('/login')
    expect(paths.login('/forgotten-password')).toBe('/login')
    expect(paths.openAccount('/reset-password/key')).toBe('/open-an-account')
  })

  it('pages for signing in pass on the remembered path to each other', () => {
    expect(paths.login('/open-an-account?path=/game/treasure')).toBe('/login?path=/game/treasure')
    expect(paths.openAccount('/login?path=/game/treasure%3Ftransaction_id%3D1')).toBe(
      '/open-an-account?path=/game/treasure%3Ftransaction_id%3D1',
    )
    expect(paths.forgottenPassword('/login?path=%2F%2Fevil.example')).toBe('/forgotten-password')
    expect(paths.login('/login?path=/login-secure/key')).toBe('/login')
  })

  it.each([
    ['/game/treasure', '/game/treasure'],
    ['//evil.example', null],
    ['/login', null],
    ['/login-secure/key?path=/', null],
    [undefined, null],
  ])('%s in ?path= leads back to %s', (path, back) => {
    expect(returnPath(path)).toBe(back)
  })

  it('addresses with a key that acts are never left automatically', () => {
    expect(['/verify-email/k', '/stop-address-change/k', '/social-login/google', '/', '/login'].map(isKeyPage)).toEqual(
      [true, true, true, false, false],
    )
  })

  it('addresses omit the first page and put a play after its page', () => {
    expect(paths.draws('treasure', 1)).toBe('/game/treasure/draws')
    expect(paths.draws('treasure', 2)).toBe('/game/treasure/draws/2')
    expect(paths.results('treasure', undefined, 'p 1')).toBe('/game/treasure/results/1/p%201')
  })

  it('addresses omit absent values from the query', () => {
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
