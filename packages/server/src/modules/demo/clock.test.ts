import { expect, it, vi } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { createDemoClock, followDemoClock } from './clock.ts'

it('a notification moves no clock: each process reads what the demo stored', async () => {
  const { db, connect } = await testDatabase()
  const queue = { runDue: async () => undefined, nextStopAt: async () => null }
  const [one, other, console] = [testRuntime(), testRuntime(), testRuntime()]
  const demo = await createDemoClock({ db, runtime: one, queue })
  await createDemoClock({ db, runtime: other, queue })
  await followDemoClock({ db, runtime: console })
  const client = await connect()
  for (let time = 0; time < 100; time += 1) await client.query(`notify clock, '${900_000_000 + time}'`)
  await demo.moveTo(demo.now() + 3600)
  await vi.waitUntil(() => other.clock.offsetSeconds() > 0 && console.clock.offsetSeconds() > 0)
  await client.query(`notify clock, '-5'`)
  await client.query(`notify clock, 'x'`)
  for (const { clock } of [one, other, console]) expect(clock.offsetSeconds()).toBe(3600)
})
