import { expect, it, vi } from 'vitest'
import { Attendance } from './attendance.ts'

/** Timers that only the test moves. */
function manualTimers() {
  let nowMs = 0
  const waiting = new Set<{ dueMs: number; call: () => void }>()
  return {
    after(ms: number, call: () => void) {
      const timer = { dueMs: nowMs + ms, call }
      waiting.add(timer)
      return () => void waiting.delete(timer)
    },
    pass(minutes: number) {
      nowMs += minutes * 60_000
      for (const timer of waiting)
        if (timer.dueMs <= nowMs) {
          waiting.delete(timer)
          timer.call()
        }
    },
  }
}

it('a page that nobody touches stops reading by itself, and later shows that its session is over', () => {
  const timers = manualTimers()
  const onOver = vi.fn()
  const attendance = new Attendance(timers, onOver)
  const end = attendance.watch()
  timers.pass(4)
  expect(attendance.isAttended()).toBe(true)
  timers.pass(2)
  expect(attendance.isAttended()).toBe(false)
  expect(onOver).not.toHaveBeenCalled()
  timers.pass(15)
  expect(onOver).toHaveBeenCalledTimes(1)
  end()
})

it('a key or a press brings it back', () => {
  const timers = manualTimers()
  const attendance = new Attendance(timers, vi.fn())
  const end = attendance.watch()
  const heard = vi.fn()
  attendance.subscribe(heard)
  timers.pass(6)
  dispatchEvent(new Event('keydown'))
  expect(attendance.isAttended()).toBe(true)
  expect(heard).toHaveBeenCalledTimes(2)
  timers.pass(4)
  dispatchEvent(new Event('pointerdown'))
  timers.pass(4)
  expect(attendance.isAttended()).toBe(true)
  end()
})
