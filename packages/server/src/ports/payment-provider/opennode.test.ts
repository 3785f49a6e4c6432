import { afterEach, describe, expect, it } from 'vitest'
import { addressAt, hashOf } from '../../../test/providers/coins.ts'
import { type Json, objectOf } from '../../../test/providers/openapi.ts'
import {
  hashedOrder,
  type OpennodeDelivery,
  type OpennodeStandIn,
  type OpennodeStandInOptions,
  startOpennode,
} from '../../../test/providers/opennode.ts'
import { outside, seededNumbers, shuffled } from '../../../test/providers/outside.ts'
import { createOpennodeProvider, OPENNODE_API_URL, OPENNODE_TEST_API_URL, type OpennodeOptions } from './opennode.ts'
import type { CheckoutRequest, SeenOutput } from './payment-provider.ts'
import { casesOf } from '../../../test/share.ts'

/** Deliveries of a storm: genuine ones once more, and forged ones. */
const DELIVERIES = casesOf({ all: 10_000, share: 1_000 })

const KEY = 'e3a1c9b7-planted-api-key'
const ORDER = '0d9f1c1e-63a7-4a8e-9b39-3f4f6c1d2e5a'
const DUE = 12_345n
const MINUTE = 60

const standIns: OpennodeStandIn[] = []
afterEach(async () => {
  await Promise.all(standIns.splice(0).map((standIn) => standIn.close()))
})

/** An account, our adapter for it, and one order to be paid. */
async function shop(options: Partial<OpennodeOptions & Pick<OpennodeStandInOptions, 'answers'>> = {}) {
  const runtime = outside()
  const { answers = 'today', ...ours } = options
  const opennode = await startOpennode({ apiKey: KEY, network: 'regtest', now: runtime.clock.now, answers })
  standIns.push(opennode)
  const provider = createOpennodeProvider(runtime, {
    apiUrl: opennode.url,
    apiKey: KEY,
    network: 'regtest',
    requiredConfirmations: () => 2,
    publicUrl: 'https://lottery.example',
    ...ours,
  })
  const request = (more: Partial<CheckoutRequest> = {}): CheckoutRequest => ({
    orderId: ORDER,
    amountSats: DUE,
    description: 'Bitcoin Lotto: 3 lines',
    expiresAt: runtime.clock.now() + 15 * MINUTE,
    returnUrl: `https://lottery.example/game/bitcoin-lotto?transaction_id=${ORDER}`,
    ...more,
  })
  return {
    runtime,
    opennode,
    provider,
    request,
    /** Makes the order's charge. @returns its id */
    open: async (more: Partial<CheckoutRequest> = {}) => (await provider.createCheckout(request(more))).ref,
    read: (delivery: OpennodeDelivery) => provider.webhook?.read(delivery.headers, delivery.body) ?? null,
    logged: () => JSON.stringify(runtime.logged),
  }
}

const shown = (outputs: readonly SeenOutput[]): string[] =>
  outputs.map(({ sats, confirmations, network }) => `${sats} ${network} ${confirmations}`)

const isCreation = (request: { method: string }): boolean => request.method === 'POST'

describe('a checkout at OpenNode', () => {
  it('a checkout is quoted in satoshis, never in another currency, and ends when the order does', async () => {
    const { opennode, provider, request, runtime } = await shop()
    const checkout = await provider.createCheckout(request())
    const asked = opennode.exchanges.find(isCreation)
    expect(asked?.path).toBe('/v1/charges')
    expect(asked?.headers.authorization).toBe(KEY)
    expect(asked?.body).toEqual({
      amount: 12345,
      description: 'Bitcoin Lotto: 3 lines',
      order_id: ORDER,
      callback_url: 'https://lottery.example/webhooks/opennode',
      success_url: `https://lottery.example/game/bitcoin-lotto?transaction_id=${ORDER}`,
      ttl: 15,
      auto_settle: false,
    })
    expect(checkout).toEqual({
      ref: expect.any(String),
      checkoutUrl: `${opennode.url}/checkout/${checkout.ref}`,
      address: addressAt(1, 'regtest'),
      expiresAt: runtime.clock.now() + 15 * MINUTE,
    })
  })

  it('a checkout whose answer names no page has OpenNode’s documented one', async () => {
    const { provider, request } = await shop({ answers: 'old' })
    const { ref, checkoutUrl } = await provider.createCheckout(request())
    expect(checkoutUrl).toBe(`https://checkout.opennode.com/${ref}`)
  })

  it.each(['lost', 'half'] as const)(
    'whose answer is %s is looked up by the order and not made again',
    async (fault) => {
      const { opennode, open } = await shop()
      opennode.fail(fault, 1, isCreation)
      await open()
      expect(opennode.count()).toBe(1)
    },
  )

  it('a checkout whose answer and look-up are both lost fails, and the next attempt finds the one charge', async () => {
    const { opennode, open } = await shop()
    opennode.fail('lost', 1, isCreation)
    opennode.fail(503, 1, ({ method }) => method === 'GET')
    await expect(open()).rejects.toThrow('did not answer')
    opennode.fail(503, 1, ({ method }) => method === 'GET')
    await expect(open()).rejects.toThrow('503') // still unknown, so still not made again
    await open()
    expect(opennode.count()).toBe(1)
  })

  it.each([429, 500, 503, 'html', 'huge', 'moved'] as const)(
    'a checkout that meets %s fails, makes none unrequested, and works the next time',
    async (fault) => {
      const { opennode, open } = await shop()
      opennode.fail(fault, 1, isCreation)
      await expect(open()).rejects.toThrow(/opennode/)
      expect(opennode.exchanges.filter(isCreation)).toHaveLength(1)
      await open()
      expect(opennode.count()).toBe(1)
    },
  )

  it('a checkout without an answer is given up after five seconds', async () => {
    const { opennode, open, runtime } = await shop()
    opennode.fail('silent')
    const outcome = expect(open()).rejects.toThrow('did not answer')
    await expect.poll(() => opennode.exchanges.length).toBe(1)
    runtime.pass(5_000)
    await outcome
  })

  it.each(['mainnet', 'signet', 'testnet4'] as const)(
    'a checkout on %s is not shown to a player when we are on regtest',
    async (other) => {
      const { opennode, open } = await shop()
      opennode.moveTo(other)
      await expect(open()).rejects.toMatchObject({ name: 'ProviderUnfit' })
    },
  )

  it('a checkout on testnet 4 is told apart from one on signet by its Lightning invoice', async () => {
    const { opennode, open } = await shop({ network: 'testnet4' })
    opennode.moveTo('signet')
    await expect(open()).rejects.toThrow('does not take testnet4')
    opennode.moveTo('testnet4')
    await open({ orderId: `${ORDER}-2` })
  })
})

describe('a charge of OpenNode', () => {
  type Shop = Awaited<ReturnType<typeof shop>>
  const later = ({ runtime }: Shop, minutes: number): void => runtime.clock.set(runtime.clock.now() + minutes * MINUTE)
  /** what happens → state at OpenNode → what pays the order */
  const STATES: [string, (shop: Shop, id: string) => void, string, string[]][] = [
    ['nothing came', () => undefined, 'unpaid', []],
    [
      'a part is in the mempool',
      ({ opennode }, id) => void opennode.pay(id, { sats: 345n }),
      'underpaid',
      ['345 ONCHAIN 0'],
    ],
    [
      'a part is mined, which its payer may still take back',
      ({ opennode }, id) => void opennode.pay(id, { sats: 345n, isMined: true }),
      'underpaid',
      ['345 ONCHAIN 0'],
    ],
    [
      'a part was mined and taken back',
      ({ opennode }, id) => {
        opennode.pay(id, { sats: 345n, isMined: true })
        opennode.takeBack(id)
      },
      'refunded',
      [],
    ],
    [
      'all of it is in the mempool',
      ({ opennode }, id) => void opennode.pay(id, { sats: DUE }),
      'processing',
      ['12345 ONCHAIN 0'],
    ],
    [
      'all of it is mined',
      ({ opennode }, id) => void opennode.pay(id, { sats: DUE, isMined: true }),
      'paid',
      ['12345 ONCHAIN 2'],
    ],
    [
      'it was underpaid and topped up',
      ({ opennode }, id) => {
        opennode.pay(id, { sats: 345n })
        opennode.pay(id, { sats: 12_000n })
        opennode.mine(id)
      },
      'paid',
      ['12000 ONCHAIN 2', '345 ONCHAIN 2'],
    ],
    [
      'too much is mined',
      ({ opennode }, id) => void opennode.pay(id, { sats: 20_000n, isMined: true }),
      'paid',
      ['20000 ONCHAIN 2'],
    ],
    [
      'it is paid again, and the second payment is not mined',
      ({ opennode }, id) => {
        opennode.pay(id, { sats: DUE, isMined: true })
        opennode.pay(id, { sats: DUE + 1n })
      },
      'paid',
      ['12345 ONCHAIN 2', '12346 ONCHAIN 0'],
    ],
    [
      'it was paid over Lightning',
      ({ opennode }, id) => opennode.payOverLightning(id),
      'paid',
      ['12345 LIGHTNING 1000000'],
    ],
    [
      'it was paid over Lightning and on the chain',
      ({ opennode }, id) => {
        opennode.payOverLightning(id)
        opennode.pay(id, { sats: DUE, isMined: true })
      },
      'paid',
      ['12345 LIGHTNING 1000000', '12345 ONCHAIN 2'],
    ],
    [
      'its payment was replaced by one to somebody else',
      ({ opennode }, id) => opennode.replaceAway(id, opennode.pay(id, { sats: DUE })),
      'unpaid',
      [],
    ],
    ['it ran out unpaid', (one) => later(one, 20), 'expired', []],
    [
      'it is paid late, and mined',
      (one, id) => {
        later(one, 20)
        one.opennode.pay(id, { sats: DUE, isMined: true })
      },
      'paid',
      ['12345 ONCHAIN 2'],
    ],
  ]

  it.each(STATES)('a charge is paid by what OpenNode credits when %s (%s)', async (_case, happen, state, outputs) => {
    const one = await shop()
    const id = await one.open()
    happen(one, id)
    expect(one.opennode.stateOf(id)).toBe(state)
    const { outputs: seen, raw, isFinal, leavesCounted } = await one.provider.get(id)
    expect(shown(seen).toSorted()).toEqual(outputs.toSorted())
    expect(objectOf(raw as Json)['status']).toBe(state)
    const isCredited = state === 'paid' && seen.every((output) => output.confirmations > 0)
    expect(isFinal).toBe(isCredited)
    expect(leavesCounted).toBe(state === 'refunded')
  })

  it('one transaction for the charges of two orders pays both, each by its own output', async () => {
    const { opennode, open, provider } = await shop()
    const [one, other] = [await open(), await open({ orderId: `${ORDER}-2` })]
    for (const id of [one, other]) opennode.pay(id, { sats: DUE, isMined: true, txid: hashOf('batch') })
    const outpoints = [...(await provider.get(one)).outputs, ...(await provider.get(other)).outputs].map(
      (o) => o.outpoint,
    )
    expect(outpoints).toEqual([
      `${hashOf('batch')}:${addressAt(1, 'regtest')}`,
      `${hashOf('batch')}:${addressAt(2, 'regtest')}`,
    ])
  })

  it('a charge keeps its outpoints and times from check to check, two equal outputs of one transaction told apart', async () => {
    const { opennode, open, provider, runtime } = await shop()
    const id = await open()
    const at = runtime.clock.now()
    for (let time = 0; time < 2; time += 1) opennode.pay(id, { sats: DUE, txid: hashOf('twin') })
    const before = (await provider.get(id)).outputs
    expect(new Set(before.map(({ outpoint }) => outpoint)).size).toBe(2)
    runtime.clock.set(at + 600)
    opennode.mine(id)
    const after = (await provider.get(id)).outputs
    expect(after.map(({ outpoint, seenAt }) => [outpoint, seenAt])).toEqual(
      before.map(({ outpoint }) => [outpoint, at]),
    )
  })

  it.each([
    ['on the chain', (one: Shop, id: string) => void one.opennode.pay(id, { sats: DUE, isMined: true }), 'ONCHAIN 2'],
    ['over Lightning', (one: Shop, id: string) => one.opennode.payOverLightning(id), 'LIGHTNING 1000000'],
  ])('a charge paid %s is read from an old answer as well', async (_how, pay, words) => {
    const one = await shop({ answers: 'old' })
    const id = await one.open()
    pay(one, id)
    expect(shown((await one.provider.get(id)).outputs)).toEqual([`12345 ${words}`])
  })

  it('a charge that OpenNode does not know is unknown, which is no answer while money is at stake', async () => {
    const { opennode, open, provider } = await shop()
    const id = await open()
    opennode.forget(id)
    expect(await provider.get(id)).toMatchObject({ outputs: [], isFinal: true, isUnknown: true })
  })

  it.each(['lost', 'half', 'html', 'huge', 'moved', 429, 500, 503] as const)(
    'a charge is unknown, and not unpaid, while OpenNode answers %s',
    async (fault) => {
      const { opennode, open, provider } = await shop()
      const id = await open()
      opennode.pay(id, { sats: DUE })
      opennode.fail(fault)
      await expect(provider.get(id)).rejects.toThrow()
      expect(shown((await provider.get(id)).outputs)).toEqual(['12345 ONCHAIN 0'])
    },
  )
})

/** A charge in the format of answers; a case overrides the defaults. */
function answerWith(more: Record<string, unknown>): typeof globalThis.fetch {
  const charge = {
    id: 'c1',
    status: 'paid',
    amount: 12345,
    order_id: ORDER,
    created_at: 1_700_000_000,
    address: addressAt(1, 'regtest'),
  }
  return async () => Response.json({ data: { ...charge, ...more } })
}

describe('an answer of OpenNode', () => {
  const txid = hashOf('t')
  const address = addressAt(1, 'regtest')
  const row = { address, tx: txid, status: 'confirmed', amount: 12345, created_at: 1_700_000_100, settled_at: null }
  const onChain = {
    outpoint: `${txid}:${address}`,
    sats: DUE,
    confirmations: 2,
    seenAt: 1_700_000_100,
    network: 'ONCHAIN',
  }
  const lightning = {
    outpoint: 'ln:c1:0',
    sats: DUE,
    confirmations: 1_000_000,
    seenAt: 1_700_000_000,
    network: 'LIGHTNING',
  }

  it.each<[string, Record<string, unknown>, object[]]>([
    [
      'with numbers as texts',
      { amount: '12345', transactions: [{ ...row, amount: '12345', created_at: '1700000100' }] },
      [onChain],
    ],
    ['with times in milliseconds', { transactions: [{ ...row, created_at: 1_700_000_100_000 }] }, [onChain]],
    ['with times as dates', { transactions: [{ ...row, created_at: '2023-11-14T22:15:00.000Z' }] }, [onChain]],
    ['that says Lightning by its method alone', { payment_method: 'lightning' }, [lightning]],
    ['in a state that came later', { status: 'blessed', transactions: [row] }, [{ ...onChain, confirmations: 0 }]],
    [
      'whose Lightning request is for less',
      {
        payment_method: 'lightning',
        lightning_invoice: { payreq: 'lnbcrt100u1pqqqq', settled_at: 1_700_000_050 },
      },
      [{ ...lightning, sats: 10_000n, seenAt: 1_700_000_050 }],
    ],
  ])('the answer is read: %s', async (_case, more, outputs) => {
    const { provider } = withAnswer(more)
    expect((await provider.get('c1')).outputs).toEqual(outputs)
  })

  it.each<[string, Record<string, unknown>]>([
    ['that says nothing of how it was paid', {}],
    ['that is paid by transactions not told yet', { transactions: [], chain_invoice: { address, tx: txid } }],
    ['that is paid at no address', { address: null, transactions: [{ ...row, address: null }] }],
    ['paid on the chain by no transaction', { chain_invoice: { address, settled_at: 1_700_000_200 } }],
    ['without a status', { status: undefined }],
    ['with half a satoshi', { amount: 0.5 }],
    ['with less than nothing', { transactions: [{ ...row, amount: -1 }] }],
    ['with a transaction that is none', { transactions: [{ ...row, tx: 'abc' }] }],
  ])('the answer is not guessed but read again later: %s', async (_case, more) => {
    const { provider } = withAnswer(more)
    await expect(provider.get('c1')).rejects.toMatchObject({ name: 'ProviderSilent' })
  })

  it('an answer names a payment as every other answer does, even if its list begins with another output', async () => {
    const twins = [2_000, 1_000].map((sats) => ({ ...row, amount: sats }))
    const named = async (rows: object[]) =>
      (await withAnswer({ transactions: rows }).provider.get('c1')).outputs
        .map(({ outpoint, sats }) => `${outpoint} ${sats}`)
        .toSorted()
    const capitals = twins.map((twin) => ({ ...twin, address: address.toUpperCase() }))
    const first = await named(twins)
    expect(first).toEqual([`${txid}:${address} 2000`, `${txid}:${address}#1 1000`].toSorted())
    for (const answer of [twins.toReversed(), capitals, twins.map((twin) => ({ ...twin, address: null }))])
      expect(await named(answer)).toEqual(first)
  })

  function withAnswer(more: Record<string, unknown>) {
    const runtime = { ...outside(), fetch: answerWith(more) }
    const options = { apiUrl: 'https://opennode.example', apiKey: KEY, network: 'regtest', publicUrl: '' } as const
    return { provider: createOpennodeProvider(runtime, { ...options, requiredConfirmations: () => 2 }) }
  }
})

describe('a message of OpenNode', () => {
  it('a message leads to its charge, under a key of its content', async () => {
    const { opennode, open, read } = await shop()
    const id = await open()
    opennode.pay(id, { sats: 345n })
    opennode.pay(id, { sats: 12_000n })
    opennode.mine(id)
    expect(opennode.deliveries.map(({ status }) => status)).toEqual(['underpaid', 'processing', 'paid'])
    const hints = opennode.deliveries.map(read)
    expect(hints.map((hint) => hint?.ref)).toEqual([id, id, id])
    expect(new Set(hints.map((hint) => hint?.key)).size).toBe(3)
    expect(opennode.deliveries.map(read)).toEqual(hints)
  })

  it('a message forged as paid, from another one, is trusted no more than the charge itself', async () => {
    const { opennode, open, read, provider } = await shop()
    const id = await open()
    opennode.pay(id, { sats: 345n })
    const forged = opennode.forge(opennode.deliveries[0]!, 'paid')
    const hint = read(forged)
    expect(hint?.ref).toBe(id) // the signature fits: it covers only the id
    expect(shown((await provider.get(hint!.ref)).outputs)).toEqual(['345 ONCHAIN 0'])
  })

  it('a message is refused if its signature is not that of its charge', async () => {
    const { opennode, open, provider } = await shop()
    const [one, other] = [await open(), await open({ orderId: `${ORDER}-2` })]
    opennode.payOverLightning(one)
    const good = new URLSearchParams(Buffer.from(opennode.deliveries[0]!.body).toString())
    const read = (change: (form: URLSearchParams) => void) => {
      const form = new URLSearchParams(good)
      change(form)
      return provider.webhook!.read({}, Buffer.from(form.toString()))
    }
    expect(read(() => undefined)).not.toBeNull()
    const signature = hashedOrder(one, KEY)
    for (const change of [
      (form: URLSearchParams) => form.delete('hashed_order'),
      (form: URLSearchParams) => form.set('hashed_order', ''),
      (form: URLSearchParams) => form.set('hashed_order', signature.slice(0, -1)),
      (form: URLSearchParams) => form.set('hashed_order', signature.toUpperCase()),
      (form: URLSearchParams) => form.set('hashed_order', hashedOrder(other, KEY)),
      (form: URLSearchParams) => form.set('hashed_order', hashedOrder(one, 'another key')),
      (form: URLSearchParams) => form.append('hashed_order', signature),
      (form: URLSearchParams) => form.set('id', other),
      (form: URLSearchParams) => form.append('id', other),
      (form: URLSearchParams) => form.set('id', ''),
      (form: URLSearchParams) => form.delete('id'),
    ])
      expect(read(change)).toBeNull()
    expect(provider.webhook!.read({}, new Uint8Array(0))).toBeNull()
    expect(provider.webhook!.read({}, Buffer.from(JSON.stringify(Object.fromEntries(good))))).toBeNull()
    expect(read((form) => form.set('description', 'x'.repeat(300_000)))).toBeNull()
  })

  it('thousands of repeated, shuffled and forged messages change nothing that the charges themselves do not say', async () => {
    const { opennode, open, provider } = await shop()
    const number = seededNumbers(60)
    const ids: string[] = []
    for (let order = 0; order < 40; order += 1) {
      const id = await open({ orderId: `${ORDER}-${order}` })
      ids.push(id)
      if (order % 5 === 0) opennode.payOverLightning(id)
      else if (order % 5 !== 4) opennode.pay(id, { sats: order % 5 === 1 ? 345n : DUE })
      if (order % 5 === 2) opennode.mine(id)
      if (order % 10 === 6) opennode.takeBack(id)
    }
    const truth = new Map<string, SeenOutput[]>()
    for (const id of ids) truth.set(id, [...(await provider.get(id)).outputs])

    const genuine = opennode.deliveries.slice()
    const deliveries = genuine.map((delivery) => ({ delivery, isSigned: true }))
    while (deliveries.length < DELIVERIES) {
      const from = genuine[number(genuine.length)]!
      const kind = number(4)
      if (kind === 0) deliveries.push({ delivery: from, isSigned: true })
      // Signed with a signature seen elsewhere, with false content; half a hundred different ones.
      else if (kind === 1) deliveries.push({ delivery: opennode.forge(from, `paid${number(3)}`), isSigned: true })
      else deliveries.push({ delivery: forgedFrom(from, number), isSigned: false })
    }

    const inbox = new Map<string, string>()
    for (const { delivery, isSigned } of shuffled(deliveries, number)) {
      const hint = provider.webhook!.read(delivery.headers, delivery.body)
      expect(hint !== null).toBe(isSigned)
      if (hint === null || inbox.has(hint.key)) continue
      inbox.set(hint.key, hint.ref)
      expect((await provider.get(hint.ref)).outputs).toEqual(truth.get(hint.ref))
    }
    for (const delivery of genuine) expect([...inbox.values()]).toContain(delivery.chargeId)
    expect(inbox.size).toBeLessThan(400)
    expect(opennode.exchanges.filter(isCreation)).toHaveLength(40)
  })
})

/** A message without a signature of its charge. */
function forgedFrom(one: OpennodeDelivery, number: (below: number) => number): OpennodeDelivery {
  const form = new URLSearchParams(Buffer.from(one.body).toString())
  const good = form.get('hashed_order') ?? ''
  const kind = number(4)
  if (kind === 0) form.delete('hashed_order')
  if (kind === 1) form.set('hashed_order', good.slice(0, number(good.length)))
  if (kind === 2) form.set('hashed_order', hashedOrder(one.chargeId, `${KEY}.`))
  if (kind === 3) form.set('id', `${one.chargeId}0`)
  form.set('status', 'paid')
  return { ...one, body: Buffer.from(form.toString()) }
}

describe('a start with OpenNode', () => {
  it('a start succeeds with a valid key, and asks again only after ten minutes', async () => {
    const { opennode, provider, runtime } = await shop()
    await provider.assertFit()
    await provider.assertFit()
    expect(opennode.exchanges).toHaveLength(1)
    runtime.pass(10 * 60_000)
    await provider.assertFit()
    expect(opennode.exchanges).toHaveLength(2)
  })

  it('a start is refused with a key that OpenNode refuses', async () => {
    const { provider } = await shop({ apiKey: 'another-key' })
    await expect(provider.assertFit()).rejects.toMatchObject({
      name: 'ProviderUnfit',
      message: expect.stringContaining('OPENNODE_API_KEY'),
    })
  })

  it.each([
    [OPENNODE_API_URL, 'testnet4', OPENNODE_TEST_API_URL],
    [OPENNODE_API_URL, 'regtest', OPENNODE_TEST_API_URL],
    [OPENNODE_TEST_API_URL, 'mainnet', OPENNODE_API_URL],
  ] as const)('a start is refused with %s on %s, and the message says to set %s', async (apiUrl, network, right) => {
    await expect(shop({ apiUrl, network })).rejects.toMatchObject({
      name: 'ProviderUnfit',
      message: expect.stringContaining(`set ${right}`),
    })
    await shop({ apiUrl: right, network })
  })

  it('a start is refused immediately with a key that cannot be a header', async () => {
    await expect(shop({ apiKey: `${KEY}\r\nx: y` })).rejects.toMatchObject({ name: 'ProviderUnfit' })
  })

  it.each([500, 429, 'lost', 'html'] as const)(
    'a start that meets %s is no verdict on the configuration',
    async (fault) => {
      const { opennode, provider } = await shop()
      opennode.fail(fault)
      await expect(provider.assertFit()).rejects.toMatchObject({ name: 'ProviderSilent' })
      await provider.assertFit()
    },
  )
})

it('OpenNode’s key enters no log line and no message, whatever goes wrong', async () => {
  const { opennode, open, provider, logged } = await shop()
  const id = await open()
  const said: string[] = []
  for (const fault of ['lost', 'half', 'html', 'huge', 'moved', 429, 500] as const)
    for (const ask of [() => provider.get(id), () => open({ orderId: `${ORDER}-${fault}` })]) {
      opennode.fail(fault)
      await ask().catch((error: unknown) => said.push(everythingOf(error)))
    }
  await shop({ apiKey: `${KEY}\n` }).catch((error: unknown) => said.push(everythingOf(error)))
  expect(said.length).toBeGreaterThan(10)
  for (const text of [...said, logged()]) expect(text).not.toContain(KEY)
})

describe('the balance at OpenNode', () => {
  it('the balance is that of the account in satoshis, and unknown if OpenNode refuses the key', async () => {
    const { opennode, provider } = await shop()
    opennode.hold(123_456_789)
    expect(await provider.balance?.()).toEqual([{ name: 'deposits', sats: 123_456_789n }])
    const other = await shop({ apiKey: 'another-key' })
    await expect(other.provider.balance?.()).rejects.toThrow('OPENNODE_API_KEY')
  })
})

/** An error with its stack and every cause. */
function everythingOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error)
  return `${error.stack} ${JSON.stringify(error)} ${error.cause === undefined ? '' : everythingOf(error.cause)}`
}
