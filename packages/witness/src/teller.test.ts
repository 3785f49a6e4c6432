import { describe, expect, it } from 'vitest'
import { clockText, createTeller, printable } from './teller.ts'

describe('the printed output', () => {
  it('the printed output has no control characters', () => {
    expect(printable('a\u001b[2J\r\nb\u202ec\u0007 — ok')).toBe('a?[2J??b?c? — ok')
    expect(printable('x'.repeat(9000))).toHaveLength(2001)
  })

  it('each printed line begins with its time', () => {
    const lines: string[] = []
    const tell = (isJson: boolean) =>
      createTeller({
        isJson,
        now: () => 1_788_199_513,
        out: (line) => lines.push(`out ${line}`),
        err: (line) => lines.push(`err ${line}`),
      })
    tell(false).say('a', 'One.')
    tell(false).warn('b', 'Two.')
    tell(false).alarm('Three.')
    tell(true).alarm('Four.', { key: 'k' })
    expect(lines).toEqual([
      `out ${clockText(1_788_199_513)}  One.`,
      `err ${clockText(1_788_199_513)}  Note: Two.`,
      `err ${clockText(1_788_199_513)}  ALARM: Three.`,
      'err {"at":1788199513,"event":"alarm","text":"Four.","key":"k"}',
    ])
    expect(clockText(1_788_199_513)).toBe('2026-08-31 18:05:13 UTC')
  })
})
