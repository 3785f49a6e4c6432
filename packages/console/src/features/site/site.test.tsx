import { it } from 'vitest'
import { pressNamed, renderConsole, said, seen, typeInto } from '../../testing/console.tsx'

const NAME = { key: 'site.name', title: 'Name', needs_second: false, value: 'Fairball', coming: null, history: [] }

it('a setting is changed by an editor, now or later', async () => {
  const me = { id: '3', name: 'sam', roles: ['editor' as const] }
  renderConsole('/site', { 'GET /settings': { settings: [NAME] } }, { me })
  await pressNamed('button', 'Name')
  await typeInto('New value', 'Lucky Ball')
  await pressNamed('button', 'Propose the change')
  await seen('dialog', 'Set site.name now.')
})

it('somebody without the role reads the setting, and why they cannot change it', async () => {
  const me = { id: '3', name: 'sam', roles: ['auditor' as const] }
  renderConsole('/site', { 'GET /settings': { settings: [NAME] } }, { me })
  await said('Needs the role Editor.')
  await said('It was never changed.')
})
