import { describe, expect, it } from 'vitest'
import { REQUEST, textToSign } from '../../testing/answers.ts'
import { allOf, memoryKeys, pressNamed, renderConsole, said, seen, typeInto } from '../../testing/console.tsx'
import { createPasskeys } from '../../shared/passkeys/passkeys.ts'

const PAGE = `/inbox/${REQUEST.id}`
const OWN = { ...REQUEST, id: '7f2c1c1e-6d0f-4a52-9a3e-5c1f0d6f7b12', proposed_by: { id: '3', name: 'demo-owner' } }
const LIST = { results: [REQUEST, OWN], total_pages: 1 }

describe('the inbox', () => {
  it('it tells what waits for me from what I proposed, and counts the first in the menu', async () => {
    renderConsole('/inbox', { 'GET /requests': LIST })
    await seen('heading', 'For you to approve')
    await seen('heading', 'Proposed by you')
    await said('1 waiting')
    expect(allOf('row', 'Approve payout batch 5')).toHaveLength(2)
  })

  it('one person alone gives the second signature too', async () => {
    const alone = { id: '3', name: 'demo-owner', email: 'o@x.example', roles: ['owner'], keys: 2, last_seen_at: null }
    renderConsole('/inbox', {
      'GET /requests': { results: [OWN], total_pages: 1 },
      'GET /staff': [{ ...alone, disabled_at: null }],
    })
    await said('1 waiting')
  })

  it('nobody waits for somebody who may not approve', async () => {
    const me = { id: '9', name: 'reader', roles: ['auditor' as const] }
    renderConsole('/inbox', { 'GET /requests': LIST }, { me })
    await said('Nothing waits for you.')
    await seen('heading', 'For other people to approve')
  })
})

describe('a request', () => {
  it('the second person signs over the same facts, and reads what the desk said', async () => {
    const keys = memoryKeys()
    const user = { id: 'Mw', name: 'demo-owner' }
    await createPasskeys(keys).registerTest({ challenge: 'AAAA', rp: { id: location.hostname }, user }, 'Key 1')
    renderConsole(
      PAGE,
      {
        [`GET /requests/${REQUEST.id}`]: REQUEST,
        [`POST /requests/${REQUEST.id}/options`]: async () => ({
          facts: REQUEST.facts,
          is_changed: false,
          ...(await textToSign({
            request: REQUEST.id,
            part: 'approve',
            kind: REQUEST.kind,
            args: { batch: '5' },
            facts: { state: 'WAITING_APPROVAL', payouts: [{ payee: 'janet_w', sats: '180000000' }] },
            reason: REQUEST.reason,
          })),
        }),
        [`POST /requests/${REQUEST.id}/approve`]: { state: 'done', result: { text: 'Batch 5 is approved.' } },
      },
      { keys },
    )
    await pressNamed('button', 'Approve')
    await pressNamed('button', 'Show the text to sign')
    await pressNamed('button', 'Sign and approve')
    await said('Done. Batch 5 is approved.')
  })

  it('a request whose facts have changed can only be rejected', async () => {
    const { sent } = renderConsole(PAGE, {
      [`GET /requests/${REQUEST.id}`]: { ...REQUEST, is_changed: true },
      [`POST /requests/${REQUEST.id}/reject`]: { state: 'rejected', result: null },
    })
    await said('has changed since it was proposed')
    expect(allOf('button', 'Approve')).toEqual([])
    await pressNamed('button', 'Reject')
    await typeInto('Reason', 'The batch is another now.')
    await pressNamed('button', 'Reject', 'last')
    await said('Rejected. Nothing happened.')
    expect(sent(`POST /requests/${REQUEST.id}/reject`)).toEqual([{ reason: 'The batch is another now.' }])
  })

  it('nobody approves what they proposed; they can cancel it', async () => {
    renderConsole(PAGE, {
      [`GET /requests/${REQUEST.id}`]: { ...OWN, id: REQUEST.id },
      [`POST /requests/${REQUEST.id}/cancel`]: { state: 'cancelled', result: null },
    })
    await pressNamed('button', 'Cancel the request')
    expect(allOf('button', 'Approve')).toEqual([])
    await seen('dialog', 'Nobody can approve it afterwards.')
    await pressNamed('button', 'Cancel the request', 'last')
    await said('Cancelled. Nothing happened.')
  })

  it('a refusal of the worker is said in words', async () => {
    const result = { code: 'STALE' }
    renderConsole(PAGE, { [`GET /requests/${REQUEST.id}`]: { ...REQUEST, state: 'refused', is_changed: null, result } })
    await seen('alert', 'What this request is about has changed')
  })
})
