import { describe, expect, it } from 'vitest'
import { refusalOf } from './refusal-fixture.ts'
import {
  type Codec,
  currencyValue,
  gameKey,
  gameState,
  hash32,
  hex16,
  hex20,
  hex48,
  hex96,
  hosts,
  NO_HASH,
  numbers,
  oneOf,
  orWord,
  quotes,
  resultTier,
  sats,
  whole,
  word,
} from './statement-codecs.ts'

describe('the values of statements', () => {
  it.each<[{ read: (text: string) => unknown; write: (value: never) => string }, string, unknown]>([
    [word, '~!', '~!'],
    [gameKey, 'a0', 'a0'],
    [gameKey, `z${'-'.repeat(30)}`, `z${'-'.repeat(30)}`],
    [whole, '0', 0],
    [whole, '9007199254740991', 2 ** 53 - 1],
    [sats, '2100000000000000', 2_100_000_000_000_000n],
    [currencyValue, 'GBP 100', { currency: 'GBP', value: 100 }],
    [gameState, '1 2 3 4 5 6', { closed: 1, settled: 2, pot: 3n, won: 4, used: 5, carried: 6 }],
    [resultTier, '5 jackpot 1 7', { matches: 5, kind: 'jackpot', winners: 1, each: 7n }],
    [resultTier, '4 fixed 2 8', { matches: 4, kind: 'fixed', winners: 2, each: 8n }],
    [resultTier, '2 free 3 0', { matches: 2, kind: 'free', winners: 3, each: 0n }],
    [quotes, 'a.example=1@2', [{ source: 'a.example', rate: 1, at: 2 }]],
    [
      quotes,
      'a=10@20,b=30@40',
      [
        { source: 'a', rate: 10, at: 20 },
        { source: 'b', rate: 30, at: 40 },
      ],
    ],
    [hosts, 'a.example,b.example:1', ['a.example', 'b.example:1']],
    [numbers, '3,1,20', [3, 1, 20]],
    [orWord('none', whole), 'none', null],
    [orWord('none', whole), '7', 7],
    [oneOf('one', 'other'), 'other', 'other'],
  ])('a value is read, and written as it was: %#', (codec, text, value) => {
    expect(codec.read(text)).toEqual(value)
    expect(codec.write(value as never)).toBe(text)
  })

  it.each<[Pick<Codec<unknown>, 'read'>, string, string]>([
    [word, '', 'not a word: '],
    [word, ' a', 'not a word:  a'],
    [word, 'a ', 'not a word: a '],
    [word, 'aé', 'not a word: aé'],
    [gameKey, 'a', 'not the key of a game: a'],
    [gameKey, `z${'-'.repeat(31)}`, `not the key of a game: z${'-'.repeat(31)}`],
    [gameKey, '0ab', 'not the key of a game: 0ab'],
    [gameKey, 'aB', 'not the key of a game: aB'],
    [gameKey, 'Aab', 'not the key of a game: Aab'],
    [whole, '01', 'not a number: 01'],
    [whole, '-1', 'not a number: -1'],
    [whole, '1.5', 'not a number: 1.5'],
    [whole, '9007199254740992', 'not a number: 9007199254740992'],
    [sats, '2100000000000001', 'more satoshis than there are: 2100000000000001'],
    [currencyValue, 'GBPX 1', 'not a currency: GBPX'],
    [currencyValue, 'xGBP 1', 'not a currency: xGBP'],
    [currencyValue, 'gbp 1', 'not a currency: gbp'],
    [currencyValue, 'GBP', 'not 2 words: GBP'],
    [currencyValue, 'GBP 1 2', 'not 2 words: GBP 1 2'],
    [currencyValue, 'GBP  1', 'not 2 words: GBP  1'],
    [gameState, '1 2 3 4 5', 'not 6 words: 1 2 3 4 5'],
    [resultTier, '5 jack 1 7', 'not one of jackpot, fixed, free'],
    [oneOf('one', 'other'), 'third', 'not one of one, other'],
    [quotes, '', 'not a quote: '],
    [quotes, 'a=1', 'not a quote: a=1'],
    [quotes, '=1@2', 'not a quote: =1@2'],
    [quotes, 'x@a=1@2', 'not a quote: x@a=1@2'],
    [quotes, 'a=1@2@3', 'not a quote: a=1@2@3'],
    [quotes, 'a=1@2,', 'not a quote: '],
    [quotes, 'a=01@2', 'not a number: 01'],
    [quotes, 'a=1@02', 'not a number: 02'],
    [quotes, 'a b=1@2', 'not a host: a b'],
    [hosts, 'a,', 'not a host: '],
    [hosts, 'a=', 'not a host: a='],
    [hosts, '@a', 'not a host: @a'],
    [hosts, 'a b', 'not a host: a b'],
    [numbers, '1,,2', 'not a number: '],
    [orWord('none', whole), 'None', 'not a number: None'],
  ])('a value in another form is refused, with the reason: %#', (codec, text, why) => {
    expect(refusalOf(() => codec.read(text))).toBe(`StatementError: ${why}`)
  })

  it.each([
    [hex16, 32],
    [hex20, 40],
    [hash32, 64],
    [hex48, 96],
    [hex96, 192],
  ])('a hash or key has exactly its length in lowercase digits: %#', (codec, length) => {
    const text = '0123456789abcdef'.repeat(12).slice(0, length)
    expect(codec.read(text)).toBe(text)
    for (const other of [text.slice(1), `0${text}`, `${text}0`, `x${text}`, text.replace('a', 'A')])
      expect(refusalOf(() => codec.read(other))).toBe(`StatementError: not ${length} hex digits: ${other}`)
  })

  it('the word for no hash is 64 zeros', () => {
    expect(NO_HASH).toBe('0000000000000000000000000000000000000000000000000000000000000000')
  })
})
