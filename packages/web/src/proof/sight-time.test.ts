import { expect, it } from 'vitest'
import { sightTime } from './sight-time.ts'

const at = (server: number, deviceMs: number) => sightTime({ now: () => server }, { nowMs: () => deviceMs })

it('the time of a sight is the server’s if the device is slow, and the device’s if the server is', () => {
  expect(at(1_800_000_000, 1_799_999_000_000)).toBe(1_800_000_000)
  expect(at(1_800_000_000, 1_800_000_600_999)).toBe(1_800_000_600)
})
