import { describe, expect, it } from 'vitest'
import { fromBase64, toBase64 } from './bytes.ts'
import { JUDGED_BUNDLES, trustOf, VECTOR_ROUNDS, vectorText } from './vectors-fixture.ts'
import { verifyBundleText } from './verify.ts'

/**
 * Flipped bits and other changes of honest bundles (section 15). No bundle with a change in its signed or sealed parts
 * is proved or holds, and no changed bundle fails, because a changed file accuses no one.
 */

/** Number of flipped bits; the environment variable `FAIRNESS_MUTANTS` sets another one (section 15). */
const MUTANTS = Number(environment('FAIRNESS_MUTANTS') ?? 600)

type Plain = string | number | null | Plain[] | { [key: string]: Plain }

/** A text in a bundle, and its path. */
interface Place {
  readonly path: readonly (string | number)[]
  readonly text: string
}

const HONEST = JUDGED_BUNDLES.filter(({ outcome }) => outcome === 'proved')

describe(`${MUTANTS} flipped bits of honest bundles`, () => {
  const bundles = HONEST.map((judged) => {
    const places = placesOf(JSON.parse(vectorText(judged.file)) as Plain).filter(({ text }) => text.length > 0)
    return { ...judged, places, bits: places.reduce((sum, place) => sum + bitsOf(place), 0) }
  })

  it('a flipped bit in a signed or sealed part never ends proved or holding, and no flipped bit ends failed', () => {
    const seen = { sealed: 0, other: 0 }
    for (let count = 0; count < MUTANTS; count += 1) {
      const judged = bundles[count % bundles.length]
      if (judged === undefined) continue
      // A stride that shares no factor with most sizes reaches all bits equally often.
      const { place, bit } = locateBit(judged.places, (count * 1_000_003 + 7919) % judged.bits)
      const outcome = outcomeOf(judged, place, bit)
      const what = `${judged.id} ${place.path.join('.')} bit ${bit}: ${outcome}`
      expect(outcome, what).not.toBe('failed')
      if (isSealed(judged, place, bit)) expect(['broken', 'not yet'], what).toContain(outcome)
      seen[isSealed(judged, place, bit) ? 'sealed' : 'other'] += 1
    }
    expect(seen.sealed).toBeGreaterThan(0.8 * MUTANTS)
  })
}, 600_000)

describe('honest bundles with removed, duplicated or exchanged parts', () => {
  // The others have the same shapes.
  const shapes = HONEST.filter(({ id }) => ['honest', 'honest-revoked', 'honest-rotated', 'honest-void'].includes(id))
  it.each(shapes.map((judged) => ({ ...judged })))(
    'a bundle with a removed, duplicated or exchanged part never fails: $id',
    (judged) => {
      const text = vectorText(judged.file)
      const trust = trustOf(judged)
      for (const change of changesOf(JSON.parse(text) as Plain)) {
        const changed = JSON.parse(text) as Plain
        change.apply(changed)
        const { outcome, failed } = verifyBundleText(JSON.stringify(changed), trust, VECTOR_ROUNDS)
        expect(`${change.what}: ${outcome} ${failed.join()}`).not.toContain('failed')
      }
    },
  )
}, 600_000)

function outcomeOf(judged: (typeof HONEST)[number], { path, text }: Place, bit: number): string {
  const changed = JSON.parse(vectorText(judged.file)) as Plain
  set(changed, path, isBytes(path) ? flippedBytes(text, bit) : flippedText(text, bit))
  return verifyBundleText(JSON.stringify(changed), trustOf(judged), VECTOR_ROUNDS).outcome
}

function bitsOf({ path, text }: Place): number {
  return 8 * (isBytes(path) ? fromBase64(text).length : text.length)
}

function locateBit(places: readonly Place[], bit: number): { place: Place; bit: number } {
  let rest = bit
  for (const place of places) {
    if (rest < bitsOf(place)) return { place, bit: rest }
    rest -= bitsOf(place)
  }
  throw new RangeError('the bit is outside the bundle')
}

/** Whether a bit was signed, or belongs to a hash or secret that leads to signed data. */
function isSealed({ id }: { readonly id: string }, { path, text }: Place, bit: number): boolean {
  const key = String(path.at(-1))
  // Names and preimages are the player's claims, and a receipt's path is not checked if its section is available.
  if (['username', 'preimage', 'lines', 'format'].includes(key)) return false
  if (path[0] === 'papers' && path.includes('path')) return false
  // Cosignatures are not signed themselves: the head needs none, and without them only a void draw's reason is unknown.
  const isOfVoid = id === 'honest-void' && String(path[1]) === '0' && key === 'checkpoint'
  if (key !== 'head' && !isOfVoid) return true
  return Math.floor(bit / 8) <= text.indexOf('\n— ', text.indexOf('\n— ') + 1)
}

function isBytes(path: Place['path']): boolean {
  return path.at(-1) === 'leaves' || path.at(-1) === 'sections'
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

function placesOf(value: Plain, path: readonly (string | number)[] = []): Place[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (value === null || typeof value === 'number') return []
  return Object.entries(value).flatMap(([key, item]) => placesOf(item, [...path, key]))
}

interface Change {
  readonly what: string
  readonly apply: (bundle: Plain) => void
}

/**
 * Every item of every list removed, duplicated or exchanged with its neighbour, and every nullable value set to null.
 */
function changesOf(bundle: Plain): Change[] {
  const changes: Change[] = []
  const visit = (value: Plain, path: readonly (string | number)[]): void => {
    if (value === null || typeof value !== 'object') return
    const what = path.join('.')
    if (Array.isArray(value)) {
      for (const place of value.keys()) {
        changes.push({ what: `${what} without ${place}`, apply: (root) => void listAt(root, path).splice(place, 1) })
        changes.push({
          what: `${what} twice ${place}`,
          apply: (root) => listAt(root, path).splice(place, 0, ...listAt(root, path).slice(place, place + 1)),
        })
        changes.push({
          what: `${what} exchanged ${place}`,
          apply: (root) =>
            listAt(root, path).splice(
              place,
              2,
              ...listAt(root, path)
                .slice(place, place + 2)
                .toReversed(),
            ),
        })
      }
    } else {
      for (const key of ['seal', 'tail', 'beacon', 'plays', 'secret', 'username', 'preimage']) {
        if (Object.hasOwn(value, key))
          changes.push({ what: `${what} no ${key}`, apply: (root) => set(root, [...path, key], null) })
      }
    }
    for (const [key, item] of Object.entries(value)) visit(item, [...path, key])
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

function at(root: Plain, path: readonly (string | number)[]): Plain {
  let value = root
  for (const key of path) value = (value as Record<string | number, Plain>)[key] ?? null
  return value
}

function listAt(root: Plain, path: readonly (string | number)[]): Plain[] {
  return at(root, path) as Plain[]
}

function set(root: Plain, path: readonly (string | number)[], value: Plain): void {
  const parent = at(root, path.slice(0, -1)) as Record<string | number, Plain>
  parent[path.at(-1) ?? ''] = value
}

/** A variable of the test environment. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env: Record<string, string | undefined> } }
  return process?.env[name]
}
