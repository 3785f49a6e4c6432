import type { Clock } from '../shared/clock.ts'
import type { Runtime } from '../shared/runtime.ts'

/**
 * The time of this browser's sights (fairness section 10): the later one of the device's clock and of the server's. A
 * sight before the round is then before it by both clocks: neither a slow device nor a slow server can make a late
 * sight an early one.
 *
 * @returns epoch seconds
 */
export function sightTime(clock: Pick<Clock, 'now'>, device: Pick<Runtime, 'nowMs'>): number {
  return Math.max(Math.floor(device.nowMs() / 1000), clock.now())
}
