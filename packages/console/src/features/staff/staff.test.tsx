import { describe, expect, it, vi } from 'vitest'
import { pressNamed, renderConsole, said, seen, typeInto } from '../../testing/console.tsx'

const PEOPLE = [
  {
    id: '3',
    name: 'demo-owner',
    email: 'o@x.example',
    roles: ['owner'],
    keys: 2,
    last_seen_at: 1_795_881_000,
    disabled_at: null,
  },
  { id: '4', name: 'priya', email: 'p@x.example', roles: ['support'], keys: 0, last_seen_at: null, disabled_at: null },
]

describe('the staff', () => {
  it('one person alone is told that the public sees it', async () => {
    renderConsole('/staff', { 'GET /staff': PEOPLE })
    await said('One person signs everything alone here')
    expect((await seen('row', 'priya')).textContent).toContain('Invited')
  })

  it('an invitation has a name, an email address and roles, and is then signed', async () => {
    const { sent } = renderConsole('/staff', { 'GET /staff': PEOPLE, 'POST /requests': { id: 'x', state: 'draft' } })
    await pressNamed('button', 'Invite a person')
    await typeInto('Name', 'Sam')
    await typeInto('Email', 'sam@x.example')
    const chip = [...document.querySelectorAll('dialog label')].find((one) => one.textContent === 'Support')
    chip?.querySelector('input')?.click()
    await pressNamed('button', 'Continue')
    await seen('dialog', 'Invite Sam (sam@x.example) as support.')
    await typeInto('Reason', 'Starts on Monday at the desk.')
    await pressNamed('button', 'Continue', 'last')
    await vi.waitFor(() => expect(sent('POST /requests')).toHaveLength(1))
    expect(sent('POST /requests')).toEqual([
      {
        kind: 'staff.invite',
        args: { name: 'Sam', email: 'sam@x.example', roles: ['support'] },
        reason: 'Starts on Monday at the desk.',
      },
    ])
  })

  it('a person is disabled by a request that names them', async () => {
    renderConsole('/staff', { 'GET /staff': PEOPLE })
    await pressNamed('button', 'Disable priya')
    await seen('dialog', 'end all their sessions')
  })
})
