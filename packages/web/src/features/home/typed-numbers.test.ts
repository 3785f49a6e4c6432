import { describe, expect, it } from 'vitest'
import { numbersIn, slotsOf, typedLineError, typedText } from './typed-numbers.ts'

const GAME = { pick: 6, pool: 49 }

describe('a typed line', () => {
  it('a typed line is read with any separators', () => {
    expect(numbersIn('7, 12;19 23\n38-41')).toEqual([7, 12, 19, 23, 38, 41])
    expect(numbersIn('no digits')).toEqual([])
  })

  it('a line is written in ascending order', () => {
    expect(typedText([41, 7, 12])).toBe('7 12 41')
  })

  it('the slots fill as the line is typed, without numbers that no line can have', () => {
    expect(slotsOf([7, 7, 0, 99, 12], GAME)).toEqual([7, 12, null, null, null, null])
    expect(slotsOf([1, 2, 3, 4, 5, 6, 7], GAME)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it.each([
    ['7 12 19 23 38', false],
    ['7 12 19 23 38 41', true],
    ['7 12 19 23 38 41 44', false],
    ['7 7 19 23 38 41', false],
    ['0 12 19 23 38 41', false],
    ['7 12 19 23 38 50', false],
    ['', false],
  ])('the line %s can be checked: %s', (text, isFine) => {
    expect(typedLineError(text, GAME) === null).toBe(isFine)
  })

  it.each(['1 1 2 3 4 5', '1 1 2 3', '1 2 3 4 5 6 6'])(
    'the line %s is refused for a repeated number before its length',
    (text) => {
      expect(typedLineError(text, GAME)).toBe('A number appears twice.')
    },
  )
})
