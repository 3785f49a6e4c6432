/** Fairness section 12: every single-bit change of seed, root, entries, signature, numbers or tier lines is found out. */
import { describe, expect, it, vi } from 'vitest'
import type * as beacon from './beacon.ts'
import type { Bundle } from './bundle.ts'
import { fromHex, toHex } from './bytes.ts'
import { ENTRY_RECORD_BYTES } from './entry.ts'
import { fixedPlay, gameOf, honestResult, rootOf } from './draw-fixture.ts'
import { OperatorFixture } from './operator-fixture.ts'
import { resigned, textOf } from './resigned-fixture.ts'
import { failedIn } from './report-fixture.ts'
import type * as signedNote from './signed-note.ts'
import { type LoggedStatement, parseStatementOf, type StatementOf } from './statements.ts'
import { verifyBundle } from './verify.ts'

// Thousands of bundles differ in one bit each. What they have in common is verified once: the same note with the same key,
// and the same signature of the same round, have the same answer.
vi.mock('./beacon.ts', async (importOriginal) => {
  const original = await importOriginal<typeof beacon>()
  return { ...original, verifySignature: remembered(original.verifySignature) }
})
vi.setConfig({ testTimeout: 60_000 })
vi.mock('./signed-note.ts', async (importOriginal) => {
  const original = await importOriginal<typeof signedNote>()
  return { ...original, verifyNote: remembered(original.verifyNote) }
})

const LOTTO = gameOf('bitcoin-lotto')
const operator = new OperatorFixture()
const draw = operator.open(1, [fixedPlay('alice', 3, LOTTO), fixedPlay('bob', 4, LOTTO)])
const closeHash = operator.settle(draw)
const bundle = operator.bundle(draw, {
  own: {
    key: toHex(operator.publicKey),
    username: 'alice',
    sights: [{ hash: closeHash, seenAt: operator.openOf(draw).close + 10 }],
    receipts: [operator.receipt(draw, 0, closeHash)],
  },
})
const entries = draw.entriesBytes
const stranger: Bundle = { ...bundle, own: null }
const rules = parseStatementOf('rules', bundle.rules)
const result = parseStatementOf('result', textOf(operator.notes.at(-1) ?? ''))
const close = parseStatementOf('close', operator.textOf(closeHash))

it('the draw itself verifies, for its player and for a stranger', () => {
  expect(failedIn(verifyBundle(bundle))).toEqual([])
  expect(verifyBundle(bundle).outcome).toBe('passed')
  expect(verifyBundle(stranger).outcome).toBe('passed')
})

describe('every single bit of the seed', () => {
  it('breaks the signature of the seal where the note is left as it was', () => {
    expectAll(flips(close.seed), (seed) => edited('close', `seed ${close.seed}`, `seed ${seed}`), ['log.signatures'])
  })

  it('is found out where the operator signs anew and draws by the changed seed', () => {
    expectAll(flips(close.seed), (seed) => cleverly({ seed }), ['close.seed'])
  })
})

describe('every single bit of the root', () => {
  it('breaks the signature of the seal where the note is left as it was', () => {
    expectAll(flips(close.root), (root) => edited('close', `root ${close.root}`, `root ${root}`), ['log.signatures'])
  })

  it('is found out where the operator signs anew and draws by the changed seal', () => {
    expectAll(flips(close.root), (root) => cleverly({ root }), ['close.root'])
  })
})

describe('every single bit of the signature of the beacon', () => {
  it('is found out in what the beacon is said to have given', () => {
    const round = close.round
    expectAll(flips(result.signature), (signature) => ({ ...stranger, beacon: { round, signature } }), [
      'beacon.signature',
    ])
  })

  it('breaks the signature of the result where the note is left as it was', () => {
    const change = (signature: string): Bundle =>
      edited('result', `signature ${result.signature}`, `signature ${signature}`)
    expectAll(flips(result.signature), change, ['log.signatures'])
  })

  it('is found out where the operator signs anew and draws by the changed signature', () => {
    const change = (signature: string): Bundle => ({ ...cleverly({}, { signature }), beacon: null })
    expectAll(flips(result.signature), change, ['beacon.signature'])
  })
})

describe('every single bit of an entry', () => {
  const places = Array.from({ length: draw.entries.length * ENTRY_RECORD_BYTES * 8 }, (_, bit) => bit)

  it('is found out in all entries as they are published', () => {
    for (const bit of places) {
      expect(failedIn(verifyBundle({ ...stranger, entries: flipped(entries, bit) })), `bit ${bit}`).toContain(
        'close.root',
      )
    }
  })

  it('is found out by its player where the operator seals and signs the changed entry', () => {
    const [index = 0] = ownRecord().receipts.flatMap((receipt) => receipt.entries.map((entry) => entry.index))
    const ofOne = places.filter((bit) => Math.floor(bit / 8 / ENTRY_RECORD_BYTES) === index)
    const bare = ownRecord().receipts.map(({ receipt }) => ({ receipt, close: null, entries: [] }))
    for (const bit of ofOne) {
      const changed = resealed(flipped(entries, bit))
      // By the receipt's path and its seal; and by the published entries alone, had it none.
      const report = verifyBundle({ ...changed, own: { ...ownRecord(), sights: [] } })
      expect(failedIn(report), `bit ${bit}`).toEqual(expect.arrayContaining(['log.fork', 'receipts.sealed']))
      const alone = verifyBundle({ ...changed, own: { ...ownRecord(), sights: [], receipts: bare } })
      // A changed id may leave its order; then that is what fails.
      const found = failedIn(alone)
      expect(found.includes('receipts.sealed') || found.includes('close.order'), `bit ${bit}`).toBe(true)
    }
  })

  it('is found out by whoever saw the first seal, whatever was changed in it', () => {
    for (const bit of sampled(places, 40)) {
      const report = verifyBundle({ ...resealed(flipped(entries, bit)), own: { ...ownRecord(), receipts: [] } })
      expect(failedIn(report), `bit ${bit}`).toContain('log.fork')
    }
  })
})

describe('the numbers of the result', () => {
  const others = result.numbers.flatMap((number, place) =>
    Array.from({ length: LOTTO.pool }, (_, index) => index + 1)
      .filter((other) => other !== number && !result.numbers.includes(other))
      .map((other) => result.numbers.with(place, other)),
  )
  const swapped = result.numbers.flatMap((a, i) =>
    result.numbers.flatMap((b, j) => (i < j ? [result.numbers.with(i, b).with(j, a)] : [])),
  )
  const shorter = [result.numbers.slice(1), [...result.numbers, 1 + (Math.max(...result.numbers) % LOTTO.pool)]]

  it('cannot be any others, nor in another order, nor fewer or more', () => {
    for (const numbers of [...others, ...swapped, ...shorter.filter((list) => new Set(list).size === list.length)]) {
      expect(failedIn(verifyBundle(signedAnew('result', { numbers }))), numbers.join()).toEqual(['numbers.derived'])
    }
  })

  it('break its signature where the note is left as it was', () => {
    for (const numbers of sampled(others, 30)) {
      const changed = edited('result', `numbers ${result.numbers.join()}`, `numbers ${numbers.join()}`)
      expect(failedIn(verifyBundle(changed)), numbers.join()).toEqual(['log.signatures'])
    }
  })
})

describe('the tier lines of the result', () => {
  const changes = result.tiers.flatMap((tier, place) => {
    const bits = Array.from({ length: 20 }, (_, bit) => bit)
    return [
      ...bits.map((bit) => result.tiers.with(place, { ...tier, winners: tier.winners ^ (1 << bit) })),
      ...bits.map((bit) => result.tiers.with(place, { ...tier, satsEach: tier.satsEach ^ (1n << BigInt(bit)) })),
      result.tiers.toSpliced(place, 1),
    ]
  })

  it('cannot differ in a bit of any count or amount, nor miss a tier', () => {
    for (const [number, tiers] of changes.entries()) {
      const failed = failedIn(verifyBundle(signedAnew('result', { tiers })))
      expect(failed, `change ${number}`).toEqual(['prizes.tiers'])
    }
  })

  it('break its signature where the note is left as it was', () => {
    for (const tiers of sampled(changes, 30)) {
      const lines = (list: StatementOf<'result'>['tiers']): string =>
        list.map(({ matches, kind, winners, satsEach }) => `tier ${matches} ${kind} ${winners} ${satsEach}\n`).join('')
      expect(failedIn(verifyBundle(edited('result', lines(result.tiers), lines(tiers))))).toEqual(['log.signatures'])
    }
  })
})

it('no bit of the log can change unsigned: a sample of all its bits', () => {
  for (const [place, note] of bundle.log.entries()) {
    for (const at of sampled(
      Array.from({ length: note.length }, (_, index) => index),
      60,
    )) {
      const code = note.charCodeAt(at) ^ (1 << (at % 7))
      const changed = note.slice(0, at) + String.fromCharCode(code) + note.slice(at + 1)
      const report = verifyBundle({ ...stranger, log: bundle.log.with(place, changed) })
      expect(report.outcome, `note ${place}, character ${at}`).toBe('failed')
    }
  }
})

/** Holds that each changed bundle fails in exactly these checks. */
function expectAll(changes: readonly string[], bundleOf: (changed: string) => Bundle, failed: readonly string[]): void {
  for (const [bit, changed] of changes.entries()) {
    expect(failedIn(verifyBundle(bundleOf(changed))), `bit ${bit}`).toEqual(failed)
  }
}

function ownRecord() {
  const own = bundle.own
  if (own === null) throw new Error('the bundle of these tests has an own record')
  return own
}

/** All texts of hex that differ in one bit. */
function flips(hex: string): string[] {
  const bytes = fromHex(hex)
  return Array.from({ length: bytes.length * 8 }, (_, bit) => toHex(flipped(bytes, bit)))
}

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  return bytes.with(bit >> 3, (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7)))
}

/** The bundle with a piece of a note's text replaced, and its signature left. */
function edited(type: string, from: string, to: string): Bundle {
  const place = bundle.log.findIndex((note) => note.startsWith(`fairball/${type}/v1\n`))
  const note = bundle.log[place] ?? ''
  expect(note).toContain(from)
  return { ...stranger, log: bundle.log.with(place, note.replace(from, to)) }
}

/** The bundle whose operator changed a statement and signed it and everything after it anew. */
function signedAnew(type: LoggedStatement['type'], change: Partial<LoggedStatement> | object): Bundle {
  const log = resigned(bundle.log, operator, (statement) =>
    // A change of these tests gives a statement of the same kind.
    statement.type === type ? ({ ...statement, ...change } as LoggedStatement) : statement,
  )
  return { ...stranger, log }
}

/** The same by an operator who also draws and settles by what was changed. */
function cleverly(
  change: Partial<StatementOf<'close'>>,
  { signature = result.signature, sealed = entries }: { signature?: string; sealed?: Uint8Array } = {},
): Bundle {
  const log = resigned(bundle.log, operator, (statement, before) => {
    if (statement.type === 'close') return { ...statement, ...change }
    if (statement.type !== 'result') return statement
    const open = before.find((one): one is StatementOf<'open'> => one.type === 'open')
    const renewed = before.find((one): one is StatementOf<'close'> => one.type === 'close')
    if (open === undefined || renewed === undefined) throw new Error('the result comes last')
    return { ...statement, ...honestResult({ open, close: renewed, rules, signature, entries: sealed }) }
  })
  return { ...stranger, log, entries: sealed }
}

/** The bundle of an operator who changed the entries after it had sealed them, and sealed them anew. */
function resealed(changed: Uint8Array): Bundle {
  const records = draw.entries.map((_, place) =>
    changed.subarray(place * ENTRY_RECORD_BYTES, (place + 1) * ENTRY_RECORD_BYTES),
  )
  const root = rootOf(
    draw.openHash,
    records.map((record) => ({
      id: record.subarray(0, 16),
      // Any byte: that an entry's kind may be neither 0 nor 1 is one of the changes.
      kind: record[16] as 0 | 1,
      mask: new DataView(record.buffer, record.byteOffset).getBigUint64(17),
      ownerTag: record.subarray(25),
    })),
  )
  return cleverly({ root }, { sealed: changed })
}

/** Some of a list, spread over it, the same in every run. */
function sampled<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(list.length / count))
  return list.filter((_, place) => (place * 7) % step === 0).slice(0, count)
}

/** A function that answers the same question from memory. */
function remembered<A extends unknown[], R>(ask: (...asked: A) => R): (...asked: A) => R {
  const answers = new Map<string, R>()
  return (...asked) => {
    const key = JSON.stringify(asked, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = ask(...asked)
    answers.set(key, answer)
    return answer
  }
}
