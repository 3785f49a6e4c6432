import { describe, expect, it } from 'vitest'
import { publicKeyOf } from './ed25519.ts'
import { LOG_KEY_TYPE, verifierKey, WITNESS_KEY_TYPE } from './note.ts'
import { readPolicy } from './policy.ts'
import { refusalOf } from './refusal-fixture.ts'

const LOG_NAME = 'a.example/fairball'
const KEYS = [1, 2, 3].map((seed) => publicKeyOf(new Uint8Array(32).fill(seed)))
const [ONE, TWO, THREE] = KEYS.map((publicKey, place) =>
  verifierKey({ name: `x${place}.example`, publicKey }, WITNESS_KEY_TYPE),
) as [string, string, string]
const LOG = verifierKey({ name: LOG_NAME, publicKey: new Uint8Array(32).fill(7) }, LOG_KEY_TYPE)
const WITNESSES = `witness w0 ${ONE}\nwitness w1 ${TWO}\nwitness w2 ${THREE}\n`

describe('the text of a policy', () => {
  it('a policy may have comments, empty lines, tabs, URLs and logs', () => {
    const text = `# ours\n\n\tlog ${LOG} https://a.example/\nwitness w0 ${ONE} https://x.example/w\n#quorum none\n  quorum \t w0 \n`
    const witness = { name: 'x0.example', publicKey: KEYS[0], url: 'https://x.example/w' }
    expect(readPolicy(text)).toEqual({
      logs: [{ name: LOG_NAME, publicKey: new Uint8Array(32).fill(7) }],
      witnesses: [witness],
      quorum: witness,
    })
  })

  it.each([
    ['all', 3],
    ['any', 1],
    ['1', 1],
    ['2', 2],
    ['3', 3],
  ])('the threshold "%s" of three witnesses is %i', (word, threshold) => {
    const { witnesses, quorum } = readPolicy(`${WITNESSES}group g ${word} w0 w1 w2\nquorum g\n`)
    expect(witnesses.map(({ url }) => url)).toEqual([null, null, null])
    expect(quorum).toEqual({ threshold, members: witnesses })
  })

  it('a policy may ask for nobody', () => {
    expect(readPolicy('quorum none\n')).toEqual({ logs: [], witnesses: [], quorum: null })
  })

  const quorum = (line: string): string => `${WITNESSES}${line}\nquorum w0\n`
  const sized = (bytes: number): string => `quorum none\n#${'é'.repeat((bytes - 14) / 2)}\n`
  it.each([
    ['', 'A policy says its quorum.'],
    [WITNESSES, 'A policy says its quorum.'],
    ['quorum none', 'Each line of a policy ends with a line feed.'],
    ['\u0001\nquorum none\n', 'A policy has no control characters but tabs and line feeds.'],
    ['quorum none\r\n', 'A policy has no control characters but tabs and line feeds.'],
    ['#\u0008\u000b\nquorum none\n', 'A policy has no control characters but tabs and line feeds.'],
    ['#\u007f\nquorum none\n', 'A policy has no control characters but tabs and line feeds.'],
    [sized(16_386), 'A policy has at most 16384 bytes.'],
    [quorum('witnesses 3'), 'A policy has no line "witnesses".'],
    [quorum('log'), 'A line "log" has a key and perhaps a URL.'],
    [quorum(`log ${LOG} https://a.example/ more`), 'A line "log" has a key and perhaps a URL.'],
    [quorum(`log ${ONE}`), `Not a key of type 1: ${ONE}`],
    [quorum(`log ${LOG}\nlog ${LOG}`), `The log key ${LOG} stands twice.`],
    [quorum('witness'), 'A line "witness" has a name, a key and perhaps a URL.'],
    [quorum('witness w'), 'A line "witness" has a name, a key and perhaps a URL.'],
    [quorum(`witness w ${ONE} https://a.example/ more`), 'A line "witness" has a name, a key and perhaps a URL.'],
    [quorum(`witness w ${LOG}`), `Not a key of type 4: ${LOG}`],
    [quorum('witness w x'), 'Not a key of type 4: x'],
    [quorum(`witness w ${ONE}`), `The witness key ${ONE} stands twice.`],
    [quorum('group'), 'A line "group" has a name, a threshold and its members.'],
    [quorum('group g'), 'A line "group" has a name, a threshold and its members.'],
    [quorum('group g any'), 'A line "group" has a name, a threshold and its members.'],
    [quorum('group g any w9'), '"w9" is not defined above the group "g".'],
    [quorum('group g 2 w0 w0'), '"w0" is a member twice.'],
    [quorum('group g any w0\ngroup h any w0'), '"w0" is a member twice.'],
    [quorum('group w0 any w1'), 'The name "w0" is taken.'],
    [quorum('group none any w1'), 'The name "none" is taken.'],
    [`witness none ${ONE}\nquorum none\n`, 'The name "none" is taken.'],
    [quorum('group g 0 w0 w1'), '"0" of 2 members is no threshold.'],
    [quorum('group g 01 w0 w1'), '"01" of 2 members is no threshold.'],
    [quorum('group g 3 w0 w1'), '"3" of 2 members is no threshold.'],
    [quorum('group g 1x w0 w1'), '"1x" of 2 members is no threshold.'],
    [quorum('group g x1 w0 w1'), '"x1" of 2 members is no threshold.'],
    [quorum('quorum w1'), 'A policy has one line "quorum".'],
    ['quorum none\nquorum none\n', 'A policy has one line "quorum".'],
    ['quorum\n', 'A line "quorum" has one name.'],
    [`${WITNESSES}quorum w0 w1\n`, 'A line "quorum" has one name.'],
    [`quorum w0\n${WITNESSES}`, '"w0" is not defined above the quorum.'],
  ])('a policy with a fault is rejected, with its reason: %#', (text, why) => {
    expect(refusalOf(() => readPolicy(text))).toBe(`PolicyError: ${why}`)
  })

  it('a policy has at most 16,384 bytes', () => {
    expect(refusalOf(() => readPolicy(sized(16_384)))).toBe('accepted')
  })
})
