import { describe, expect, it } from 'vitest'
import { asciiBytes } from './bytes.ts'
import { collectBundle } from './collect-bundle.ts'
import { textHash } from './hash.ts'
import { TEST_ROUNDS, TEST_TRUST, TestOperator } from './operator-fixture.ts'
import { collect, servedFiles } from './served-files-fixture.ts'
import { bundleOf, DEFAULT_TRUST, VECTOR_ROUNDS } from './vectors-fixture.ts'
import { verifyBundle } from './verify.ts'

const HONEST = bundleOf('honest')
const TEXTS = HONEST.statements.map(({ text }) => text)
const OPENS = HONEST.draws.map(({ open }) => open)
describe('a bundle collected from an operator’s files', () => {
  const files = servedFiles(HONEST, TEXTS)

  it('the collected bundle equals the operator’s, and is proved', async () => {
    const bundle = await collect(files, { draws: OPENS, papers: HONEST.papers }).bundle
    for (const part of ['head', 'texts', 'draws', 'papers'] as const) expect(bundle[part]).toEqual(HONEST[part])
    expect(verifyBundle(bundle, DEFAULT_TRUST, VECTOR_ROUNDS)).toMatchObject({ outcome: 'proved', warned: [] })
  })

  it('what needs no other file is asked for together: a draw takes three round trips', async () => {
    const rounds: string[][] = []
    let round: Promise<void> | null = null
    const get = async (path: string): Promise<Uint8Array | null> => {
      if (round === null) {
        rounds.push([])
        round = settled().then(() => void (round = null))
      }
      rounds.at(-1)?.push(path.replace(/[0-9a-f]{64}/, '…'))
      await round
      return files.get(path) ?? null
    }
    await collectBundle({ get, draws: OPENS.slice(0, 1), random: () => 0 })
    const [head, log, draw, ...more] = rounds.map((paths) => paths.toSorted())
    expect(head).toEqual(['checkpoint'])
    expect(log?.every((path) => path.startsWith('tile/'))).toBe(true)
    expect(draw).toEqual(expect.arrayContaining(['draw/…/beacon', 'seal/…', 'text/…', 'text/…']))
    expect(more).toEqual([])
  })

  it('the bundle has the draws named by hash or by game and number', async () => {
    const game = /^game (.+)$/m.exec(TEXTS[2] ?? '')?.[1] ?? ''
    const named = await collect(files, { draws: [{ game, draw: 2 }] }).bundle
    expect(named.draws.map(({ open }) => open)).toEqual(OPENS.slice(1))
    const other = collect(files, { draws: [{ game: 'no-game', draw: 2 }] }).bundle
    await expect(other).rejects.toThrow('The log has no draw no-game 2.')
    await expect(collect(files, { draws: ['ab'.repeat(32)] }).bundle).rejects.toThrow('The log has no draw abab')
  })

  it('without a name, the bundle has the newest draw that is over, or else the newest draw', async () => {
    const opensOf = async (operator: TestOperator) => {
      const texts = operator.statements.map(({ text }) => text)
      const bundle = await collect(servedFiles(await operator.bundle(), texts), { draws: [] }).bundle
      return bundle.draws.map(({ open }) => open)
    }
    const operator = new TestOperator()
    await expect(opensOf(operator)).rejects.toThrow('The log has no draw yet.')
    const first = operator.openDraw()
    expect(await opensOf(operator)).toEqual([first.open.hash])
    operator.giveUp(first, 'outage')
    const second = operator.openDraw()
    expect(await opensOf(operator)).toEqual([first.open.hash])
    operator.closeDraw(second)
    await operator.seal(second)
    operator.settle(second)
    operator.openDraw()
    expect(await opensOf(operator)).toEqual([second.open.hash])
  })

  it('wrong texts, seals or beacons are refused', async () => {
    const open = OPENS[0] ?? ''
    const seal = [...files.keys()].find((path) => path.startsWith('seal/')) ?? ''
    const text = `text/${textHash(HONEST.texts[0] ?? '')}`
    for (const [path, bytes, said] of [
      [text, asciiBytes('another\n'), 'is another text'],
      [seal, asciiBytes('{}'), 'is no seal'],
      [seal, asciiBytes('hello'), 'is no seal'],
      [`draw/${open}/beacon`, asciiBytes('1 2\n'), 'is no round'],
    ] as const) {
      const changed = collect(new Map([...files, [path, bytes]]), { draws: [open] }).bundle
      await expect(changed, path).rejects.toThrow(said)
    }
    const withoutText = new Map(files)
    withoutText.delete(text)
    await expect(collect(withoutText, { draws: [open] }).bundle).rejects.toThrow('does not serve')
  })

  it('if plays, beacon and seal are not served, the bundle lacks them and ends at the head', async () => {
    const some = new Map([...files].filter(([path]) => !/^(?:draw|seal)\//.test(path)))
    const { draws } = await collect(some, { draws: OPENS }).bundle
    for (const draw of draws) {
      expect(draw).toMatchObject({ beacon: null, plays: null, tail: null })
      expect(draw.seal?.checkpoint).toBe(HONEST.head)
    }
  })

  it('a head older than a seal is reported', async () => {
    const older = { ...HONEST, head: HONEST.draws[0]?.seal?.checkpoint ?? '' }
    const size = Number(older.head.split('\n')[1])
    const [first = ''] = OPENS
    const early = servedFiles(older, TEXTS.slice(0, size))
    const seals = [...files].filter(([path]) => path.startsWith('seal/'))
    for (const [path] of seals) early.set(path, seals.at(-1)?.[1] ?? new Uint8Array())
    await expect(collect(early, { draws: [first] }).bundle).rejects.toThrow('older than a seal')
  })
})

describe('a log of many statements', async () => {
  const operator = new TestOperator()
  const drawn = async (): Promise<void> => {
    const draw = operator.openDraw()
    for (let batch = 0; batch < 300; batch += 1) operator.sell(draw, [])
    operator.closeDraw(draw)
    await operator.seal(draw)
    operator.settle(draw)
  }
  for (let count = 0; count < 3; count += 1) await drawn()
  const whole = await operator.bundle()
  const files = servedFiles(
    whole,
    operator.statements.map(({ text }) => text),
  )
  const second = operator.draws[1]?.open.hash ?? ''

  it('a log is read backwards from its newest statement until nothing is missing', async () => {
    const { asked, bundle } = collect(files, { draws: [second] })
    expect(verifyBundle(await bundle, TEST_TRUST, TEST_ROUNDS).outcome).toBe('proved')
    expect(asked.filter((path) => path.startsWith('tile/entries/'))).toEqual([
      'tile/entries/000',
      'tile/entries/003.p/143',
      'tile/entries/002',
      'tile/entries/001',
    ])
  })

  it('with a hint only the statements it names are read, and more if they are not enough', async () => {
    const hinted = await collect(files, { draws: [second] }).bundle
    const statements = hinted.statements.map(({ index }) => index)
    const { asked, bundle } = collect(files, { draws: [second], hint: { statements: [-1, ...statements, 1e9] } })
    expect(await bundle).toEqual(hinted)
    expect(asked).not.toContain('tile/entries/003.p/143')
    const short = collect(files, { draws: [second], hint: { statements: statements.slice(0, 3) } })
    expect(await short.bundle).toEqual(hinted)
  })
})

describe('postponed and void draws', () => {
  const play = { secret: new Uint8Array(32).fill(3), username: 'ann', lines: [[1, 2, 3]], free: 0, rate: 3000 }
  const verify = async (operator: TestOperator) => {
    const whole = await operator.bundle()
    const texts = operator.statements.map(({ text }) => text)
    const bundle = await collect(servedFiles(whole, texts), { draws: whole.draws.map(({ open }) => open) }).bundle
    return { bundle, report: verifyBundle(bundle, TEST_TRUST, TEST_ROUNDS) }
  }

  it('a postponed draw is proved with the seals of its postponements', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, [play])
    operator.closeDraw(draw)
    await operator.postpone(draw)
    operator.closeDraw(draw)
    await operator.seal(draw)
    operator.settle(draw)
    const { bundle, report } = await verify(operator)
    expect(bundle.draws[0]?.postpones).toHaveLength(1)
    expect(report).toMatchObject({ outcome: 'proved' })
  })

  it('a postponed draw waits for its new close', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.closeDraw(draw)
    await operator.seal(draw)
    await operator.postpone(draw)
    expect((await verify(operator)).report).toMatchObject({ outcome: 'not yet', broken: [] })
  })

  it('a void draw is judged up to its void', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, [play])
    operator.closeDraw(draw)
    await operator.seal(draw)
    operator.giveUp(draw, 'beacon')
    const after = operator.openDraw()
    operator.giveUp(after, 'outage')
    const { bundle, report } = await verify(operator)
    expect(report.broken).toEqual([])
    expect(bundle.draws[0]?.tail?.statements.at(-1)).toMatch(/^fairball\/void/)
    // A draw that was never closed has no seal: its range ends at the head.
    expect(bundle.draws[1]?.seal?.checkpoint).toBe(bundle.head)
  })
})

/** Waits until all that is asked without waiting for an answer has been asked. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve()
}
