import { expect, it } from 'vitest'
import { REQUEST } from '../../testing/answers.ts'
import { allOf, pressNamed, renderConsole, said } from '../../testing/console.tsx'

it('a new secret is fetched once, and only when somebody asks for it', async () => {
  const result = { file: '9' }
  const { sent } = renderConsole(`/inbox/${REQUEST.id}`, {
    [`GET /requests/${REQUEST.id}`]: { ...REQUEST, state: 'done', is_changed: null, result },
    'GET /files/9': { name: 'secret.txt', type: 'text/plain', content: 'whsec_abc' },
  })
  await said('It can be fetched once')
  expect(sent('GET /files/9')).toEqual([])
  await pressNamed('button', 'Fetch it')
  await said('whsec_abc')
  expect(allOf('button', 'Fetch it')).toEqual([])
})
