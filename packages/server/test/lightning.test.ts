import { createHash } from 'node:crypto'
import { readBolt11 } from '@fairball/domain/bolt11'
import { payeeOfBolt11 } from '@fairball/domain/bolt11-signature'
import { describe, expect, it } from 'vitest'
import { type Answer, PASSWORD, testApplication, type TestApplication, type TestPlayer } from './application.ts'
import { findViolations } from '../src/modules/invariants/service.ts'

const LINES = [
  [1, 2, 3, 4, 5],
  [6, 7, 8, 9, 10],
].map((numbers) => ({ isLuckyDip: false, numbers }))
const WEEK = [1, 2, 3, 4, 5, 6, 7]
const CONFIG = { lightning: 'test' } as const
const MINUTE = 60

/** A demo that takes Lightning, and a player in it. */
async function lightningDemo({
  address,
  ...config
}: Parameters<typeof testApplication>[0] & { readonly address?: null } = {}) {
  const program = await testApplication({ ...config, config: { ...CONFIG, ...config.config } })
  const player = await program.signUp(address === null ? { address } : {})
  return { program, player, ...controlsOf(program, player) }
}

function controlsOf(program: TestApplication, { bearer }: TestPlayer) {
  return {
    async order(days: readonly number[] = [4, 5]): Promise<{ id: string; promise: string }> {
      const body = { type: 'lotto', key: 'bitcoin-hero', days, weeks: 1, tickets: LINES }
      const answer = await program.call('POST', '/payment', { bearer, body })
      expect(answer.status).toBe(201)
      return { id: answer.body.transaction_id, promise: answer.body.promise }
    },
    checkout: async (id: string) => (await program.call('GET', `/checkout/${id}`)).body,
    pay: (body: Record<string, unknown>): Promise<Answer> => program.call('POST', '/dev/pay', { body }),
    setMode: (mode: string): Promise<Answer> => program.call('POST', '/dev/lightning', { body: { mode } }),
    history: async () => (await program.call('GET', '/settings/transactions', { bearer })).body.results,
    solvency: async () => (await program.call('GET', '/solvency')).body,
    async assertSound(): Promise<void> {
      expect(await findViolations(program.db)).toEqual([])
      const { difference, solvent } = (await program.call('GET', '/solvency')).body
      expect([difference, solvent]).toEqual(['0.00000000', true])
    },
  }
}

const sats = (btc: string): bigint => BigInt(btc.replace('.', ''))

describe('an order paid over Lightning', () => {
  it('an order has an invoice that its promise names, and is paid by it at once', async () => {
    const { order, checkout, pay, history, solvency, assertSound } = await lightningDemo()
    const { id, promise } = await order()
    const shown = await checkout(id)
    const { bolt11, payment_hash: hash, expires_at: expiresAt } = shown.lightning
    const invoice = readBolt11(bolt11)
    const due = sats(shown.amount.crypto.value)
    expect(shown.lightning).toMatchObject({ state: 'open', paid_at: null, is_first: true })
    expect(promise).toContain(`\npay bitcoin ${shown.address}\npay lightning ${hash}\n`)
    expect(invoice).toMatchObject({ network: 'regtest', hash, amountMsat: due * 1000n, features: [8, 14, 17] })
    expect(invoice?.description).toBe(`Fairball: Bitcoin Hero, 2 lines, 2 draws. Order ${id.slice(0, 8)}`)
    expect((invoice?.madeAt ?? 0) + (invoice?.expirySeconds ?? 0)).toBe(expiresAt)
    expect(expiresAt).toBe(shown.expires_at)
    expect(shown.uri).toBe(`bitcoin:${shown.address}?amount=${shown.amount.crypto.value}`)
    expect(shown.unified_uri).toBe(`${shown.uri}&lightning=${bolt11}`)
    // The same page again has the same invoice.
    expect((await checkout(id)).lightning).toEqual(shown.lightning)

    const before = await solvency()
    expect(await pay({ transaction_id: id, method: 'lightning' })).toMatchObject({
      status: 200,
      body: { status: 'PAID' },
    })
    const paid = await checkout(id)
    expect(paid).toMatchObject({ status: 'PAID', address: null, uri: null, unified_uri: null, transactions: [] })
    expect(paid.lightning).toMatchObject({ state: 'paid', payment_hash: hash })
    expect(paid.lightning.paid_at).toBeGreaterThan(0)
    const [row] = await history()
    expect(row).toMatchObject({
      network: 'LIGHTNING',
      status: 'PAID',
      transactions: [{ tnx_link: null, tnx_label: 'Lightning' }],
    })
    const after = await solvency()
    expect(sats(after.assets.lightning) - sats(before.assets.lightning)).toBe(due)
    expect(after.assets.wallet).toBe(before.assets.wallet)
    await assertSound()
    expect((await pay({ transaction_id: id, method: 'lightning' })).status).toBe(400)
  })

  it('a payment over Lightning is whole: a satoshi less is refused, twice the amount is taken and the rest given back', async () => {
    const { order, checkout, pay, history, assertSound } = await lightningDemo()
    const { id } = await order()
    const due = Number((await checkout(id)).amount.crypto.value)
    const over = async (times: number, moreSats = 0): Promise<Answer> =>
      await pay({ transaction_id: id, method: 'lightning', amount: (due * times + moreSats / 1e8).toFixed(8) })
    expect((await over(1, -1)).status).toBe(400)
    expect((await over(2, 1)).status).toBe(400)
    expect((await checkout(id)).status).toBe('PENDING')
    expect((await over(2)).body.status).toBe('PAID')
    expect((await checkout(id)).excess.value).toBe(due.toFixed(8))
    expect((await history()).map((row: { type: string }) => row.type)).toContain('REFUND')
    await assertSound()
  })

  it('the first output on the chain closes the invoice, and the rest is paid there', async () => {
    const { order, checkout, pay, assertSound } = await lightningDemo()
    const { id } = await order()
    const whole = (await checkout(id)).amount.crypto.value
    await pay({ transaction_id: id, amount: (Number(whole) * 0.4).toFixed(8) })
    const part = await checkout(id)
    expect([part.status, part.lightning.state, part.unified_uri]).toEqual(['UNDERPAID', 'closed', part.uri])
    expect((await pay({ transaction_id: id, method: 'lightning' })).status).toBe(400)
    expect((await pay({ transaction_id: id })).body.status).toBe('PAID')
    await assertSound()
  })

  it('an order that is paid both ways is played once, and the second payment goes back', async () => {
    const { order, checkout, pay, assertSound } = await lightningDemo()
    const { id } = await order()
    const { address, amount } = await checkout(id)
    expect((await pay({ transaction_id: id, method: 'lightning' })).body.status).toBe('PAID')
    // A wallet that was already sending: the page shows no address any more.
    expect(address).toMatch(/^bcrt1/)
    await pay({ transaction_id: id, amount: amount.crypto.value })
    const both = await checkout(id)
    expect([both.status, both.excess.value]).toEqual(['PAID', amount.crypto.value])
    expect(both.transactions).toHaveLength(1)
    await assertSound()
  })

  it('while the node is away an order is paid at its address, and the invoice comes once the node is back', async () => {
    const { program, order, checkout, pay, setMode, assertSound } = await lightningDemo()
    await order() // it is known to work
    expect((await setMode('down')).body).toEqual({ mode: 'down' })
    const { id } = await order()
    const shown = await checkout(id)
    expect(shown.lightning).toMatchObject({ state: 'unavailable', bolt11: null })
    expect(shown.unified_uri).toBe(shown.uri)
    expect((await program.call('GET', '/solvency')).status).toBe(200)
    await setMode('ok')
    const back = (await checkout(id)).lightning
    expect([back.state, readBolt11(back.bolt11)?.hash]).toEqual(['open', shown.lightning.payment_hash])
    expect((await pay({ transaction_id: id, method: 'lightning' })).body.status).toBe('PAID')
    await assertSound()
  })

  it('an order made when nothing is known of the node names no invoice at all', async () => {
    const { program, checkout, order, setMode } = await lightningDemo()
    await setMode('down')
    const { id, promise } = await order()
    expect(promise).not.toContain('lightning')
    expect((await checkout(id)).lightning).toMatchObject({ state: 'unavailable', bolt11: null })
    await setMode('ok')
    expect((await checkout(id)).lightning.state).toBe('unavailable')
    expect(await findViolations(program.db)).toEqual([])
  })

  it('an order above the limit, and one without time left, are paid at their address alone', async () => {
    const { order, checkout } = await lightningDemo({ config: { lightningInMaxSats: 1_000n } })
    expect((await checkout((await order()).id)).lightning).toBeNull()

    const late = await lightningDemo()
    const [draw] = (await late.program.call('GET', '/games/bitcoin-hero')).body.draws ?? []
    const closesAt = draw?.ticket_sell_closes_at ?? (await firstClose(late.program))
    await late.program.moveTo(closesAt - 5 * MINUTE)
    const soon = { ...late.player, bearer: await late.program.logIn(late.player.email) }
    const { id } = await controlsOf(late.program, soon).order(WEEK)
    const shown = await late.checkout(id)
    expect(shown.lightning.expires_at).toBe(closesAt - MINUTE)
    await late.program.moveTo(closesAt - 90)
    expect((await late.checkout(id)).lightning.state).toBe('unavailable')
    const last = await controlsOf(late.program, soon).order(WEEK)
    expect((await late.checkout(last.id)).lightning).toMatchObject({ state: 'unavailable', bolt11: null })
    expect(last.promise).not.toContain('lightning')
    await late.program.moveTo(closesAt - 30)
    expect((await late.checkout(id)).lightning.state).toBe('closed')
    expect((await late.pay({ transaction_id: id, method: 'lightning' })).status).toBe(400)
  })

  it('an expired invoice is refused by the node, and an order that its player ended has none', async () => {
    const { program, player, order, checkout, pay, assertSound } = await lightningDemo()
    const { id } = await order()
    await program.moveTo(program.runtime.clock.now() + 16 * MINUTE)
    expect((await checkout(id)).lightning.state).toBe('closed')
    expect((await pay({ transaction_id: id, method: 'lightning' })).status).toBe(400)

    const again = { ...player, bearer: await program.logIn(player.email) }
    const ended = await controlsOf(program, again).order()
    const pause = { excluded_until: program.runtime.clock.now() + 200 * 86_400 }
    await program.call('PUT', '/settings/responsible-play', { bearer: again.bearer, body: pause })
    const shown = await checkout(ended.id)
    expect([shown.ended_because, shown.lightning.state, shown.address]).toEqual(['PAUSE', 'closed', null])
    await program.call('GET', '/dev/clock') // its work is done
    expect((await pay({ transaction_id: ended.id, method: 'lightning' })).status).toBe(400)
    await assertSound()
  })

  it('the export has the invoice, and an erased account leaves no text of it', async () => {
    const { program, player, order, pay } = await lightningDemo()
    const { id } = await order()
    await pay({ transaction_id: id, method: 'lightning' })
    const data = (await program.call('GET', '/settings/personal-data', { bearer: player.bearer })).body
    expect(data.lightning_invoices).toMatchObject([{ order_id: id, paid_at: expect.anything() }])
    expect(payeeOfBolt11(data.lightning_invoices[0].bolt11)).toMatch(/^0[23][0-9a-f]{64}$/)
  })

  it('no preimage is in an answer, a log line or an export', async () => {
    const { program, player, order, checkout, pay } = await lightningDemo()
    const { id } = await order()
    await pay({ transaction_id: id, method: 'lightning' })
    const shown = await checkout(id)
    const client = await program.connect()
    const { rows } = await client.query<{ preimage: Uint8Array }>('select preimage from test_ln_invoices')
    const preimage = Buffer.from(rows[0]?.preimage ?? []).toString('hex')
    expect(
      createHash('sha256')
        .update(rows[0]?.preimage ?? '')
        .digest('hex'),
    ).toBe(shown.lightning.payment_hash)
    const data = (await program.call('GET', '/settings/personal-data', { bearer: player.bearer })).body
    const told = JSON.stringify([shown, data, program.runtime.logged])
    expect(told).not.toContain(preimage)
  })
})

describe('money owed to a player', () => {
  it('it arrives at a Lightning address of the demo, and its player and the wallet see the same preimage', async () => {
    const { program, player, order, checkout, pay, history, assertSound } = await lightningDemo({ address: null })
    const destination = `anna@${HOST}`
    await saving(program, player, { lightning: destination, pay_first: 'LIGHTNING' })
    const { id } = await order()
    const due = Number((await checkout(id)).amount.crypto.value)
    await pay({ transaction_id: id, method: 'lightning', amount: (2 * due).toFixed(8) })
    await program.call('GET', '/dev/clock') // its work is done

    const excess = sats(due.toFixed(8))
    const arrives = excess - 1n - (excess * 5_000n + 999_999n) / 1_000_000n
    const { lightning: wallet } = (await program.call('GET', '/dev/wallet')).body
    expect(wallet.sent).toMatchObject([{ destination, amount: btc(arrives) }])
    const [{ payment_hash: hash, preimage }] = wallet.sent
    expect(createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex')).toBe(hash)
    const refund = (await history()).find((row: { type: string }) => row.type === 'REFUND')
    expect(refund).toMatchObject({
      network: 'LIGHTNING',
      transactions: [{ tnx_link: null, tnx_label: 'Lightning' }],
      receipt: { payment_hash: hash, preimage },
    })
    expect(readBolt11(refund.receipt.invoice)).toMatchObject({ hash, amountMsat: arrives * 1000n })
    const balance = (await program.call('GET', '/settings/balance', { bearer: player.bearer })).body
    expect([balance.waiting.items, balance.on_its_way.items, balance.paid.total.crypto.value]).toEqual([
      [],
      [],
      btc(excess),
    ])
    const mails = (await program.call('GET', `/dev/mail?to=${encodeURIComponent(player.email)}`)).body
    expect(JSON.stringify(mails)).toContain(`over Lightning to ${destination}`)
    const data = (await program.call('GET', '/settings/personal-data', { bearer: player.bearer })).body
    expect(JSON.stringify(data)).toContain(hash)
    await assertSound()
  })
})

/** Where the demo's own Lightning addresses are. */
const HOST = 'localhost:3000'

function btc(amount: bigint): string {
  return (Number(amount) / 1e8).toFixed(8)
}

/** Saves where a player is paid, while a worker works. */
async function saving(program: TestApplication, { bearer }: TestPlayer, details: object): Promise<void> {
  let isOver = false
  const body = { password: PASSWORD, ...details }
  const answer = program
    .call('PUT', '/settings/crypto-account-details', { bearer, body })
    .finally(() => (isOver = true))
  while (!isOver) {
    await program.call('GET', '/dev/clock')
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect((await answer).status).toBe(200)
}

async function firstClose(program: TestApplication): Promise<number> {
  const client = await program.connect()
  const now = program.runtime.clock.now()
  const { rows } = await client.query<{ at: string }>(
    `select min(closes_at) as at from draws where game_key = 'bitcoin-hero' and closes_at > $1`,
    [now],
  )
  return Number(rows[0]?.at)
}
