import { describe, expect, it } from 'vitest'
import { checkpointText } from './checkpoint.ts'
import { nobleHash } from './hash.ts'
import type { Logged } from './known-log.ts'
import { chooseStatements, type DrawRequest, type LogSource, makeBundle } from './make-bundle.ts'
import { signNote } from './note.ts'
import { TEST_LOG_SEED, TEST_ORIGIN } from './operator-fixture.ts'
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

/** A head of a log of some size. */
function headOf(size: number): string {
  return signNote(checkpointText(TEST_ORIGIN, { size, root: nobleHash() }), TEST_ORIGIN, TEST_LOG_SEED)
}

/** A log of six statements, s0 to s5. */
const SOURCE: LogSource = {
  head: headOf(6),
  statement: async (index) => `s${index}`,
  node: async ({ level, index }) => nobleHash(Uint8Array.of(level, index)),
}

/** What a bundle has of a draw. @param size of the log that the seal is of; null without a seal */
async function madeDraw(size: number | null, final: number | null) {
  const seal = size === null ? null : { checkpoint: headOf(size), start: 1, left: [], statements: [], consistency: [] }
  const draw: DrawRequest = { open: 'open', beacon: null, plays: null, postpones: [], seal, final }
  const request = { statements: [], texts: [], draws: [draw], papers: [] }
  return (await makeBundle(SOURCE, request, nobleHash)).draws[0]
}

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

  it('what belongs to no asked draw is left out: other games, chains, batches, postponements, reports', () => {
    const log = logOf([
      ...STATEMENTS,
      ['game3', { type: 'game', game: 'bingo' }],
      ['chain3', { type: 'chain', chain: 'c3' }],
      ['lost', { type: 'result', close: 'unknown', last: NO_HASH }],
      ['odd', { type: 'result', close: 'postpone', last: NO_HASH }],
    ])
    const hashes = chooseStatements(log, ['open', 'open2', 'open3']).map((index) => log[index]?.hash)
    for (const hash of ['game2', 'game3', 'chain3', 'lost', 'odd', 'sold', 'postpone', 'solvency', 'code', 'paid3'])
      expect(hashes, hash).not.toContain(hash)
  })

  it('a hash that is no open of the log brings no rules and no chain with it', () => {
    expect(chosen('close')).toEqual(['log', 'key'])
    expect(chosen('game2')).toEqual(['log', 'key'])
  })

  it('statements are in the order of the log, however they are asked for', async () => {
    const request = { statements: [5, 0, 3, 1], texts: [], draws: [], papers: [] }
    const { statements } = await makeBundle(SOURCE, request, nobleHash)
    expect(statements.map(({ index, text }) => [index, text])).toEqual([
      [0, 's0'],
      [1, 's1'],
      [3, 's3'],
      [5, 's5'],
    ])
  })

  it('a draw has the statements from its seal to its end, unless the seal contains the end, or either is missing', async () => {
    expect((await madeDraw(3, 4))?.tail?.statements).toEqual(['s3', 's4'])
    expect((await madeDraw(3, 3))?.tail?.statements).toEqual(['s3'])
    expect((await madeDraw(3, 2))?.tail).toBeNull()
    expect((await madeDraw(3, null))?.tail).toBeNull()
    expect(await madeDraw(null, 4)).toMatchObject({ tail: null, seal: null })
  })
})
