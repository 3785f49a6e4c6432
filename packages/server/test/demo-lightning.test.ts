import { readBolt11 } from '@fairball/domain/bolt11'
import { payeeOfBolt11 } from '@fairball/domain/bolt11-signature'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NodeSilent } from '../src/ports/lightning/lightning-node.ts'
import { TestLightning } from '../src/ports/lightning/test-node.ts'
import { CONFIG, testApplication, type TestApplication } from './application.ts'

const ANN = '/.well-known/lnurlp/ann'
const HOST = new URL(CONFIG.publicUrl).host
const LEAST = 1000
const MOST = 50_000_000_000

let site: TestApplication
beforeAll(async () => {
  site = await testApplication({ config: { lightning: 'test' } })
})
afterAll(() => site.end())

const get = (url: string) => site.application.http.inject({ url })
const described = async (url = ANN) => (await get(url)).json<{ callback: string; metadata: string }>()

/** Asks for an invoice as a wallet does: at the address that the description names. */
async function asked(amount: string | number): Promise<{ pr?: string; status?: string; reason?: string }> {
  const { pathname } = new URL((await described()).callback)
  return (await get(`${pathname}?amount=${amount}`)).json()
}

/** Has a node pay an invoice of the demo's wallet. */
async function paid(invoice: string): Promise<void> {
  const { db, runtime } = site
  const node = new TestLightning({ db, runtime, network: 'regtest', seed: new Uint8Array(32) })
  await node.send({ invoice, hash: '', maxFeeMsat: 100_000n, retrySeconds: 30, label: 'payout' })
}

describe('a Lightning address of the demo', () => {
  it('any name is an address, which says what it takes and where', async () => {
    expect(await described()).toEqual({
      tag: 'payRequest',
      callback: `${CONFIG.publicUrl}${ANN}/callback`,
      minSendable: LEAST,
      maxSendable: MOST,
      metadata: JSON.stringify([
        ['text/plain', `Payment to ann@${HOST}, the demo’s wallet`],
        ['text/identifier', `ann@${HOST}`],
      ]),
    })
    const odd = await described('/.well-known/lnurlp/a.b_c-d%2Btips')
    expect(odd.callback).toBe(`${CONFIG.publicUrl}/.well-known/lnurlp/a.b_c-d%2Btips/callback`)
    expect(odd.metadata).toContain(`"a.b_c-d+tips@${HOST}"`)
  })

  it('its invoice is for exactly the amount, commits to the description, and is signed by the wallet', async () => {
    const { rows } = await (await site.connect()).query<{ node_id: string }>('select node_id from lightning_node')
    const signers = new Set<string | null>()
    for (const amount of [LEAST, 12_345_678, MOST]) {
      const { pr = '' } = await asked(amount)
      const invoice = readBolt11(pr)
      const { metadata } = await described()
      expect(invoice).toMatchObject({
        network: 'regtest',
        amountMsat: BigInt(amount),
        description: null,
        descriptionHash: createHash('sha256').update(metadata).digest('hex'),
        expirySeconds: 600,
        madeAt: site.runtime.clock.now(),
        features: [8, 14, 17],
      })
      signers.add(payeeOfBolt11(pr))
    }
    expect([...signers]).toEqual([expect.stringMatching(/^0[23][0-9a-f]{64}$/)])
    expect(signers).not.toContain(rows[0]?.node_id)
    expect((await asked(LEAST)).pr).not.toBe((await asked(LEAST)).pr)
  })

  it.each([LEAST - 1, MOST + 1, 0, -1000, '', '1e6', '1000.5', '0x400', '9'.repeat(30), '1000&amount=2000'])(
    'an amount of "%s" is refused with a reason, and without an invoice',
    async (amount) => {
      const answer = await asked(amount)
      expect(answer).toEqual({ status: 'ERROR', reason: expect.stringContaining('1000 to 50000000000') })
    },
  )

  it('what is no name has no address', async () => {
    for (const name of ['Ann', 'ann%20b', '%00', '%zz', 'a'.repeat(65), '%2e%2e%2fapi', 'ann%40host'])
      expect([name, (await get(`/.well-known/lnurlp/${name}`)).statusCode]).toEqual([name, name === '%zz' ? 307 : 404])
    expect((await get(`${ANN}/other`)).statusCode).toBe(404)
    const { statusCode, body } = await get('/.well-known/lnurlp/Ann/callback?amount=1000')
    expect([statusCode, JSON.parse(body)]).toEqual([404, { status: 'ERROR', reason: 'There is no such address.' }])
  })

  it('its answers have the security headers and are not kept, and invoices are limited by the caller’s address', async () => {
    const { headers, statusCode } = await get(`${ANN}/callback?amount=1000`)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': expect.stringContaining('application/json'),
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    const ask = () => site.application.http.inject({ url: `${ANN}/callback?amount=1`, remoteAddress: '192.0.2.7' })
    for (let times = 0; times < 600; times += 1) expect((await ask()).statusCode).toBe(200)
    const refused = await ask()
    expect([refused.statusCode, refused.json().status]).toEqual([429, 'ERROR'])
    expect((await get(`${ANN}/callback?amount=1000`)).statusCode).toBe(200)
  })

  it('no such address exists in production, nor in a demo without a Lightning node of its own', async () => {
    for (const config of [{ mode: 'production', publicUrl: 'https://fairball.test' }, { lightning: 'none' }] as const) {
      const other = await testApplication({ config })
      for (const path of [ANN, `${ANN}/callback?amount=1000`])
        expect((await other.application.http.inject({ url: path })).statusCode).toBe(404)
      expect(other.application.http.printRoutes({ commonPrefix: false })).not.toContain('lnurlp')
    }
  })
})

describe('what the demo shows of Lightning', () => {
  const shown = async () => (await site.call('GET', '/dev/wallet')).body.lightning

  it('a payment is among those sent once it has arrived, with its preimage and its address', async () => {
    const before = await shown()
    const { pr = '' } = await asked(5_000_000)
    await site.call('POST', '/dev/lightning', { body: { mode: 'hold' } })
    await expect(paid(pr)).rejects.toThrow(NodeSilent)
    expect(await shown()).toEqual(before)
    expect((await site.call('POST', '/dev/lightning', { body: { mode: 'ok' } })).body).toEqual({ mode: 'ok' })
    const { received, sent } = await shown()
    expect(received).toBe(before.received)
    expect(sent).toEqual([
      {
        payment_hash: readBolt11(pr)?.hash,
        preimage: expect.stringMatching(/^[0-9a-f]{64}$/),
        destination: `ann@${HOST}`,
        amount: '0.00005000',
        at: site.runtime.clock.now(),
      },
      ...before.sent,
    ])
    const [{ preimage, payment_hash: hash }] = sent
    expect(createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex')).toBe(hash)
  })

  it('a payment that the payee refuses is not among those sent, and the wallet is shown while the node is down', async () => {
    const before = await shown()
    const { pr = '' } = await asked(6_000_000)
    await site.call('POST', '/dev/lightning', { body: { mode: 'fail' } })
    await expect(paid(pr)).rejects.toMatchObject({ code: 203 })
    await site.call('POST', '/dev/lightning', { body: { mode: 'down' } })
    await expect(paid(pr)).rejects.toThrow(NodeSilent)
    expect(await shown()).toEqual(before)
    const refused = await site.call('POST', '/dev/lightning', { body: { mode: 'broken' } })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'INVALID_PAYLOAD'])
    await site.call('POST', '/dev/lightning', { body: { mode: 'ok' } })
  })
})
