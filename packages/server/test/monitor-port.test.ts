import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startApplication } from '../src/main/app.ts'
import { testRuntime } from '../src/runtime/test-runtime.ts'
import { CONFIG } from './application.ts'
import { testDatabase } from './database.ts'
import { freePort } from './free-port.ts'

it('a worker, which serves no players, reports its state to its monitor at a separate port, and nothing else', async () => {
  const runtime = testRuntime()
  const { db } = await testDatabase({ runtime })
  const monitorPort = await freePort()
  const dataDir = mkdtempSync(join(tmpdir(), 'fairball-monitor-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const config = { ...CONFIG, dataDir, role: 'worker', monitorPort, metricsToken: 'a-token-of-the-monitor' } as const
  const application = await startApplication({ config, runtime, db, signal: new AbortController().signal })
  onTestFinished(() => application.close())
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${monitorPort}${path}`, { headers })

  for (const path of ['/healthz', '/readyz']) expect([path, (await ask(path)).status]).toEqual([path, 200])
  expect((await ask('/metrics')).status).toBe(401)
  const answer = await ask('/metrics', { authorization: 'Bearer a-token-of-the-monitor' })
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(await answer.text()).toContain('role="worker"')
  for (const path of ['/', '/api/v1/games', '/api/docs', '/openapi.json', '/dev/clock'])
    expect([path, (await ask(path)).status]).toEqual([path, 404])
}, 60_000)
