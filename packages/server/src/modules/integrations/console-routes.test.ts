import { expect, it, onTestFinished } from 'vitest'
import { API_SCOPES } from '@fairball/contract/console/integrations'
import { LotteryError } from '@fairball/domain/errors'
import { testDatabase } from '../../../test/database.ts'
import { createHttpApp } from '../../http/app.ts'
import { Refused } from '../../kernel/errors.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { integrationRoutes } from './console-routes.ts'
import { ApiKeys, createApiKey, createWebhook, noteEvent, revokeApiKey } from './service.ts'

const SIGN_IN_NEEDED = { code: 'SIGN_IN_NEEDED', status: 401 }
const YEAR = 365 * 86_400

async function testConsole() {
  const { db, connect } = await testDatabase()
  const runtime = testRuntime()
  let nowMs = 0
  const keys = new ApiKeys({ db, runtime: { ...runtime, monotonic: { ...runtime.monotonic, nowMs: () => nowMs } } })
  const http = createHttpApp({
    runtime,
    authenticate: async () => null,
    isDemo: false,
    publicUrl: 'http://console.test',
  })
  let isSignedIn = true
  integrationRoutes(http, {
    db,
    requireStaff: () => {
      if (!isSignedIn) throw new LotteryError('ACCESS_DENIED')
    },
  })
  onTestFinished(() => http.close())
  return {
    db,
    connect,
    runtime,
    keys,
    wait: (ms: number) => void (nowMs += ms),
    signOut: () => void (isSignedIn = false),
    get: async (path: string) => (await http.inject(`/console/api/v1/${path}`)).json(),
    status: async (path: string) => (await http.inject(`/console/api/v1/${path}`)).statusCode,
    create: (scopes: readonly string[], expiresAt = runtime.clock.now() + YEAR) =>
      db.transaction((tx) => createApiKey({ runtime }, tx, { name: ' Books ', scopes, expiresAt })),
  }
}

it('a key lets its holder read by its scopes, until it expires or is revoked, and is kept as a hash alone', async () => {
  const test = await testConsole()
  const { id, key } = await test.create(['reports:read'])
  expect(key).toMatch(new RegExp(`^fbk_${id}_[0-9a-f]{64}$`, 'u'))
  const header = `Bearer ${key}`
  expect(await test.keys.of(header, 'reports:read')).toEqual({ id, name: 'Books', scopes: ['reports:read'] })
  for (const scope of ['orders:read', null] as const)
    await expect(test.keys.of(header, scope)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  expect(await test.keys.of(undefined, 'orders:read')).toBeNull()
  const other = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
  for (const wrong of [`Bearer ${other}`, 'Bearer x', 'Basic x', `Bearer fbk_9_${'0'.repeat(64)}`])
    await expect(test.keys.of(wrong, 'reports:read'), wrong).rejects.toMatchObject(SIGN_IN_NEEDED)
  const client = await test.connect()
  const { rows } = await client.query('select to_jsonb(k)::text as row from api_keys k')
  expect(JSON.stringify(rows)).not.toContain(key.slice(-64))

  test.wait(1000)
  await test.db.transaction((tx) => revokeApiKey(test, tx, id))
  await expect(test.keys.of(header, 'reports:read')).rejects.toMatchObject(SIGN_IN_NEEDED)
  await expect(test.db.transaction((tx) => revokeApiKey(test, tx, id))).rejects.toThrow(Refused)
  const short = await test.create(['reports:read'], test.runtime.clock.now() + 60)
  expect(await test.keys.of(`Bearer ${short.key}`, 'reports:read')).not.toBeNull()
  await test.runtime.clock.advance(60)
  await expect(test.keys.of(`Bearer ${short.key}`, 'reports:read')).rejects.toMatchObject(SIGN_IN_NEEDED)
})

it('a key may ask ten times in a second, and another key is not disturbed', async () => {
  const test = await testConsole()
  const [one, other] = [await test.create(['draws:read']), await test.create(['draws:read'])]
  const ask = ({ key }: { key: string }) => test.keys.of(`Bearer ${key}`, 'draws:read')
  for (let time = 0; time < 10; time += 1) await ask(one)
  await expect(ask(one)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 1 })
  expect(await ask(other)).not.toBeNull()
  test.wait(1001)
  expect(await ask(one)).not.toBeNull()
})

it('a key reads something, never players, and lasts a year at most', async () => {
  const test = await testConsole()
  expect(API_SCOPES.some((scope) => scope.startsWith('players'))).toBe(false)
  for (const scopes of [[], ['players:read'], ['reports:read', 'reports:write']])
    await expect(test.create(scopes), scopes.join()).rejects.toThrow(Refused)
  const now = test.runtime.clock.now()
  for (const expiresAt of [now, now - 1, now + 367 * 86_400])
    await expect(test.create(['reports:read'], expiresAt), String(expiresAt)).rejects.toThrow(Refused)
})

it('the console lists webhooks, their deliveries and keys, without any secret', async () => {
  const test = await testConsole()
  const { key } = await test.create(['reports:read'])
  const seal = { close: (bytes: Uint8Array) => bytes, open: (bytes: Uint8Array) => bytes }
  const { id, secret } = await test.db.transaction((tx) =>
    createWebhook({ runtime: test.runtime, seal, isDemo: false }, tx, {
      url: 'https://hooks.example.org/a',
      types: ['alarm.raised'],
    }),
  )
  for (let count = 0; count < 11; count += 1)
    await test.db.transaction((tx) =>
      noteEvent({ jobs: { add: async () => undefined } }, tx, {
        type: 'alarm.raised',
        subject: String(count),
        at: test.runtime.clock.now(),
        data: { alarm: 'Test', text: 'x' },
      }),
    )
  const [webhooks, keys, page] = [
    await test.get('webhooks'),
    await test.get('api-keys'),
    await test.get(`webhooks/${id}/deliveries?_page=2`),
  ]
  expect(webhooks).toEqual([
    expect.objectContaining({ id: String(id), url: 'https://hooks.example.org/a', state: 'active' }),
  ])
  expect(keys).toEqual([expect.objectContaining({ name: 'Books', scopes: ['reports:read'], revoked_at: null })])
  expect(page.total_pages).toBe(2)
  expect(page.results).toEqual([expect.objectContaining({ type: 'alarm.raised', state: 'waiting', attempts: 0 })])
  const all = JSON.stringify([webhooks, keys, page])
  expect(all).not.toContain(secret.slice(6))
  expect(all).not.toContain(key.slice(-64))
  expect(await test.status('webhooks/x/deliveries')).toBe(404)
  expect(await test.status('webhooks/999999/deliveries')).toBe(404)
  expect(await test.status(`webhooks/${id}/deliveries?_page=0`)).toBe(400)
  expect(await test.get(`webhooks/${id}/deliveries?_page=99999999999999999999`)).toEqual({
    results: [],
    total_pages: 2,
  })
  test.signOut()
  for (const path of ['webhooks', `webhooks/${id}/deliveries`, 'api-keys']) expect(await test.status(path)).toBe(403)
})
