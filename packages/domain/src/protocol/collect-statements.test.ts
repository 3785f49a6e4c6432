import { describe, expect, it } from 'vitest'
import { textHash } from './hash.ts'
import { collected, FiledLog, SEEDS } from './filed-log-fixture.ts'
import { NO_HASH } from './statement-codecs.ts'

/**
 * Which files of a log are read for a bundle. File 0 is always read, then the log from its newest file backwards. In
 * most logs here file 1 has nothing that a bundle needs, so it must not be asked for.
 */

/** A log whose next statement stands in file 2. */
function longLog(isWhole = true): FiledLog {
  const log = new FiledLog(isWhole)
  log.nextFile(2)
  return log
}

describe('the keys of a log', () => {
  it('every key up to the one that signs the head is read, and in the bundle', async () => {
    const log = longLog()
    log.addKey('key', 1)
    log.nextFile()
    log.addKey('key', 2)
    log.nextFile()
    const open = log.add('open', {})
    const { statements, read } = await collected(log.files([SEEDS[2]]), [open])
    expect(read).toEqual([0, 4, 3, 2])
    expect(statements).toEqual([0, 1, 512, 768, 1024])
  })

  it('a line of an unknown key in the head is looked up, even if a known key signed too', async () => {
    const log = longLog()
    log.addKey('key', 1)
    log.nextFile()
    const open = log.add('open', {})
    for (const seeds of [
      [SEEDS[0], SEEDS[1]],
      [SEEDS[1], SEEDS[0]],
    ]) {
      const { statements, read } = await collected(log.files(seeds), [open])
      expect(read).toEqual([0, 3, 2])
      expect(statements).toEqual([0, 1, 512, 768])
    }
  })

  it('a key that was not promised has the whole log read', async () => {
    const log = longLog()
    log.addKey('key', 2)
    const open = log.add('open', {})
    expect((await collected(log.files([SEEDS[2]]), [open])).read).toEqual([0, 2, 1])
  })

  it('a head that no key of the log signed has the whole log read, and is in the bundle', async () => {
    const log = longLog()
    const open = log.add('open', {})
    for (const seeds of [[], [SEEDS[1]]]) {
      const { bundle, read } = await collected(log.files(seeds), [open])
      expect(read).toEqual([0, 2, 1])
      expect(bundle.statements).toHaveLength(3)
    }
  })

  it('a log that does not begin with its key is read completely, and the bundle has what there is', async () => {
    for (const isWhole of [true, false]) {
      const log = new FiledLog(false)
      log.fill(1)
      if (isWhole) log.addKey('log', 0)
      log.add('game', {})
      log.nextFile(2)
      const open = log.add('open', {})
      const { statements, read } = await collected(log.files(), [open])
      expect(read).toEqual([0, 2, 1])
      expect(statements).toEqual(isWhole ? [1, 2, 512] : [1, 512])
    }
  })
})

describe('the rules of a draw', () => {
  /** A log with rules in file 2, other rules in file 3, and a draw in file 4. */
  const withOther = (other: Parameters<typeof FiledLog.prototype.add<'game'>>[1]) => {
    const log = new FiledLog(false)
    log.addKey('log', 0)
    log.nextFile(2)
    log.add('game', {})
    log.nextFile()
    log.add('game', other)
    log.nextFile()
    return { log, open: log.add('open', {}) }
  }

  it.each([
    ['of another game', { game: 'another-game' }, [0, 512, 1024]],
    ['of another version', { version: 2 }, [0, 512, 768, 1024]],
    ['of another text', { rules: textHash('other rules') }, [0, 512, 768, 1024]],
  ])('rules %s are not enough', async (_, other, expected) => {
    const { log, open } = withOther(other)
    const { statements, read } = await collected(log.files(), [open])
    expect(read).toEqual([0, 4, 3, 2])
    expect(statements).toEqual(expected)
  })

  it('rules announced after the draw are not enough', async () => {
    const { log, open } = withOther({ version: 2 })
    log.add('game', {})
    expect((await collected(log.files(), [open])).statements).toEqual([0, 512, 768, 1024, 1025])
  })
})

it('a draw by another chain has its chain, whatever others there are', async () => {
  const [chain, other] = ['ab'.repeat(32), 'cd'.repeat(32)]
  const log = longLog()
  log.add('chain', { chain })
  log.nextFile()
  log.add('chain', { chain: other })
  log.nextFile()
  const open = log.add('open', { chain })
  const { statements, read } = await collected(log.files(), [open])
  expect(read).toEqual([0, 4, 3, 2])
  expect(statements).toEqual([0, 1, 512, 1024])
})

describe('what the statements of a draw name', () => {
  const UNKNOWN = 'ab'.repeat(32)

  it('the last batch of each close is read; what closes of other draws name is not', async () => {
    const open = new FiledLog(false).add('open', {})
    const log = longLog()
    const sold = log.add('sold', { open })
    log.nextFile()
    log.add('close', { open: UNKNOWN, sold: UNKNOWN, last: UNKNOWN })
    log.nextFile()
    expect(log.add('open', {})).toBe(open)
    log.add('close', { open, sold, last: NO_HASH })
    log.add('close', { open, sold: NO_HASH, last: NO_HASH })
    const { statements, read } = await collected(log.files(), [open])
    expect(read).toEqual([0, 4, 3, 2])
    expect(statements).toEqual([0, 1, 512, 1024, 1025, 1026])
  })

  it('a draw after a result has that result with its close and draw', async () => {
    const log = longLog()
    const open = log.add('open', { draw: 1 })
    log.nextFile()
    const close = log.add('close', { open, sold: NO_HASH, last: NO_HASH })
    log.nextFile()
    const last = log.add('result', { close })
    log.nextFile()
    const next = log.add('open', { draw: 2 })
    log.add('close', { open: next, sold: NO_HASH, last })
    const { statements, read } = await collected(log.files(), [next])
    expect(read).toEqual([0, 5, 4, 3, 2])
    expect(statements).toEqual([0, 1, 512, 768, 1024, 1280, 1281])
  })

  it('a draw after a void has that void with its draw', async () => {
    const log = longLog()
    const open = log.add('open', { draw: 1 })
    log.nextFile()
    const last = log.add('void', { open, close: NO_HASH, last: NO_HASH })
    log.nextFile()
    const next = log.add('open', { draw: 2 })
    log.add('close', { open: next, sold: NO_HASH, last: NO_HASH })
    log.add('void', { open: next, close: NO_HASH, last })
    const { statements, read } = await collected(log.files(), [next])
    expect(read).toEqual([0, 4, 3, 2])
    expect(statements).toEqual([0, 1, 512, 768, 1024, 1025, 1026])
  })

  it('a statement of the log that is of no draw brings nothing with it', async () => {
    const log = longLog()
    const last = log.addKey('key', 1)
    const open = log.add('open', {})
    log.add('void', { open, close: NO_HASH, last })
    expect((await collected(log.files([SEEDS[1]]), [open])).read).toEqual([0, 2])
  })

  it('if the log lacks what is named, it is read completely, and the bundle has the rest', async () => {
    for (const chosen of [{ sold: UNKNOWN }, { last: UNKNOWN }]) {
      const log = longLog()
      const open = log.add('open', {})
      log.add('close', { open, sold: NO_HASH, last: NO_HASH, ...chosen })
      const { statements, read } = await collected(log.files(), [open])
      expect(read).toEqual([0, 2, 1])
      expect(statements).toEqual([0, 1, 512, 513])
    }
  })
})

describe('several draws', () => {
  it('the log is read until every draw is found with all that it needs', async () => {
    const log = longLog()
    const first = log.add('open', { draw: 1 })
    const sold = log.add('sold', { open: first })
    log.nextFile()
    const second = log.add('open', { draw: 2 })
    log.add('close', { open: second, sold, last: NO_HASH })
    log.nextFile()
    const third = log.add('open', { draw: 3 })
    const files = log.files()
    expect((await collected(files, [third, first])).read).toEqual([0, 4, 3, 2])
    expect((await collected(files, [third, second])).read).toEqual([0, 4, 3, 2])
    expect((await collected(files, [third])).read).toEqual([0, 4])
  })

  it('the newest draw that is over is found, even if only its result is in the newest file', async () => {
    const log = longLog()
    const first = log.add('open', { draw: 1 })
    const close = log.add('close', { open: first, sold: NO_HASH, last: NO_HASH })
    log.add('result', { close, last: NO_HASH })
    const second = log.add('open', { draw: 2 })
    const closed = log.add('close', { open: second, sold: NO_HASH, last: NO_HASH })
    log.nextFile()
    log.add('result', { close: closed, last: NO_HASH })
    const { bundle, read } = await collected(log.files(), [])
    expect(bundle.draws.map(({ open }) => open)).toEqual([second])
    expect(read).toEqual([3, 2, 0])
  })

  it('the newest draw that is over is found in the oldest file, if later files have none', async () => {
    const log = new FiledLog()
    const open = log.add('open', {})
    log.add('void', { open, close: NO_HASH, last: NO_HASH })
    log.nextFile()
    log.fill(1)
    const { bundle, read } = await collected(log.files(), [])
    expect(bundle.draws.map((draw) => draw.open)).toEqual([open])
    expect(read).toEqual([1, 0])
  })

  it('a hint may name statements in any order, and none of the log', async () => {
    const log = longLog()
    const open = log.add('open', {})
    log.nextFile(2)
    log.fill(1)
    const hint = { statements: [600, -1, Number.NaN, 1e9, 512, 3] }
    const { statements, read } = await collected(log.files(), [open], { hint })
    expect(read).toEqual([0, 2])
    expect(statements).toEqual([0, 1, 512])
  })
})
