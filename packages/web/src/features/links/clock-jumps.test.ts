import { describe, expect, it } from 'vitest'
import { targetBeforeDraw, targetPastDraw } from './clock-jumps.ts'

const DRAW = { start_at: 10_000, end_at: 10_180 }

describe('a jump of the clock', () => {
  it('a jump to a draw ends five seconds before its start', () => {
    expect(targetBeforeDraw(DRAW, 9_000)).toBe(9_995)
  })

  it('a jump to a draw is not possible once it is that near, because the clock never goes back', () => {
    expect(targetBeforeDraw(DRAW, 9_995)).toBeNull()
    expect(targetBeforeDraw(DRAW, 10_050)).toBeNull()
  })

  it('a jump past a draw ends just after its end, and then leads to the next one', () => {
    expect(targetPastDraw(DRAW, 10_050)).toBe(10_181)
    expect(targetPastDraw(DRAW, 10_180)).toBe(10_181)
    expect(targetPastDraw(DRAW, 10_181)).toBe(10_780)
  })
})
