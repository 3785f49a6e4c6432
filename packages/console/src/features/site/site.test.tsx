import { expect, it } from 'vitest'
import { allOf, pressNamed, renderConsole, said, seen, typeInto } from '../../testing/console.tsx'

const NAME = {
  key: 'site.name',
  title: 'Name',
  needs_second: false,
  value: 'Fairball',
  variable: null,
  is_fixed: false,
  coming: null,
  history: [],
}
const PARTNER = { id: 'wells', name: 'Wells', url: 'https://wells.example/', address: null }
const PARTNERS = { ...NAME, key: 'partners', title: 'Partner charities', value: [PARTNER] }
const EDITOR = { id: '3', name: 'sam', roles: ['editor' as const] }

it('a setting is changed by an editor, now or later, and shown as it will be', async () => {
  renderConsole('/site', { 'GET /settings': { settings: [NAME] } }, { me: EDITOR })
  await pressNamed('button', 'Name')
  await typeInto('Name', 'Lucky Ball')
  await said('As it will be')
  await pressNamed('button', 'Propose the change')
  await seen('dialog', 'Set site.name now.')
})

it('a list is changed field by field', async () => {
  const { sent } = renderConsole('/site', { 'GET /settings': { settings: [PARTNERS] } }, { me: EDITOR })
  await pressNamed('button', 'Partner charities')
  await typeInto('Bitcoin address', 'bcrt1qwells')
  await pressNamed('button', 'Propose the change')
  await typeInto('Reason', 'Their new wallet.')
  await pressNamed('button', 'Continue')
  await expect
    .poll(() => sent('POST /requests'))
    .toMatchObject([{ args: { key: 'partners', value: [{ ...PARTNER, address: 'bcrt1qwells' }], from: null } }])
})

it('a value of the server names its variable, and a file that wins cannot be changed here', async () => {
  const limit = { ...NAME, key: 'payouts.float_sats', title: 'Float', value: 5000, variable: 'PAYOUT_FLOAT_SATS' }
  const fixed = { ...PARTNERS, variable: 'CONTENT_FILE', is_fixed: true }
  renderConsole('/site', { 'GET /settings': { settings: [limit, fixed] } }, { me: EDITOR })
  await said('From PAYOUT_FLOAT_SATS on the server.')
  await said('From CONTENT_FILE on the server. It wins over this console: change it there.')
  expect(allOf('button', 'Propose the change')).toHaveLength(0)
})

it('a legal text is shown as its page before it is proposed, with what is wrong in it', async () => {
  const terms = { ...NAME, key: 'legal.terms', title: 'Terms', value: { date: '2026-12-01', markdown: 'Old.' } }
  const blocks = [{ kind: 'heading', level: 2, id: 'players', title: 'Players', words: ['Players'] }]
  const { sent } = renderConsole(
    '/site',
    { 'GET /settings': { settings: [terms] }, 'POST /settings/preview': { blocks, problems: ['line 3: no table'] } },
    { me: EDITOR },
  )
  await pressNamed('button', 'Terms')
  await typeInto('Text, in Markdown', '## Players')
  await pressNamed('button', 'Show the page')
  await seen('heading', 'Players')
  await said('line 3: no table')
  expect(sent('POST /settings/preview')).toEqual([{ markdown: '## Players' }])
  await typeInto('Text, in Markdown', '## Prizes')
  expect(allOf('heading', 'Players')).toHaveLength(0)
})

it('somebody without the role reads the setting, and why they cannot change it', async () => {
  const me = { id: '3', name: 'sam', roles: ['auditor' as const] }
  renderConsole('/site', { 'GET /settings': { settings: [NAME] } }, { me })
  await said('Needs the role Editor.')
  await said('It was never changed.')
})
