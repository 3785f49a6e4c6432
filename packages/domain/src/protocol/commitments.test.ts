import { describe, expect, it } from 'vitest'
import {
  linesBlind,
  linesCommitment,
  linesText,
  paytoCommitment,
  readLinesText,
  secretCommitment,
} from './commitments.ts'
import { refusalOf } from './refusal-fixture.ts'

const SECRET = new Uint8Array(32).fill(0x11)

describe('the commitments of a promise', () => {
  // Each worked out elsewhere from section 10, for the secret 32 times 0x11.
  it('the lines are hidden behind a blind of their own', () => {
    expect(linesCommitment(linesBlind(SECRET), '1,2,3')).toBe(
      '7279ccece5dac05245fb94a880ce32ddcc879fbe4aaa14d577b7a9e541ccba0a',
    )
  })

  it('the payout address is hidden behind a blind of its own, even if there is none', () => {
    expect(paytoCommitment(SECRET, 'bc1qexample')).toBe(
      '94f2b99ee06216618886c0b24a6fbe8a04bf8104436f7c8f57ca43939ffa3224',
    )
    expect(paytoCommitment(SECRET, '')).toBe('62a761cb779e2993c90a605b8fdf4dcd451aaa552311392f04cac2108ceecaed')
  })

  it('the secret is hidden behind its tag', () => {
    expect(secretCommitment(SECRET)).toBe('4b38af55c74939bbb71d35b3eb36e65132c8c01017694bf6958edbcca7a24abc')
    for (const length of [31, 33])
      expect(refusalOf(() => secretCommitment(new Uint8Array(length)))).toBe('RangeError: a secret has 32 bytes')
  })
})

describe('the text of an order’s lines', () => {
  const PLAYS = [
    [
      [1, 20, 64],
      [9, 10, 11],
    ],
    [[5]],
  ]

  it('plays are joined by line feeds, lines by semicolons and numbers by commas', () => {
    expect(linesText(PLAYS)).toBe('1,20,64;9,10,11\n5')
    expect(readLinesText('1,20,64;9,10,11\n5')).toEqual(PLAYS)
  })

  it.each(['', '0', '01', '100', '1,', ',1', '1,,2', '1 2', '1;', '1\n', 'a1', '1a', '1,2a', '1x,2', 'x,2', '1,200,3'])(
    'the text %j is none of lines',
    (text) => {
      expect(readLinesText(text)).toBeNull()
    },
  )
})
