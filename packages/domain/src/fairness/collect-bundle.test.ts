import { describe, expect, it } from 'vitest'
import { BundleError } from './bundle-file.ts'
import { collectBundle, type FairnessSource } from './collect-bundle.ts'
import { type DrawFixture, fixedBytes, fixedPlay, gameOf } from './draw-fixture.ts'
import { OperatorFixture } from './operator-fixture.ts'
import { checkOf } from './report-fixture.ts'
import { textOf } from './resigned-fixture.ts'
import { parseStatement } from './statements.ts'
import { verifyBundle } from './verify.ts'

const PAGE = 3

function someOperator() {
  const operator = new OperatorFixture()
  const draws = [1, 2, 3].map((number) => operator.open(number, [fixedPlay('alice', 2, gameOf('bitcoin-lotto'))]))
  for (const draw of draws.slice(0, 2)) operator.settle(draw)
  return { operator, draws }
}

/** The operator's calls, and the pages of the log that were asked for. */
function sourceOf(operator: OperatorFixture, draws: readonly DrawFixture[]): FairnessSource & { asked: number[] } {
  const asked: number[] = []
  const ofDraw = (number: number): string[] => {
    const draw = draws.find((one) => one.number === number)
    return operator.notes.filter((note) => {
      const statement = parseStatement(textOf(note))
      if (statement.type === 'open') return statement.draw === number
      const close = draw === undefined ? null : operator.bundle(draw).beacon
      return (
        ('open' in statement && statement.open === draw?.openHash) ||
        (statement.type === 'result' && close?.signature === statement.signature)
      )
    })
  }
  return {
    asked,
    log: (from) => {
      asked.push(from)
      const next = from + PAGE < operator.notes.length ? from + PAGE : null
      return Promise.resolve({ notes: operator.notes.slice(from, from + PAGE), next })
    },
    rules: (hash) => Promise.resolve(operator.rules.get(hash) ?? ''),
    record: (_, number) => {
      const draw = draws.find((one) => one.number === number)
      const beacon = draw === undefined ? null : operator.bundle(draw).beacon
      return Promise.resolve({
        notes: ofDraw(number),
        witnesses: [],
        beacon: beacon === null ? null : { round: Number(beacon.round), signature: beacon.signature },
      })
    },
    entries: (_, number) => Promise.resolve(draws.find((one) => one.number === number)?.entriesBytes ?? null),
  }
}

describe('a bundle', () => {
  it('is collected page by page, up to the head of the log, and verifies', async () => {
    const { operator, draws } = someOperator()
    const source = sourceOf(operator, draws)
    const bundle = await collectBundle(source, 'bitcoin-lotto', 1)
    expect(bundle.log).toEqual(operator.notes)
    expect(source.asked).toEqual([0, 3, 6])
    expect(verifyBundle(bundle).outcome).toBe('passed')
  })

  it('goes on from the log that is at hand', async () => {
    const { operator, draws } = someOperator()
    const source = sourceOf(operator, draws)
    const bundle = await collectBundle(source, 'bitcoin-lotto', 2, operator.notes.slice(0, 8))
    expect(source.asked).toEqual([8])
    expect(verifyBundle(bundle).outcome).toBe('passed')
    const known = sourceOf(operator, draws)
    expect((await collectBundle(known, 'bitcoin-lotto', 1, operator.notes)).log).toEqual(operator.notes)
    expect(known.asked).toEqual([9])
  })

  it('holds a key that came after its draw, with which receipts may be signed', async () => {
    const { operator, draws } = someOperator()
    operator.changeKey(fixedBytes('second key'))
    const bundle = await collectBundle(sourceOf(operator, draws), 'bitcoin-lotto', 1)
    const [first] = draws
    const receipts = first === undefined ? [] : [operator.receipt(first, 0, null)]
    const own = { key: null, username: 'alice', sights: [], receipts }
    expect(checkOf(verifyBundle(bundle, { own }), 'receipts.signature').outcome).toBe('passed')
  })

  it('of a draw that goes on while it is collected is of one moment', async () => {
    const { operator, draws } = someOperator()
    const source = sourceOf(operator, draws)
    const third = draws[2]
    let isFirst = true
    const bundle = await collectBundle(
      {
        ...source,
        log: (from) => {
          if (isFirst && third !== undefined) operator.settle(third)
          isFirst = false
          return source.log(from)
        },
      },
      'bitcoin-lotto',
      3,
    )
    expect(bundle).toMatchObject({ entries: third?.entriesBytes, beacon: { round: expect.any(BigInt) } })
    expect(verifyBundle(bundle).outcome).toBe('passed')
  })

  it('goes no further than the record of its draw where both went on', async () => {
    const { operator, draws } = someOperator()
    const source = sourceOf(operator, draws)
    const third = draws[2]
    const early = operator.notes.length
    const asLong = async (from: number) =>
      from < early ? { notes: operator.notes.slice(from, early), next: null } : source.log(from)
    // The log is read before the seal, the record after it, and the rest of the log after the result.
    let closeHash = ''
    const bundle = await collectBundle(
      {
        ...source,
        record: (game, number) => {
          if (third !== undefined) closeHash ||= operator.close(third)
          return source.record(game, number)
        },
        log: (from) => {
          if (from >= early && third !== undefined) operator.result(third, closeHash)
          return asLong(from)
        },
      },
      'bitcoin-lotto',
      3,
    )
    expect(bundle.log).toHaveLength(early + 1)
    expect(verifyBundle(bundle)).toMatchObject({ state: 'closed', outcome: 'unchecked' })
  })

  it('of a draw on sale has no entries', async () => {
    const { operator, draws } = someOperator()
    const bundle = await collectBundle(sourceOf(operator, draws), 'bitcoin-lotto', 3)
    expect(bundle).toMatchObject({ entries: null, beacon: null, own: null })
    expect(verifyBundle(bundle)).toMatchObject({ state: 'open', outcome: 'unchecked' })
  })

  it('is not collected of an operator that does not know the draw, or whose log does not reach it', async () => {
    const { operator, draws } = someOperator()
    const source = sourceOf(operator, draws)
    await expect(collectBundle(source, 'bitcoin-lotto', 9)).rejects.toThrow(BundleError)
    const short = { ...source, log: () => Promise.resolve({ notes: operator.notes.slice(0, 2), next: null }) }
    await expect(collectBundle(short, 'bitcoin-lotto', 1)).rejects.toThrow('ends before this draw')
    await expect(collectBundle(source, 'bitcoin-lotto', 9)).rejects.toThrow('has not opened this draw')
    const empty = { ...source, log: () => Promise.resolve({ notes: [], next: 3 }) }
    await expect(collectBundle(empty, 'bitcoin-lotto', 1)).rejects.toThrow(BundleError)
    await expect(collectBundle(empty, 'bitcoin-lotto', 1)).rejects.toThrow('a page with nothing on it')
  })

  it('reaches to the last statement of its draw, or is none', async () => {
    const { operator, draws } = someOperator()
    const source = sourceOf(operator, draws)
    const last = operator.notes.findLastIndex((note) => note.startsWith('fairball/result/v1'))
    const upTo = (end: number) => ({
      ...source,
      log: (from: number) => Promise.resolve({ notes: operator.notes.slice(from, end), next: null }),
    })
    expect((await collectBundle(upTo(last + 1), 'bitcoin-lotto', 2)).log).toHaveLength(last + 1)
    await expect(collectBundle(upTo(last), 'bitcoin-lotto', 2)).rejects.toThrow('ends before this draw')
  })

  it('is not collected from a log without end', async () => {
    const { operator, draws } = someOperator()
    const source = sourceOf(operator, draws)
    let pages = 0
    const endless = {
      ...source,
      log: (from: number) => {
        pages += 1
        return Promise.resolve({ notes: ['a note'], next: from + 1 })
      },
    }
    await expect(collectBundle(endless, 'bitcoin-lotto', 1)).rejects.toThrow('does not end')
    expect(pages).toBe(5000)
  })

  it('asks for the record of its draw once, where nothing went on meanwhile', async () => {
    const { operator, draws } = someOperator()
    const source = sourceOf(operator, draws)
    let asked = 0
    const counted: FairnessSource = {
      ...source,
      record: (game, number) => {
        asked += 1
        return source.record(game, number)
      },
    }
    await collectBundle(counted, 'bitcoin-lotto', 1)
    expect(asked).toBe(1)
  })

  it.each([0, 0.5, -1, 2 ** 53])('names a round that is one: not %d', async (round) => {
    const { operator, draws } = someOperator()
    const source = sourceOf(operator, draws)
    const odd: FairnessSource = {
      ...source,
      record: async (game, number) => ({ ...(await source.record(game, number)), beacon: { round, signature: '' } }),
    }
    await expect(collectBundle(odd, 'bitcoin-lotto', 1)).rejects.toThrow('names no round of the beacon')
    const first: FairnessSource = {
      ...source,
      record: async (game, number) => ({ ...(await source.record(game, number)), beacon: { round: 1, signature: '' } }),
    }
    expect((await collectBundle(first, 'bitcoin-lotto', 1)).beacon?.round).toBe(1n)
  })
})
