import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { actionText } from '@fairball/contract/console/action-text'
import { canonicalJson } from '@fairball/contract/console/canonical-json'
import { refusalOf } from './check-text.ts'
import type { Shown } from './check-text.ts'

const ORIGIN = 'https://console.lottery.example'
const FACTS = { state: 'WAITING_APPROVAL', payouts: [{ payee: 'janet', sats: '60000' }] }
const sha256 = (text: string) => createHash('sha256').update(text).digest()

function shown(changed: Partial<Shown> = {}): Shown {
  const about = { request: '6f2c1c1e-6d0f-4a52-9a3e-5c1f0d6f7b11', part: 'propose' as const, staff: '3' }
  const asked = { kind: 'payouts.approve', args: { batch: '5' }, reason: 'Prize of draw 214.' }
  const end = { nonce: '8d41f0c2a97b4e5d8d41f0c2a97b4e5d', expires: 1_788_201_613 }
  const facts = sha256(canonicalJson(FACTS)).toString('hex')
  const text = actionText({ console: ORIGIN, ...about, ...asked, facts, ...end })
  const options = { challenge: sha256(text).toString('base64url') }
  return { ...about, ...asked, facts: FACTS, text, options, ...changed }
}

it('a text that says what the page shows may be signed', async () => {
  expect(await refusalOf(shown(), ORIGIN)).toBeNull()
})

it.each<[string, Partial<Shown>]>([
  ['another batch', { args: { batch: '6' } }],
  ['another amount', { facts: { ...FACTS, payouts: [{ payee: 'janet', sats: '60001' }] } }],
  ['another reason', { reason: 'Prize of draw 215.' }],
  ['another person', { staff: '4' }],
  ['another part', { part: 'approve' }],
  ['another kind', { kind: 'payouts.cancel' }],
  ['another request', { request: '7f2c1c1e-6d0f-4a52-9a3e-5c1f0d6f7b11' }],
])('a text about %s than the page shows is not signed', async (_what, changed) => {
  expect(await refusalOf(shown(changed), ORIGIN)).toContain('is not what this page shows')
})

it('a text of another console is not signed', async () => {
  expect(await refusalOf(shown(), 'https://console.other.example')).toContain('is not what this page shows')
})

it('a challenge that is not the hash of the text is not signed', async () => {
  const options = { challenge: sha256('another text').toString('base64url') }
  expect(await refusalOf(shown({ options }), ORIGIN)).toContain('something else than the text')
})
