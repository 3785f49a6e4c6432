import { type Call, calls } from '@fairball/contract/calls'
import { LotteryError } from '@fairball/domain/errors'
import type { FastifyInstance } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { testRuntime } from '../runtime/test-runtime.ts'
import { createHttpApp } from './app.ts'
import { OK, route } from './route.ts'

const PLAYER = {
  id: 7n,
  sessionId: '00000000-0000-4000-8000-000000000000',
  username: 'player-abc234',
  email: null,
  emailVerifiedAt: null,
  currencyId: 1,
  timezoneId: 202,
  isSocial: false,
}
const headers = { authorization: 'Bearer good', 'content-type': 'application/json' }

function makeApp(): FastifyInstance {
  const app = createHttpApp({
    runtime: testRuntime(),
    authenticate: async () => PLAYER,
    isDemo: true,
    publicUrl: 'https://fairball.test',
  })
  onTestFinished(() => app.close())
  return app
}

it.each([
  [calls.login, 16],
  [calls.verifyPassword, 16],
  [calls.changePassword, 16],
  [calls.createPayment, 256],
  [calls.saveNumbers, 256],
  [calls.checkNumbers, 256],
  [calls.sendContactMessage, 800],
  [calls.moveClock, 64],
] as const)('a body of $path is read up to its limit, and a larger one refused by its size', async (call, kib) => {
  const app = makeApp()
  route(app, call as Call, () => OK)
  const bodyProblem = async (bytes: number) => {
    const payload = `"${'x'.repeat(bytes - 2)}"`
    const url = `/api/v1${call.path.replace('{key}', 'treasure')}`
    const answer = await app.inject({ method: call.method, url, payload, headers })
    return [answer.statusCode, answer.json().error.code, answer.json().error.fields.body]
  }
  expect(await bodyProblem(kib * 1024 + 1)).toEqual([400, 'INVALID_PAYLOAD', `The body is larger than ${kib} KiB.`])
  expect(await bodyProblem(kib * 1024)).toEqual([400, 'INVALID_PAYLOAD', 'Must be an object.'])
})

it('the largest meaningful body of a call is read, indented and escaped', async () => {
  const app = makeApp()
  for (const call of [calls.createPayment, calls.saveNumbers, calls.sendContactMessage, calls.revokeSessions])
    route<Call>(app, call, () => {
      throw new LotteryError('LIMIT_REACHED') // only what was read comes this far
    })
  const put = async (method: 'POST' | 'PUT' | 'DELETE', url: string, payload: string) =>
    (await app.inject({ method, url: `/api/v1${url}`, payload, headers })).statusCode
  const lines = Array.from({ length: 1000 }, () => [53, 54, 55, 56, 57, 58, 59])
  const tickets = lines.map((numbers) => ({ isLuckyDip: false, numbers }))
  const order = { type: 'lotto', key: 'super-game', days: [1, 2, 3, 4, 5, 6, 7], weeks: 52, tickets }
  expect(await put('POST', '/payment', JSON.stringify(order, null, 4))).toBe(403)
  expect(await put('PUT', '/games/super-game/saved-numbers', JSON.stringify({ lines }, null, 4))).toBe(403)
  const text = (length: number): string => '\\ud83d\\ude00'.repeat(length)
  const message = `{"name":"${text(250)}","email":"${text(250)}","country_id":1,"message":"${text(65_000)}"}`
  expect(await put('POST', '/contact', message)).toBe(403)
  const tokens = Array.from({ length: 250 }, () => '00000000-0000-4000-8000-000000000000')
  expect(await put('DELETE', '/auth/tokens', JSON.stringify({ tokens }, null, 4))).toBe(403)
})
