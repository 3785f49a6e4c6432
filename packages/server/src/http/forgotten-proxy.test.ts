import { describe, expect, it, onTestFinished } from 'vitest'
import { testRuntime } from '../runtime/test-runtime.ts'
import { createHttpApp } from './app.ts'

async function site(more: { isDemo?: boolean; trustProxy?: string[] } = {}) {
  const runtime = testRuntime()
  let seen = 0
  const app = createHttpApp({
    runtime,
    authenticate: async () => null,
    isDemo: false,
    publicUrl: 'https://lottery.example',
    onForgottenProxy: () => void (seen += 1),
    ...more,
  })
  onTestFinished(() => app.close())
  const ask = (remoteAddress: string, forwarded: string | null = '198.51.100.7') =>
    app.inject({
      url: '/api/v1/games',
      remoteAddress,
      headers: forwarded === null ? {} : { 'x-forwarded-for': forwarded },
    })
  const errors = (): unknown[] => runtime.logged.filter((line) => JSON.stringify(line).includes('TRUST_PROXY'))
  return { runtime, ask, errors, seen: () => seen }
}

describe('a proxy that TRUST_PROXY does not name', () => {
  it('such a proxy is an error in the log once a minute, and every request through it is counted', async () => {
    const { runtime, ask, errors, seen } = await site()
    for (let request = 0; request < 5; request++) await ask('172.30.71.4')
    expect([errors().length, seen()]).toEqual([1, 5])
    expect(JSON.stringify(errors())).toContain('172.30.71.4')
    await runtime.clock.advance(59)
    await ask('172.30.71.4')
    expect(errors()).toHaveLength(1)
    await runtime.clock.advance(1)
    await ask('172.30.71.4')
    expect([errors().length, seen()]).toEqual([2, 7])
  })

  it.each(['10.0.0.1', '127.0.0.1', '192.168.1.1', '100.64.0.1', '::1', 'fd00::5', 'fe80::1', '::ffff:10.0.0.1'])(
    'a proxy is noticed at %s',
    async (address) => {
      const { ask, seen } = await site()
      await ask(address)
      expect(seen()).toBe(1)
    },
  )

  it('no proxy is reported if nothing is forwarded, if it is trusted, for a public address, and in the demo', async () => {
    const open = await site()
    await open.ask('10.0.0.1', null)
    await open.ask('203.0.113.9')
    const trusting = await site({ trustProxy: ['10.0.0.0/8'] })
    await trusting.ask('10.0.0.1')
    const demo = await site({ isDemo: true })
    await demo.ask('10.0.0.1')
    expect([open.seen(), trusting.seen(), demo.seen()]).toEqual([0, 0, 0])
    expect([...open.errors(), ...trusting.errors(), ...demo.errors()]).toEqual([])
  })
})
