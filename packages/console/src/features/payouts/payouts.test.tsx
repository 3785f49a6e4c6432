import { describe, expect, it } from 'vitest'
import { BATCH, textToSign } from '../../testing/answers.ts'
import {
  allOf,
  memoryKeys,
  pressKey,
  pressNamed,
  refused,
  renderConsole,
  said,
  seen,
  typeInto,
} from '../../testing/console.tsx'
import { createPasskeys } from '../../shared/passkeys/passkeys.ts'
import { turnShortcut } from '../../shared/keyboard/preferences.ts'

const WHOLE = { ...BATCH, txs: [], audit: [] }
const LIST = { stopped: null, unaccepted: [], results: [BATCH, { ...BATCH, id: '4', state: 'HALTED' }], total_pages: 1 }
const REASON = 'Prize of draw 214, address known since March.'
const FACTS = { state: 'WAITING_APPROVAL', payouts: [{ payee: 'janet_w', sats: '180000000' }] }
const ID = '6f2c1c1e-6d0f-4a52-9a3e-5c1f0d6f7b11'

/** A browser with a test key. */
async function browserKeys() {
  const keys = memoryKeys()
  const user = { id: 'Mw', name: 'demo-owner' }
  await createPasskeys(keys).registerTest({ challenge: 'AAAA', rp: { id: location.hostname }, user }, 'Key 1')
  return keys
}

const drafted = async ({ body }: { body: Record<string, unknown> }, changed: { batch: string } = { batch: '5' }) => {
  const asked = { request: ID, part: 'propose' as const, kind: 'payouts.approve', args: changed, facts: FACTS }
  const signed = await textToSign({ ...asked, reason: String(body['reason']) })
  return { id: ID, state: 'draft', facts: FACTS, ...signed, needs: { signatures: 2, roles: ['treasurer'] } }
}

describe('the payouts', () => {
  it('a batch says what to look at before it is approved', async () => {
    renderConsole('/payouts', { 'GET /payouts': LIST })
    const row = await seen('row', '#5')
    expect(row.textContent).toContain('Waits for approval')
    expect(row.textContent).toContain('1 new address')
    expect(row.textContent).toContain('1.80000000 BTC£135,033.76')
  })

  it('a stop of all payouts says why, and names the spends that caused it', async () => {
    const txid = 'ab'.repeat(32)
    const unaccepted = [{ txid, found_at: 1_795_881_000 }]
    renderConsole('/payouts', { 'GET /payouts': { ...LIST, stopped: 'a spend that nobody ordered', unaccepted } })
    await seen('alert', 'All payouts are stopped: a spend that nobody ordered')
    await seen('button', 'Resume all payouts')
    await said(txid.slice(0, 4))
    await pressNamed('button', 'Accept: not our payouts')
    await seen('dialog', 'Accept spends that are no payouts of ours')
  })

  it('the list is narrowed by its address, and the back button undoes that', async () => {
    renderConsole('/payouts', {
      'GET /payouts': ({ query }: { query: URLSearchParams }) =>
        query.get('state') === 'FINAL' ? { ...LIST, results: [] } : LIST,
    })
    await seen('row', '#5')
    await pressNamed('link', 'Final')
    await said('No batch is in this state.')
    expect(location.search).toBe('?state=FINAL')
    history.back()
    await seen('row', '#5')
  })

  it('arrows go from row to row, unless they are turned off', async () => {
    renderConsole('/payouts', { 'GET /payouts': LIST })
    const first = await seen('link', '#5')
    first.focus()
    pressKey(first, 'ArrowDown')
    expect(document.activeElement?.textContent).toBe('#4')
    turnShortcut('tables', false)
    pressKey(document.activeElement ?? first, 'ArrowUp')
    turnShortcut('tables', true)
    expect(document.activeElement?.textContent).toBe('#4')
  })

  it('a list that could not be read says so, and can be read again', async () => {
    const { answer } = renderConsole('/payouts', { 'GET /payouts': refused(403, 'ACCESS_DENIED') })
    await seen('alert', 'Your roles do not allow this.')
    answer({ 'GET /payouts': LIST })
    await pressNamed('button', 'Try again')
    await seen('row', '#5')
  })
})

describe('approving a batch', () => {
  it('an approval is proposed with a reason, and signed over the text that is shown', async () => {
    const { sent } = renderConsole(
      '/payouts/5',
      {
        'GET /payouts/5': WHOLE,
        'POST /requests': drafted,
        [`POST /requests/${ID}/sign`]: { state: 'proposed', result: null },
      },
      { keys: await browserKeys() },
    )
    await pressNamed('button', 'Approve')
    await seen('dialog', 'Approve payout batch 5.')
    await typeInto('Reason', REASON)
    await pressNamed('button', 'Continue')
    await seen('dialog', 'It pays 1.80000000 BTC to 1 address.')
    await seen('dialog', `reason ${REASON}`)
    await pressNamed('button', 'Sign and propose')
    await said('another person has to approve it')
    expect(sent('POST /requests')).toEqual([{ kind: 'payouts.approve', args: { batch: '5' }, reason: REASON }])
    const [body] = sent(`POST /requests/${ID}/sign`)
    expect(JSON.stringify(body)).toContain('authenticatorData')
  })

  it('a text about another batch is not signed, whatever the server says', async () => {
    const { sent } = renderConsole(
      '/payouts/5',
      { 'GET /payouts/5': WHOLE, 'POST /requests': (asked: never) => drafted(asked, { batch: '6' }) },
      { keys: await browserKeys() },
    )
    await pressNamed('button', 'Approve')
    await typeInto('Reason', REASON)
    await pressNamed('button', 'Continue')
    await seen('alert', 'is not what this page shows')
    const [button] = allOf('button', 'Sign and propose')
    expect(button?.hasAttribute('disabled')).toBe(true)
    expect(sent(`POST /requests/${ID}/sign`)).toEqual([])
  })

  it.each([
    ['STALE', 409, 'has changed since it was shown'],
    ['REQUEST_CLOSED', 409, 'its time is over'],
    ['SIGNATURE_REFUSED', 400, 'The signature was refused'],
    ['SECOND_PERSON_NEEDED', 403, 'another person has to approve it'],
  ])('%s is said in words', async (code, status, words) => {
    renderConsole(
      '/payouts/5',
      { 'GET /payouts/5': WHOLE, 'POST /requests': drafted, [`POST /requests/${ID}/sign`]: refused(status, code) },
      { keys: await browserKeys() },
    )
    await pressNamed('button', 'Approve')
    await typeInto('Reason', REASON)
    await pressNamed('button', 'Continue')
    await pressNamed('button', 'Sign and propose')
    await seen('alert', words)
  })

  it('a reason of nine characters is not enough', async () => {
    const { sent } = renderConsole('/payouts/5', { 'GET /payouts/5': WHOLE })
    await pressNamed('button', 'Approve')
    await typeInto('Reason', 'too short')
    const button = await seen('button', 'Continue')
    expect(button.hasAttribute('disabled')).toBe(true)
    expect(sent('POST /requests')).toEqual([])
  })

  it('somebody without the role sees why the button does nothing', async () => {
    const me = { id: '9', name: 'reader', roles: ['auditor' as const] }
    renderConsole('/payouts/5', { 'GET /payouts/5': WHOLE }, { me })
    const button = await seen('button', 'Approve')
    expect(button.hasAttribute('disabled')).toBe(true)
    await said('Needs the role Approver.')
  })
})
