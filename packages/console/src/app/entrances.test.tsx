import { describe, expect, it } from 'vitest'
import { memoryKeys, OWNER, pressKey, pressNamed, refused, renderConsole, said, seen } from '../testing/console.tsx'
import { turnShortcut } from '../shared/keyboard/preferences.ts'

const OPTIONS = {
  challenge: 'AAAA',
  rp: { id: location.hostname, name: 'Fairball' },
  user: { id: 'Mw', name: 'demo-owner', displayName: 'demo-owner' },
}

describe('an invite', () => {
  it('two passkeys are registered over one link, and the second one signs in', async () => {
    let count = 0
    const keys = memoryKeys()
    const { sent } = renderConsole(
      '/enter/token-1',
      {
        'GET /invites/token-1': () => ({ name: 'demo-owner', roles: OWNER.roles, keys: count, keys_needed: 2 - count }),
        'POST /invites/token-1/options': { options: OPTIONS },
        'POST /invites/token-1': () => ({ keys: ++count, keys_needed: 2 - count }),
        'POST /auth/options': { options: { challenge: 'AAAA', rpId: location.hostname } },
        'POST /auth/sign-in': { staff: OWNER, expires_at: 1_795_900_000 },
      },
      { me: null, keys },
    )
    await said('Step 1 of 2')
    await pressNamed('button', 'Register')
    await said('Step 2 of 2')
    await pressNamed('button', 'Register')
    await said('2 passkeys are registered.')
    expect(sent('POST /invites/token-1').map((body) => (body as { label: string }).label)).toEqual(['Key 1', 'Key 2'])
    expect(await keys.list()).toHaveLength(2)
    await pressNamed('button', 'Go to the sign-in')
    await pressNamed('button', 'Sign in with a passkey')
    await seen('heading', 'Overview')
  })

  it('a link that is used up says what to do', async () => {
    renderConsole('/enter/old', { 'GET /invites/old': refused(404, 'NOT_FOUND') }, { me: null })
    await seen('heading', 'This link doesn’t work any more')
    await said('Ask an owner for a new link.')
  })
})

describe('a session', () => {
  it('who is not signed in is asked at the same address, which then opens', async () => {
    renderConsole(
      '/audit',
      {
        'POST /auth/options': { options: { challenge: 'AAAA', rpId: location.hostname } },
        'POST /auth/sign-in': refused(400, 'SIGNATURE_REFUSED'),
      },
      { me: null },
    )
    await seen('heading', 'Sign in')
    expect(location.pathname).toBe('/audit')
  })

  it('signing out ends the session, and the page asks to sign in again', async () => {
    const { sent } = renderConsole('/nothing', { 'POST /auth/sign-out': { ok: true } })
    await pressNamed('button', 'demo-owner')
    await pressNamed('button', 'Sign out')
    await seen('heading', 'Sign in')
    expect(sent('POST /auth/sign-out')).toHaveLength(1)
  })

  it('a session that ends while a page is open asks to sign in', async () => {
    renderConsole('/staff', { 'GET /staff': refused(401, 'SIGN_IN_NEEDED') })
    await seen('heading', 'Sign in')
  })

  it('the frame names the console, the site, and the test mode', async () => {
    renderConsole('/nothing', {})
    await seen('heading', 'There is no such page')
    await said('Operator consoleFairballTest mode')
  })

  it('the key / goes to the search, unless it is turned off', async () => {
    renderConsole('/nothing', {})
    await seen('heading', 'There is no such page')
    turnShortcut('search', false)
    pressKey(document.body, '/')
    expect(document.activeElement?.getAttribute('aria-label')).not.toBe('Search')
    turnShortcut('search', true)
    pressKey(document.body, '/')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Search')
  })
})
