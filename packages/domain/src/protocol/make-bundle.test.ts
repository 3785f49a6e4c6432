import { describe, expect, it } from 'vitest'
import { nobleHash } from './hash.ts'
import type { Logged } from './known-log.ts'
import { chooseStatements, makeBundle } from './make-bundle.ts'
import { NO_HASH } from './statement-codecs.ts'
import type { LogStatement } from './statements.ts'

/** A log with statements in this order, each with its hash; only what a choice depends on is given. */
function logOf(statements: readonly (readonly [string, object])[]): Logged[] {
  return statements.map(([hash, statement], index) => ({ index, text: '', hash, statement: statement as LogStatement }))
}

const STATEMENTS: readonly (readonly [string, object])[] = [
  ['log', { type: 'log' }],
  ['chain', { type: 'chain', chain: 'c1' }],
  ['chain2', { type: 'chain', chain: 'c2' }],
  ['game', { type: 'game', game: 'lotto' }],
  ['game2', { type: 'game', game: 'keno' }],
  ['open', { type: 'open', game: 'lotto', chain: 'c1' }],
  ['open2', { type: 'open', game: 'lotto', chain: 'c1' }],
  ['sold', { type: 'sold', open: 'open' }],
  ['soldLast', { type: 'sold', open: 'open' }],
  ['key', { type: 'key' }],
  ['close', { type: 'close', open: 'open', sold: 'soldLast', last: NO_HASH }],
  ['postpone', { type: 'postpone', open: 'open' }],
  ['result', { type: 'result', close: 'close', last: 'close' }],
  ['close2', { type: 'close', open: 'open2', sold: NO_HASH, last: 'result' }],
  ['paid', { type: 'paid', draw: [{ open: 'open' }] }],
  ['paid2', { type: 'paid', draw: [{ open: 'open2' }, { open: 'open' }] }],
  ['paid3', { type: 'paid', draw: [] }],
  ['void2', { type: 'void', open: 'open2', close: 'close2', last: 'close2' }],
  ['solvency', { type: 'solvency' }],
  ['code', { type: 'code' }],
  ['open3', { type: 'open', game: 'lotto', chain: 'c2' }],
  ['close3', { type: 'close', open: 'open3', sold: NO_HASH, last: 'void2' }],
]

const chosen = (...opens: string[]): string[] => {
  const log = logOf(STATEMENTS)
  return chooseStatements(log, opens).map((index) => log[index]?.hash ?? '')
}

describe('the statements of a bundle', () => {
  it('a draw has log, keys, chain, game, open, last batch, close, result and payments', () => {
    expect(chosen('open')).toEqual([
      'log',
      'chain',
      'game',
      'open',
      'soldLast',
      'key',
      'close',
      'result',
      'paid',
      'paid2',
    ])
  })

  it('a draw has the statement that its own continue, and those that tell its game', () => {
    expect(chosen('open2')).toEqual([
      'log',
      'chain',
      'game',
      'open',
      'open2',
      'key',
      'close',
      'result',
      'close2',
      'paid2',
      'void2',
    ])
    expect(chosen('open3')).toEqual(['log', 'chain2', 'game', 'open2', 'key', 'void2', 'open3', 'close3'])
  })

  it('what is no open of the log brings nothing of a draw', () => {
    expect(chosen()).toEqual(['log', 'key'])
    expect(chosen('unknown')).toEqual(['log', 'key'])
    expect(chosen('game')).toEqual(['log', 'key'])
  })

  it('a head that is no checkpoint makes no bundle', async () => {
    const source = {
      head: 'no note',
      statement: async () => '',
      node: async () => nobleHash(),
    }
    const request = { statements: [], texts: [], draws: [], papers: [] }
    await expect(makeBundle(source, request, nobleHash)).rejects.toThrow('not a checkpoint')
  })
})
