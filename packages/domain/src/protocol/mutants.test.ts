import { describe, expect, it } from 'vitest'
import { fromBase64, toBase64 } from './bytes.ts'
import { JUDGED_BUNDLES, trustOf, VECTOR_ROUNDS, vectorText } from './vectors-fixture.ts'
import { verifyBundleText } from './verify.ts'

/**
 * Single flipped bits and other changes of honest bundles (section 15): no change of what was signed or sealed is proved or
 * holds, and none whatever fails, since a changed file accuses nobody.
 */

/** So many flipped bits; any number with the environment variable `FAIRNESS_MUTANTS` (section 15). */
const MUTANTS = Number(environment('FAIRNESS_MUTANTS') ?? 2000)

type Plain = string | number | null | Plain[] | { [key: string]: Plain }

/** A text of a bundle, by the way to it. */
interface Place {
  readonly way: readonly (string | number)[]
  readonly text: string
}

const HONEST = JUDGED_BUNDLES.filter(({ outcome }) => outcome === 'proved')

describe(`${MUTANTS} flipped bits of honest bundles`, () => {
  const bundles = HONEST.map((judged) => {
    const places = placesOf(JSON.parse(vectorText(judged.file)) as Plain).filter(({ text }) => text.length > 0)
    return { ...judged, places, bits: places.reduce((sum, place) => sum + bitsOf(place), 0) }
  })

  it('end neither proved nor holding where they were signed or sealed, and never failed', () => {
    const seen = { sealed: 0, other: 0 }
    for (let count = 0; count < MUTANTS; count += 1) {
      const judged = bundles[count % bundles.length]
      if (judged === undefined) continue
      // A stride that has no factor in common with most sizes comes to all places alike.
      const { place, bit } = placeOfBit(judged.places, (count * 1_000_003 + 7919) % judged.bits)
      const outcome = outcomeOf(judged, place, bit)
      const what = `${judged.id} ${place.way.join('.')} bit ${bit}: ${outcome}`
      expect(outcome, what).not.toBe('failed')
      if (isSealed(judged, place, bit)) expect(['broken', 'not yet'], what).toContain(outcome)
      seen[isSealed(judged, place, bit) ? 'sealed' : 'other'] += 1
    }
    expect(seen.sealed).toBeGreaterThan(0.8 * MUTANTS)
  })
}, 600_000)

describe('honest bundles with something taken out, doubled or exchanged', () => {
  // The others are of the same shape.
  const shapes = HONEST.filter(({ id }) => ['honest', 'honest-revoked', 'honest-rotated', 'honest-void'].includes(id))
  it.each(shapes.map((judged) => ({ ...judged })))('never fail: $id', (judged) => {
    const text = vectorText(judged.file)
    const trust = trustOf(judged)
    for (const change of changesOf(JSON.parse(text) as Plain)) {
      const changed = JSON.parse(text) as Plain
      change.apply(changed)
      const { outcome, failed } = verifyBundleText(JSON.stringify(changed), trust, VECTOR_ROUNDS)
      expect(`${change.what}: ${outcome} ${failed.join()}`).not.toContain('failed')
    }
  })
}, 600_000)

function outcomeOf(judged: (typeof HONEST)[number], { way, text }: Place, bit: number): string {
  const changed = JSON.parse(vectorText(judged.file)) as Plain
  set(changed, way, isBytes(way) ? flippedBytes(text, bit) : flippedText(text, bit))
  return verifyBundleText(JSON.stringify(changed), trustOf(judged), VECTOR_ROUNDS).outcome
}

function bitsOf({ way, text }: Place): number {
  return 8 * (isBytes(way) ? fromBase64(text).length : text.length)
}

function placeOfBit(places: readonly Place[], bit: number): { place: Place; bit: number } {
  let rest = bit
  for (const place of places) {
    if (rest < bitsOf(place)) return { place, bit: rest }
    rest -= bitsOf(place)
  }
  throw new RangeError('no such bit')
}

/** Whether a bit was signed, or is a hash or secret that leads to what was. */
function isSealed({ id }: { readonly id: string }, { way, text }: Place, bit: number): boolean {
  const key = String(way.at(-1))
  // Names and preimages are the player's own word, and the path of a receipt is not asked for where its section is here.
  if (['username', 'preimage', 'lines', 'format'].includes(key)) return false
  if (way[0] === 'papers' && way.includes('path')) return false
  // A cosignature is no signed byte: nobody asks for one of the head, and of a void draw it is the reason that holds then.
  const isOfVoid = id === 'honest-void' && String(way[1]) === '0' && key === 'checkpoint'
  if (key !== 'head' && !isOfVoid) return true
  return Math.floor(bit / 8) <= text.indexOf('\n— ', text.indexOf('\n— ') + 1)
}

function isBytes(way: Place['way']): boolean {
  return way.at(-1) === 'leaves' || way.at(-1) === 'sections'
}

function flippedBytes(text: string, bit: number): string {
  const bytes = fromBase64(text)
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return toBase64(bytes)
}

function flippedText(text: string, bit: number): string {
  const at = bit >> 3
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << (bit & 7))) + text.slice(at + 1)
}

function placesOf(value: Plain, way: readonly (string | number)[] = []): Place[] {
  if (typeof value === 'string') return [{ way, text: value }]
  if (value === null || typeof value === 'number') return []
  return Object.entries(value).flatMap(([key, item]) => placesOf(item, [...way, key]))
}

interface Change {
  readonly what: string
  readonly apply: (bundle: Plain) => void
}

/** Every item of every list taken out, doubled, or exchanged with its neighbour; every value that may be null, null. */
function changesOf(bundle: Plain): Change[] {
  const changes: Change[] = []
  const visit = (value: Plain, way: readonly (string | number)[]): void => {
    if (value === null || typeof value !== 'object') return
    const what = way.join('.')
    if (Array.isArray(value)) {
      for (const place of value.keys()) {
        changes.push({ what: `${what} without ${place}`, apply: (root) => void listAt(root, way).splice(place, 1) })
        changes.push({
          what: `${what} twice ${place}`,
          apply: (root) => listAt(root, way).splice(place, 0, ...listAt(root, way).slice(place, place + 1)),
        })
        changes.push({
          what: `${what} exchanged ${place}`,
          apply: (root) =>
            listAt(root, way).splice(
              place,
              2,
              ...listAt(root, way)
                .slice(place, place + 2)
                .toReversed(),
            ),
        })
      }
    } else {
      for (const key of ['seal', 'tail', 'beacon', 'plays', 'secret', 'username', 'preimage']) {
        if (Object.hasOwn(value, key))
          changes.push({ what: `${what} no ${key}`, apply: (root) => set(root, [...way, key], null) })
      }
    }
    for (const [key, item] of Object.entries(value)) visit(item, [...way, key])
  }
  visit(bundle, [])
  for (const key of ['seal', 'tail', 'beacon', 'plays', 'open']) {
    changes.push({ what: `${key} of the draws exchanged`, apply: (root) => exchange(root, key) })
  }
  return changes
}

function exchange(root: Plain, key: string): void {
  const [one, other] = [at(root, ['draws', 0, key]), at(root, ['draws', 1, key])]
  set(root, ['draws', 0, key], other)
  set(root, ['draws', 1, key], one)
}

function at(root: Plain, way: readonly (string | number)[]): Plain {
  let value = root
  for (const key of way) value = (value as Record<string | number, Plain>)[key] ?? null
  return value
}

function listAt(root: Plain, way: readonly (string | number)[]): Plain[] {
  return at(root, way) as Plain[]
}

function set(root: Plain, way: readonly (string | number)[], value: Plain): void {
  const parent = at(root, way.slice(0, -1)) as Record<string | number, Plain>
  parent[way.at(-1) ?? ''] = value
}

/** A variable of the environment, where there is one. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env: Record<string, string | undefined> } }
  return process?.env[name]
}
