import { expect, it, onTestFinished } from 'vitest'
import { createApplication } from '../src/main/app.ts'
import type { Runtime } from '../src/runtime/runtime.ts'
import { testRuntime } from '../src/runtime/test-runtime.ts'
import { CONFIG } from './application.ts'
import { testDatabase } from './database.ts'

const DRAIN_SECONDS = 15

async function webProcess(drainSeconds: number) {
  const real = testRuntime()
  const drained = Promise.withResolvers<void>()
  const sleep: Runtime['monotonic']['sleep'] = (ms, signal) =>
    ms === DRAIN_SECONDS * 1000 ? drained.promise : real.monotonic.sleep(ms, signal)
  const runtime = { ...real, monotonic: { ...real.monotonic, sleep } }
  const { db } = await testDatabase({ runtime })
  const config = { ...CONFIG, role: 'web', drainSeconds } as const
  const application = await createApplication({ config, runtime, db, withPages: false })
  const address = await application.http.listen({ port: 0, host: '127.0.0.1' })
  let closing: Promise<void> | null = null
  const stop = (): Promise<void> => (closing ??= application.close())
  onTestFinished(() => stop())
  const ask = (path: string) => fetch(`${address}${path}`)
  return { balanceHasNoticed: drained.resolve, stop, ask }
}

it('a process that is told to stop serves until the load balancer has noticed, each answer the last on its connection', async () => {
  const { balanceHasNoticed, stop, ask } = await webProcess(DRAIN_SECONDS)
  const before = await ask('/readyz')
  expect([before.status, before.headers.get('connection')]).toEqual([200, 'keep-alive'])

  const stopped = stop()
  expect((await ask('/readyz')).status).toBe(503)
  const meanwhile = await ask('/api/v1/games')
  expect([meanwhile.status, meanwhile.headers.get('connection')]).toEqual([200, 'close'])

  balanceHasNoticed()
  await stopped
  await expect(ask('/healthz')).rejects.toThrow('fetch failed')
}, 60_000)

it('a process without a drain time immediately takes no more requests', async () => {
  const { stop, ask } = await webProcess(0)
  expect((await ask('/healthz')).status).toBe(200)
  await stop()
  await expect(ask('/healthz')).rejects.toThrow('fetch failed')
}, 60_000)
