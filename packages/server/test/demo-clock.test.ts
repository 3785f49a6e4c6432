import { expect, it } from 'vitest'
import { createApplication } from '../src/main/app.ts'
import { testRuntime, TEST_START_AT } from '../src/runtime/test-runtime.ts'
import { CONFIG, testApplication } from './application.ts'

const DAY = 86_400

it('a demo that was moved thirty days restarts without an error line', async () => {
  const { db, moveTo } = await testApplication()
  await moveTo(TEST_START_AT + 30 * DAY)
  const runtime = testRuntime({ startAt: TEST_START_AT + 60 })
  const application = await createApplication({ config: CONFIG, runtime, db, withPages: false })
  expect(runtime.logged.filter(({ level }) => level === 'error')).toEqual([])
  expect(runtime.clock.offsetSeconds()).toBe(30 * DAY)
  await application.close()
}, 60_000)
