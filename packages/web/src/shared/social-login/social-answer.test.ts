import { expect, it } from 'vitest'
import { readSocialAnswer } from './social-answer.ts'

it.each([
  ['a token', { hash: '#access_token=t&token_type=Bearer&state=s' }, { state: 's', accessToken: 't' }],
  ['a token beside an identity', { hash: '#state=s&id_token=i&access_token=t' }, { state: 's', accessToken: 't' }],
  ['a refusal in the fragment', { hash: '#error=access_denied&state=s' }, { state: 's', error: 'access_denied' }],
  [
    'a refusal in the query',
    { search: '?error=access_denied&error_reason=user_denied&state=s', hash: '#_=_' },
    { state: 's', error: 'access_denied' },
  ],
  ['neither token nor error', { hash: '#state=s' }, { state: 's', error: 'no_token' }],
] as const)('reads %s', (_what, address: { search?: string; hash: string }, answer) => {
  expect(readSocialAnswer('google', { search: '', ...address })).toEqual({ provider: 'google', ...answer })
})

it('a code in the query is read for X only', () => {
  const address = { search: '?state=s&code=c', hash: '' }
  expect(readSocialAnswer('twitter', address)).toEqual({ provider: 'twitter', state: 's', code: 'c' })
  expect(readSocialAnswer('google', address)).toEqual({ provider: 'google', state: 's', error: 'no_token' })
})

it.each(['', '#', '#access_token=t'])('no answer is found in %j', (hash) => {
  expect(readSocialAnswer('google', { search: '', hash })).toBeNull()
})
