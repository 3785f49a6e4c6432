import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testApplication } from '../../test/application.ts'
import { newestMigration } from '../db/migrate.ts'

it('anybody, and any page, reads which version of program, schema and protocol answers; it may be kept for a minute', async () => {
  const { call } = await testApplication()
  const { status, body, headers } = await call('GET', '/api/v1/version')
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/fairness.md'), 'utf8')
  const [, protocol] = /^# The draw protocol \(version (\d+)\)$/m.exec(page) ?? []
  expect(status).toBe(200)
  expect(body).toMatchObject({ name: 'fairball', schema: await newestMigration(), protocol: Number(protocol) })
  expect(body.version).toMatch(/^\d+\.\d+\.\d+$/)
  for (const hash of [body.build, body.commit])
    expect(hash ?? '0'.repeat(40)).toMatch(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=60', 'access-control-allow-origin': '*' })
})
