import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { describe, expect, it } from 'vitest'
import { asciiBytes, concatBytes, fromHex, toBase64, u64, utf8Bytes } from './bytes.ts'
import { checkpointText, logKey, operatorOf, readCheckpoint } from './checkpoint.ts'
import { isSigned, publicKeyOf, sign } from './ed25519.ts'
import { nobleHash } from './hash.ts'
import {
  cosignatureLine,
  cosignedAt,
  cosignedText,
  isSignedBy,
  keyId,
  LOG_KEY_TYPE,
  readNote,
  readVerifierKey,
  signatureLine,
  signNote,
  verifierKey,
  WITNESS_KEY_TYPE,
  writeNote,
} from './note.ts'
import { isMet, readPolicy } from './policy.ts'
import { refusalOf } from './refusal-fixture.ts'

const ORIGIN = 'a.example/fairball'
const SEED = new Uint8Array(32).fill(3)
const KEY = { name: ORIGIN, publicKey: publicKeyOf(SEED) }
const TEXT = checkpointText(ORIGIN, { size: 7, root: nobleHash() })
const NOTE = signNote(TEXT, ORIGIN, SEED)
/** Number of changed notes; the environment variable `FAIRNESS_NOTES` sets another one (section 15). */
const MUTATIONS = Number(environment('FAIRNESS_NOTES') ?? 2000)

const isAccepted = (text: string): boolean => {
  const note = readNote(text)
  return note !== null && isSignedBy(note, KEY)
}

describe('a signed note', () => {
  it('a note is accepted by the key that signed it, among signatures of others', () => {
    const other = signatureLine(TEXT, 'b.example/fairball', new Uint8Array(32).fill(4))
    const own = signatureLine(TEXT, ORIGIN, SEED)
    expect(isAccepted(NOTE)).toBe(true)
    expect(isAccepted(writeNote(TEXT, [other, own]))).toBe(true)
    expect(isAccepted(writeNote(TEXT, [other]))).toBe(false)
  })

  it('a false signature of that key invalidates a note', () => {
    const own = signatureLine(TEXT, ORIGIN, SEED)
    const falsely = `— ${ORIGIN} ${toBase64(concatBytes(keyId(KEY, LOG_KEY_TYPE), new Uint8Array(64).fill(7)))}`
    expect(isAccepted(writeNote(TEXT, [own, falsely]))).toBe(false)
  })

  it('a note has at most 100 distinct signature lines and 128 kB', () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, place) => `— x${place} ${toBase64(new Uint8Array(68))}`)
    expect(readNote(`a\n\n${lines(100).join('\n')}\n`)?.signatures).toHaveLength(100)
    expect(readNote(`a\n\n${lines(101).join('\n')}\n`)).toBeNull()
    const [line = ''] = lines(1)
    expect(readNote(`a\n\n${line}\n${line}\n`)).toBeNull()
    expect(readNote(`${'a'.repeat(131_072)}\n\n${line}\n`)).toBeNull()
  })

  const LINE = `— x ${toBase64(new Uint8Array(5))}`
  it.each([
    ['', 'no empty line before it'],
    [`x${LINE}\n`, 'no text'],
    [`a\n${LINE}\n`, 'no empty line'],
    [`a\n\n${LINE}x`, 'no line feed at its end'],
    [`a\n\n${LINE}\n${LINE} x\n`, 'a second line of another form'],
    [`a\n\nx${LINE}\n`, 'more before the dash'],
    [`a\n\n${LINE} x\n`, 'more after the signature'],
    [`a\n\n${LINE.replace('x', 'x+y')}\n`, 'a plus sign in a name'],
    [`a\n\n— x AB==\n`, 'base64 in another form'],
    [`a\n\n— x ${toBase64(new Uint8Array(4))}\n`, 'nothing after the id of the key'],
    [`a\ud800\n\n${LINE}\n`, 'half a character'],
  ])('%j is no note: %s', (text) => {
    expect(readNote(text)).toBeNull()
  })

  it('a text may be one empty line, a signature one byte', () => {
    const [signature] = readNote(`\n\n${LINE}\n`)?.signatures ?? []
    expect(signature).toEqual({ name: 'x', keyId: new Uint8Array(4), data: new Uint8Array(1) })
    expect(readNote(`\n\n${LINE}\n`)?.text).toBe('\n')
    expect(readNote(`a\n\nb\n\n${LINE}\n`)?.text).toBe('a\n\nb\n')
  })

  it('a note has at most 131,072 bytes of UTF-8', () => {
    // The dash of a signature line has three bytes.
    const sized = (bytes: number): string => `é${'a'.repeat(bytes - LINE.length - 7)}\n\n${LINE}\n`
    expect(utf8Bytes(sized(131_072))).toHaveLength(131_072)
    expect(readNote(sized(131_072))).not.toBeNull()
    expect(readNote(sized(131_073))).toBeNull()
  })

  it('a note that could not be read is not written', () => {
    expect(writeNote('a\n', [LINE])).toBe(`a\n\n${LINE}\n`)
    expect(refusalOf(() => writeNote('a', [LINE]))).toBe('RangeError: the text of a note ends with a line feed')
    for (const lines of [[], ['x'], [LINE, LINE], [`b\n\n${LINE}`]])
      expect(refusalOf(() => writeNote('a\n', lines))).toBe('RangeError: these lines make no note')
  })

  it('a changed note is not accepted', () => {
    const random = fixedRandom(20_260_101)
    const accepted: string[] = []
    for (let count = 0; count < MUTATIONS; count += 1) {
      const mutated = mutate(NOTE, random)
      if (mutated !== NOTE && isAccepted(mutated)) accepted.push(mutated)
    }
    expect(accepted).toEqual([])
  }, 900_000)
})

describe('an Ed25519 signature', () => {
  const message = asciiBytes('message')
  const signature = sign(message, SEED)

  it('a signature has one form: S below the order, canonical points, no small-order keys', () => {
    expect(isSigned(message, signature, KEY.publicKey)).toBe(true)
    const order = (1n << 252n) + 27742317777372353535851937790883648493n
    const s = littleEndian(signature.slice(32))
    const larger = Uint8Array.from({ length: 32 }, (_, place) => Number(((s + order) >> BigInt(8 * place)) & 255n))
    expect(isSigned(message, concatBytes(signature.slice(0, 32), larger), KEY.publicKey)).toBe(false)
    const identity = Uint8Array.of(1, ...new Uint8Array(31))
    expect(isSigned(message, concatBytes(identity, new Uint8Array(32)), identity)).toBe(false)
    expect(isSigned(message, signature.slice(1), KEY.publicKey)).toBe(false)
  })

  it('a signature has 64 bytes, a key 32, and both are points', () => {
    expect(isSigned(message, concatBytes(signature, new Uint8Array(1)), KEY.publicKey)).toBe(false)
    expect(isSigned(message, signature, concatBytes(KEY.publicKey, new Uint8Array(1)))).toBe(false)
    expect(isSigned(message, signature, KEY.publicKey.slice(1))).toBe(false)
    expect(isSigned(message, signature, new Uint8Array(32).fill(2))).toBe(false)
    expect(isSigned(concatBytes(message, message), signature, KEY.publicKey)).toBe(false)
    const order = fromHex('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010')
    expect(isSigned(message, concatBytes(signature.slice(0, 32), order), KEY.publicKey)).toBe(false)
  })

  it('a signature that is valid only with the cofactor is rejected', () => {
    const { Point } = ed25519
    const torsion = Point.fromBytes(fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'))
    const [a, r] = [12_345n, 67_890n]
    const key = Point.BASE.multiply(a).add(torsion).toBytes()
    const commitment = Point.BASE.multiply(r).toBytes()
    const k = littleEndian(sha512(concatBytes(commitment, key, message))) % Point.Fn.ORDER
    const scalar = (r + k * a) % Point.Fn.ORDER
    const bytes = Uint8Array.from({ length: 32 }, (_, place) => Number((scalar >> BigInt(8 * place)) & 255n))
    const made = concatBytes(commitment, bytes)
    expect(k % 8n).not.toBe(0n)
    expect(ed25519.verify(made, message, key, { zip215: true })).toBe(true)
    expect(isSigned(message, made, key)).toBe(false)
  })
})

describe('a key of a policy', () => {
  it('a key is read back, and rejected with another id or type', () => {
    const text = verifierKey(KEY, WITNESS_KEY_TYPE)
    expect(readVerifierKey(text, WITNESS_KEY_TYPE)).toEqual(KEY)
    expect(() => readVerifierKey(text, LOG_KEY_TYPE)).toThrow(RangeError)
    expect(() => readVerifierKey(text.replace(/\+[0-9a-f]{8}\+/, '+00000000+'), WITNESS_KEY_TYPE)).toThrow(RangeError)
    for (const none of ['', 'a', 'a+b+c', ` ${text}`, `${text} `, text.toUpperCase()])
      expect(refusalOf(() => readVerifierKey(none, WITNESS_KEY_TYPE))).toBe(`RangeError: not a key: ${none}`)
    const [name, id] = text.split('+')
    for (const bytes of [32, 34].map((length) => Uint8Array.of(4, ...new Uint8Array(length - 1)))) {
      const other = `${name}+${id}+${toBase64(bytes)}`
      expect(refusalOf(() => readVerifierKey(other, WITNESS_KEY_TYPE))).toBe(
        `RangeError: not a key of type 4: ${other}`,
      )
    }
    const typed = `${name}+${id}+${toBase64(Uint8Array.of(1, ...KEY.publicKey))}`
    expect(refusalOf(() => readVerifierKey(typed, WITNESS_KEY_TYPE))).toBe(`RangeError: not a key of type 4: ${typed}`)
    const wrong = text.replace(/\+[0-9a-f]{8}\+/, '+00000000+')
    expect(refusalOf(() => readVerifierKey(wrong, WITNESS_KEY_TYPE))).toBe(
      `RangeError: the id of this key is not its own: ${wrong}`,
    )
  })

  it('the name of a key is ASCII without spaces and plus signs, the key has 32 bytes', () => {
    for (const name of ['', ' a', 'a ', 'a+b', 'é'])
      expect(refusalOf(() => keyId({ ...KEY, name }, LOG_KEY_TYPE))).toBe(`RangeError: not the name of a key: ${name}`)
    for (const length of [31, 33])
      expect(refusalOf(() => keyId({ ...KEY, publicKey: new Uint8Array(length) }, LOG_KEY_TYPE))).toBe(
        'RangeError: an Ed25519 public key has 32 bytes',
      )
  })
})

describe('a checkpoint', () => {
  it('a checkpoint has three lines and a root of 32 bytes', () => {
    expect(readCheckpoint(NOTE)).toMatchObject({ origin: ORIGIN, size: 7, root: nobleHash() })
    for (const text of [
      `${TEXT}more\n`,
      `more \n${TEXT}`,
      TEXT.replace('=\n', '\n'),
      TEXT.replace(/.=\n$/, 'V=\n'),
      TEXT.replace('\n7\n', '\n07\n'),
      TEXT.replace('\n7\n', '\n9007199254740993\n'),
      'a\n7\nAAAA\n',
    ]) {
      expect(readCheckpoint(signNote(text, ORIGIN, SEED))).toBeNull()
    }
  })

  it('a head without a root of 32 bytes, or with a space in its origin, has no text', () => {
    expect(checkpointText('a', { size: 0, root: new Uint8Array(32) })).toBe(`a\n0\n${'A'.repeat(43)}=\n`)
    for (const text of [
      () => checkpointText('a', { size: 0, root: new Uint8Array(31) }),
      () => checkpointText('a b', { size: 0, root: new Uint8Array(32) }),
      () => checkpointText('a', { size: 0.5, root: new Uint8Array(32) }),
    ])
      expect(refusalOf(text)).toBe('RangeError: not the head of a log')
    expect(readCheckpoint('no note')).toBeNull()
    const large = checkpointText(ORIGIN, { size: 1_234_567_890, root: nobleHash() })
    expect(readCheckpoint(signNote(large, ORIGIN, SEED))?.size).toBe(1_234_567_890)
    expect(logKey(ORIGIN, KEY.publicKey)).toEqual(KEY)
  })

  it('the origin of a checkpoint names its operator', () => {
    expect(operatorOf('lottery.example/fairball')).toBe('lottery.example')
    expect(operatorOf(ORIGIN)).toBe('a.example')
    expect(operatorOf('a.example/other')).toBeNull()
  })
})

describe('a policy', () => {
  const witnesses = ['x', 'y', 'z'].map((name, place) => ({
    name: `${name}.example`,
    seed: new Uint8Array(32).fill(place + 10),
  }))
  const lines = witnesses
    .map(
      ({ name, seed }, place) =>
        `witness w${place} ${verifierKey({ name, publicKey: publicKeyOf(seed) }, WITNESS_KEY_TYPE)}\n`,
    )
    .join('')
  const cosigned = (...at: readonly number[]) =>
    noteOf(
      at.map((time, place) =>
        cosignatureLine(TEXT, witnesses[place]?.name ?? '', time, witnesses[place]?.seed ?? SEED),
      ),
    )

  it.each([
    ['a witness', `${lines}quorum w1\n`, [false, true, true]],
    ['any of a group', `${lines}group g any w0 w1\nquorum g\n`, [true, true, true]],
    ['all of a group', `${lines}group g all w0 w1 w2\nquorum g\n`, [false, false, true]],
    ['2 of 3', `${lines}group g 2 w0 w1 w2\nquorum g\n`, [false, true, true]],
    ['a group of groups', `${lines}group a all w0 w1\ngroup g any a w2\nquorum g\n`, [false, true, true]],
    ['no witness', `${lines}quorum none\n`, [false, false, false]],
  ])('a policy of %s is met by the right numbers of cosignatures', (_, text, met) => {
    const policy = readPolicy(text)
    expect([[50], [50, 50], [50, 50, 50]].map((at) => isMet(policy, cosigned(...at), 50, 60))).toEqual(met)
  })

  it('a policy counts only cosignatures from its period', () => {
    const policy = readPolicy(`${lines}quorum w0\n`)
    expect([50, 60].map((at) => isMet(policy, cosigned(at), 50, 60))).toEqual([true, true])
    expect([49, 61].map((at) => isMet(policy, cosigned(at), 50, 60))).toEqual([false, false])
  })

  it('a policy ignores cosignatures of another text, by another key or in another form', () => {
    const note = noteOf([cosignatureLine('other\n', 'x.example', 50, witnesses[0]?.seed ?? SEED)])
    const key = { name: 'x.example', publicKey: publicKeyOf(witnesses[0]?.seed ?? SEED) }
    expect(cosignedAt(note, key)).toEqual([])
    const short = `— x.example ${toBase64(concatBytes(keyId(key, WITNESS_KEY_TYPE), u64(50)))}`
    expect(cosignedAt(noteOf([short]), key)).toEqual([])
    for (const bytes of [u64(50).slice(1), new Uint8Array(1), fromHex(`0020${'00'.repeat(6)}${'00'.repeat(64)}`)]) {
      const line = `— x.example ${toBase64(concatBytes(keyId(key, WITNESS_KEY_TYPE), bytes))}`
      expect(cosignedAt(noteOf([line]), key)).toEqual([])
    }
    expect(cosignedText('a\n', 0)).toBe('cosignature/v1\ntime 0\na\n')
    for (const at of [-1, 0.5]) expect(refusalOf(() => cosignedText(TEXT, at))).toBe(`RangeError: not a time: ${at}`)
    expect(cosignedText(TEXT, 50)).toBe(`cosignature/v1\ntime 50\n${TEXT}`)
  })
})

/** The checkpoint with some signature lines and the log's own. */
function noteOf(lines: readonly string[]) {
  const note = readNote(writeNote(TEXT, [signatureLine(TEXT, ORIGIN, SEED), ...lines]))
  if (note === null) throw new Error('the note cannot be read')
  return note
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)
}

/** A random change, as by an accident or a forger. */
function mutate(note: string, random: (below: number) => number): string {
  const at = random(note.length)
  const lines = note.split('\n')
  const line = random(lines.length)
  switch (random(6)) {
    case 0:
      return note.slice(0, at) + String.fromCharCode(note.charCodeAt(at) ^ (1 << random(7))) + note.slice(at + 1)
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

/** Pseudorandom numbers, the same in every run (mulberry32). */
function fixedRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** A variable of the test environment; the domain itself reads none. */
function environment(name: string): string | undefined {
  return (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env[name]
}
