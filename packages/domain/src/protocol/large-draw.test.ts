import { describe, expect, it } from 'vitest'
import type { Bundle } from './bundle.ts'
import { equalBytes, fromHex, toBase64, writeU32 } from './bytes.ts'
import { nobleHash } from './hash.ts'
import { TestOperator, TEST_ROUNDS, TEST_TRUST } from './operator-fixture.ts'
import { signPaper } from './papers.ts'
import { writePlayLeaf } from './plays.ts'
import { collect, servedFiles } from './served-files-fixture.ts'
import { NO_HASH } from './statement-codecs.ts'
import { verifyBundle } from './verify.ts'

/** Draws with more than one section (sections 6, 9 and 11), counted completely or in part. */

const SECTION = 65_536
const MORE = 5

describe('a draw of two sections', async () => {
  const operator = new TestOperator()
  const draw = operator.openDraw()
  const openHash = fromHex(draw.open.hash)
  for (let index = 0; index < SECTION + MORE; index += 1) draw.leaves.push(leaf(openHash, index))
  operator.closeDraw(draw)
  await operator.seal(draw)
  operator.settle(draw)
  const whole = await operator.bundle()
  const verify = (change: (plays: Plays) => Plays) => verifyBundle(withPlays(whole, change), TEST_TRUST, TEST_ROUNDS)
  const file = operator.sectionsFile(draw)
  const files = servedFiles(
    whole,
    operator.statements.map(({ text }) => text),
  )
  files.set(`draw/${draw.open.hash}/sections`, file)

  it('a draw is proved if all its sections are counted', () => {
    expect(verify((plays) => plays)).toMatchObject({ outcome: 'proved', broken: [], failed: [] })
  })

  it('a draw holds if some sections are counted, with the sections file', () => {
    const report = verify(({ parts }) => ({ sections: file, parts: parts.slice(1) }))
    expect(report).toMatchObject({ outcome: 'holds', broken: [], failed: [] })
    expect(report.reasons).toContain('plays.leaves: only 1 of 2 sections were counted here')
  })

  it('a draw holds if no section is counted', () => {
    expect(verify(() => ({ sections: file, parts: [] })).outcome).toBe('holds')
    expect(verify(({ parts }) => ({ sections: null, parts: parts.slice(1) })).outcome).toBe('holds')
  })

  it('a bundle is broken with a wrong sections file, a duplicate section or a wrong section number', () => {
    const changed = file.map((byte, place) => (place === file.length - 1 ? byte ^ 1 : byte))
    expect(verify(({ parts }) => ({ sections: changed, parts: parts.slice(1) })).broken).toEqual(['result.sections'])
    const roots = file.map((byte, place) => (place === 10 ? byte ^ 1 : byte))
    expect(verify(({ parts }) => ({ sections: roots, parts: parts.slice(1) })).broken).toEqual([
      'plays.root',
      'result.sections',
    ])
    expect(verify(({ parts }) => ({ sections: file, parts: parts.flatMap((part) => [part, part]) })).broken).toEqual([
      'plays.root',
    ])
    expect(verify(({ parts }) => ({ sections: file.slice(1), parts })).broken).toEqual(['plays.root'])
    const moved = (section: number) =>
      verify(({ parts }) => ({ sections: file, parts: parts.slice(1).map((part) => ({ ...part, section })) }))
    expect([0, 2].map((section) => moved(section).broken)).toEqual([['plays.root'], ['plays.root']])
  })

  it('the sections of a draw can come in any order', () => {
    expect(verify(({ parts }) => ({ sections: null, parts: parts.toReversed() })).outcome).toBe('proved')
    expect(toBase64(file).length).toBeGreaterThan(0)
  })

  it('a large draw is fetched in part: the player’s section and a random one', async () => {
    const receipt = signPaper(
      {
        type: 'receipt',
        log: 'test.example/fairball',
        time: operator.now,
        order: 'o-1',
        promise: NO_HASH,
        open: draw.open.hash,
        play: '00'.repeat(16),
        leaf: NO_HASH,
        index: SECTION + 1,
        statement: draw.close?.hash ?? NO_HASH,
        supersedes: NO_HASH,
        reason: 'none',
      },
      new Uint8Array(32).fill(1),
    )
    const papers = [receipt, 'no note'].map((note) => ({
      note,
      secret: null,
      username: null,
      lines: null,
      path: [],
      preimage: null,
    }))
    const bundle = await collect(files, { draws: [draw.open.hash], papers, mostSections: 1, random: () => 1 }).bundle
    const plays = bundle.draws[0]?.plays
    expectEqualParts(plays?.parts, whole.draws[0]?.plays?.parts.slice(1))
    expect(equalBytes(plays?.sections ?? new Uint8Array(), file)).toBe(true)
    const report = verifyBundle({ ...bundle, papers: [] }, TEST_TRUST, TEST_ROUNDS)
    expect(report).toMatchObject({ outcome: 'holds', broken: [], failed: [] })
    expect(report.reasons).toContain('plays.leaves: only 1 of 2 sections were counted here')
  })

  it('a draw within the limit is fetched completely', async () => {
    const bundle = await collect(files, { draws: [draw.open.hash], mostSections: 2 }).bundle
    const [fetched, expected] = [bundle, whole].map(({ draws }) => draws[0]?.plays)
    expectEqualParts(fetched?.parts, expected?.parts)
    expect(fetched?.sections).toEqual(expected?.sections)
  })
}, 600_000)

type Plays = NonNullable<Bundle['draws'][number]['plays']>

/** Compares sections as bytes: `toEqual` takes seconds for millions of them. */
function expectEqualParts(parts: Plays['parts'] = [], expected: Plays['parts'] = []): void {
  expect(parts.map(({ section }) => section)).toEqual(expected.map(({ section }) => section))
  for (const [place, { leaves }] of parts.entries()) {
    expect(equalBytes(leaves, expected[place]?.leaves ?? new Uint8Array())).toBe(true)
  }
}

function withPlays(bundle: Bundle, change: (plays: Plays) => Plays): Bundle {
  return {
    ...bundle,
    draws: bundle.draws.map((draw) => ({ ...draw, plays: draw.plays === null ? null : change(draw.plays) })),
  }
}

/** A play with one line and a unique id. */
function leaf(openHash: Uint8Array, index: number): Uint8Array {
  const playId = new Uint8Array(16)
  writeU32(playId, 12, index)
  return writePlayLeaf({
    openHash,
    playId,
    rate: 3000,
    free: 0,
    masks: [
      (1n << BigInt(index % 9)) | (1n << BigInt((index + 1) % 9)) | (1n << BigInt((index + 2 + (index % 5)) % 9)),
    ],
    ownerTag: nobleHash(playId),
  })
}
