import { ed25519 } from '@noble/curves/ed25519.js'
import { base64 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import example from '../../vectors/fairness.json'
import { asciiBytes, fromHex, toHex } from './bytes.ts'
import {
  keyId,
  noteOf,
  parseNote,
  signatureLine,
  signingPublicKey,
  signNote,
  signText,
  verifyNote,
  witnessedAt,
  witnessedText,
  witnessKeyId,
  witnessSignatureLine,
} from './signed-note.ts'
import { parseStatement } from './statements.ts'

const operator = { name: example.operator.name, publicKey: fromHex(example.operator.ed25519_public_key) }
const secretSeed = fromHex(example.operator.ed25519_private_seed)
const otherSeed = fromHex('77'.repeat(32))
const other = { name: 'other.example', publicKey: signingPublicKey(otherSeed) }
const notes = [example.open, example.close, example.result, example.receipt].map(({ note }) => note)
/** So many changed notes; 100,000 with the environment variable `FAIRNESS_NOTES=100000` (fairness section 12). */
const MUTATIONS = Number(environment('FAIRNESS_NOTES') ?? 2000)

describe('a signed note', () => {
  it.each(notes)('gives its text to who knows the key', (note) => {
    expect(verifyNote(note, operator)).toBe(parseNote(note)?.text)
    expect(() => parseStatement(verifyNote(note, operator) ?? '')).not.toThrow()
  })

  it('is not accepted for another key, another name, or without a signature', () => {
    const [note = ''] = notes
    expect(verifyNote(note, other)).toBeNull()
    expect(verifyNote(note, { ...operator, name: 'lottery.exampl' })).toBeNull()
    expect(verifyNote(example.open.text, operator)).toBeNull()
    expect(verifyNote(`${example.open.text}\n`, operator)).toBeNull()
  })

  it('may carry the signatures of others, and is spoilt by a false one of its own', () => {
    const text = example.open.text
    const own = signatureLine(operator, signText(text, secretSeed))
    const others = signatureLine(other, signText(text, otherSeed))
    const falsely = signatureLine(operator, signText(text, otherSeed))
    expect(verifyNote(noteOf(text, [others, own]), operator)).toBe(text)
    expect(verifyNote(noteOf(text, [others, own]), other)).toBe(text)
    expect(verifyNote(noteOf(text, [others]), operator)).toBeNull()
    expect(verifyNote(noteOf(text, [own, falsely]), operator)).toBeNull()
  })

  it('is signed by the old and the new key when the key changes', () => {
    const renewed = { name: operator.name, publicKey: other.publicKey }
    const note = noteOf(example.open.text, [
      signatureLine(operator, signText(example.open.text, secretSeed)),
      signatureLine(renewed, signText(example.open.text, otherSeed)),
    ])
    expect(verifyNote(note, operator)).toBe(example.open.text)
    expect(verifyNote(note, renewed)).toBe(example.open.text)
  })

  it.each([
    ['no line feed at the end', (note: string) => note.slice(0, -1)],
    ['another character at the end', (note: string) => `${note.slice(0, -1)}x`],
    ['a hyphen for the dash', (note: string) => note.replace('—', '-')],
    ['a second space', (note: string) => note.replace('— ', '—  ')],
    ['carriage returns', (note: string) => note.replaceAll('\n', '\r\n')],
    ['no padding', (note: string) => note.replace(/=+\n$/, '\n')],
    ['base64 of the web', (note: string) => note.replaceAll('+', '-').replaceAll('/', '_')],
    [
      'loose bits in its base64',
      (note: string) => note.replace(/.=\n$/, (end) => (end.startsWith('s') ? 't=\n' : 's=\n')),
    ],
    ['its signature line twice', (note: string) => note + note.slice(note.indexOf('—'))],
    ['no empty line', (note: string) => note.replace('\n\n', '\n')],
  ])('is refused with %s', (_, change) => {
    const [note = ''] = notes
    expect(change(note)).not.toBe(note)
    expect(verifyNote(change(note), operator)).toBeNull()
  })

  it('has up to 100 signature lines', () => {
    const text = example.open.text
    const own = signatureLine(operator, signText(text, secretSeed))
    const others = Array.from({ length: 100 }, (_, place) => `— other${place}.example ${base64.encode(fixed(68))}`)
    expect(verifyNote(noteOf(text, [own, ...others.slice(1)]), operator)).toBe(text)
    expect(verifyNote(noteOf(text, [own, ...others]), operator)).toBeNull()
  })

  it('has signatures that begin with the id of their key', () => {
    const text = example.open.text
    const note = (bytes: number) => noteOf(text, [`— other.example ${base64.encode(fixed(bytes))}`])
    expect(parseNote(note(5))?.signatures).toEqual([{ name: 'other.example', keyId: fixed(4), data: fixed(1) }])
    expect(parseNote(note(4))).toBeNull()
    expect(parseNote('hello')).toBeNull()
    expect(parseNote('\n\n')).toBeNull()
  })

  it('is spoilt by a signature of its own that is too short or too long for one', () => {
    const text = example.open.text
    const signature = signText(text, secretSeed)
    const own = signatureLine(operator, signature)
    for (const data of [signature.subarray(1), Uint8Array.of(...signature, 0), fixed(1)]) {
      const line = `— ${operator.name} ${base64.encode(Uint8Array.of(...keyId(operator), ...data))}`
      expect(verifyNote(noteOf(text, [own, line]), operator)).toBeNull()
      expect(verifyNote(noteOf(text, [line]), operator)).toBeNull()
    }
  })

  it('of a key that signs everything proves nothing: the strict rules of RFC 8032', () => {
    // The neutral point as the key and as the first half of the signature: by the lenient rules it fits every text.
    const neutral = Uint8Array.of(1, ...new Uint8Array(31))
    const signer = { name: 'any.example', publicKey: neutral }
    const line = signatureLine(signer, Uint8Array.of(...neutral, ...new Uint8Array(32)))
    expect(verifyNote(noteOf(example.open.text, [line]), signer)).toBeNull()
  })

  it('is not made of what is no text, no signature or no key', () => {
    const text = example.open.text
    const signature = signText(text, secretSeed)
    const own = signatureLine(operator, signature)
    expect(() => signatureLine(operator, signature.subarray(1))).toThrow('64 bytes')
    expect(() => witnessSignatureLine(other, 1, signature.subarray(1))).toThrow('64 bytes')
    for (const at of [-1, 0.5, Number.NaN]) expect(() => witnessedText(text, at)).toThrow(`not a time: ${at}`)
    expect(witnessedText('x\n', 0)).toBe('fairball/witness/v1\ntime 0\nx\n')
    expect(() => noteOf('no line feed', [own])).toThrow('ends with a line feed')
    expect(() => noteOf(text, [])).toThrow('not signature lines')
    expect(() => noteOf(text, [own, 'no line'])).toThrow('not signature lines')
    for (const name of ['', 'a b', 'a+b', 'é']) {
      expect(() => keyId({ name, publicKey: operator.publicKey })).toThrow(`not a name of a signer: ${name}`)
    }
    expect(() => keyId({ name: 'a', publicKey: operator.publicKey.subarray(1) })).toThrow('32 bytes')
  })

  it('refuses a signature whose second half is not below the order of the group', () => {
    const text = example.open.text
    const signature = signText(text, secretSeed)
    const order = ed25519.Point.Fn.ORDER
    let s = 0n
    for (let i = 63; i >= 32; i -= 1) s = (s << 8n) | BigInt(signature[i] ?? 0)
    const malleated = signature.slice()
    for (let i = 32, rest = s + order; i < 64; i += 1, rest >>= 8n) malleated[i] = Number(rest & 0xffn)
    expect(verifyNote(noteOf(text, [signatureLine(operator, malleated)]), operator)).toBeNull()
  })

  it(`is not accepted with anything in it changed: ${MUTATIONS} mutations, and every bit of a signature`, () => {
    const random = fixedRandom(20_260_101)
    const accepted: string[] = []
    for (let count = 0; count < MUTATIONS; count += 1) {
      const note = notes[random(notes.length)] ?? ''
      const mutated = mutate(note, random)
      if (mutated !== note && isAccepted(mutated)) accepted.push(mutated)
    }
    const signature = signText(example.open.text, secretSeed)
    for (let bit = 0; bit < 512; bit += 1) {
      const flipped = signature.map((byte, place) => (place === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
      const note = noteOf(example.open.text, [signatureLine(operator, flipped)])
      if (isAccepted(note)) accepted.push(note)
    }
    expect(accepted).toEqual([])
  }, 900_000)
})

describe('a witness', () => {
  const witness = { name: 'witness.example', publicKey: other.publicKey }
  const signed = (text: string, at: number) =>
    witnessSignatureLine(witness, at, ed25519.sign(asciiBytes(witnessedText(text, at)), otherSeed))
  const own = signatureLine(operator, signText(example.close.text, secretSeed))

  it('says when it saw a statement, beside the operator', () => {
    const note = noteOf(example.close.text, [own, signed(example.close.text, 1_788_201_320)])
    expect(verifyNote(note, operator)).toBe(example.close.text)
    expect(witnessedAt(note, witness)).toBe(1_788_201_320)
  })

  it('counts with the earliest of its times', () => {
    const text = example.close.text
    expect(witnessedAt(noteOf(text, [signed(text, 200), signed(text, 100)]), witness)).toBe(100)
  })

  it('has seen nothing where one of its signatures is no such signature', () => {
    const text = example.close.text
    const line = (data: Uint8Array): string =>
      `— ${witness.name} ${base64.encode(Uint8Array.of(...witnessKeyId(witness), ...data))}`
    const valid = signed(text, 100)
    expect(witnessedAt(noteOf(text, [valid]), witness)).toBe(100)
    for (const data of [fixed(71), fixed(73), fixed(1), Uint8Array.of(...new Uint8Array(8).fill(0xff), ...fixed(64))]) {
      expect(witnessedAt(noteOf(text, [valid, line(data)]), witness)).toBeNull()
    }
    expect(
      witnessedAt(noteOf(text, [valid, line(Uint8Array.of(...new Uint8Array(8), ...fixed(64)))]), witness),
    ).toBeNull()
    expect(witnessedAt('no note', witness)).toBeNull()
  })

  it.each([
    ['no signature of it', [own]],
    ['a signature of another statement', [own, signed(example.open.text, 100)]],
    ['the time changed', [own, signed(example.close.text, 100).replace(/^(— \S+ .{12})./, '$1B')]],
    ['a signature as an operator signs', [signatureLine(witness, signText(example.close.text, otherSeed))]],
  ])('has seen nothing with %s', (_, lines) => {
    expect(witnessedAt(noteOf(example.close.text, lines), witness)).toBeNull()
  })
})

it('a name that no note can carry is refused', () => {
  for (const name of ['', 'a b', 'a+b', 'é']) expect(() => signNote('x\n', { name, secretSeed })).toThrow(RangeError)
  expect(toHex(secretSeed)).toHaveLength(64)
})

/** So many bytes 7. */
function fixed(length: number): Uint8Array {
  return new Uint8Array(length).fill(7)
}

function isAccepted(note: string): boolean {
  return verifyNote(note, operator) !== null
}

/** One change of a kind that an accident or a forger makes. */
function mutate(note: string, random: (below: number) => number): string {
  const at = random(note.length)
  const code = note.charCodeAt(at)
  const lines = note.split('\n')
  const line = random(lines.length)
  switch (random(6)) {
    case 0:
      return note.slice(0, at) + String.fromCharCode(code ^ (1 << random(7))) + note.slice(at + 1)
    case 1:
      return note.slice(0, at) + note.slice(at + 1)
    case 2:
      return note.slice(0, at) + (note[random(note.length)] ?? '') + note.slice(at)
    case 3:
      return lines.toSpliced(line, 1).join('\n')
    case 4:
      return lines.toSpliced(line, 0, lines[random(lines.length)] ?? '').join('\n')
    default:
      return note.slice(0, at) + note.slice(at + 1, at + 2) + note.slice(at, at + 1) + note.slice(at + 2)
  }
}

/** Numbers that look random and are the same in every run (mulberry32). */
function fixedRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** A variable of the environment that the tests run in; the domain itself knows of none. */
function environment(name: string): string | undefined {
  return (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env[name]
}
