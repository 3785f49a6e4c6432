import { describe, expect, it } from 'vitest'
import { handKey } from './c2sp-fixture.ts'
import { readLogs } from './configured-logs.ts'
import { UsageError } from './usage-error.ts'

const KEY = handKey('a.example/fairball', new Uint8Array(32).fill(1))
const NEXT = handKey('a.example/fairball', new Uint8Array(32).fill(2))
const OTHER = handKey('b.example:8443/fairball', new Uint8Array(32).fill(1))

describe('the file of logs', () => {
  it('the file names logs by their verifier keys, with the address of their files if it differs', () => {
    const text = `# mine\n\nlog ${KEY.verifierKey}\nlog\t${OTHER.verifierKey}  http://127.0.0.1:3000/fairball\r\n`
    expect(readLogs(text)).toEqual([
      {
        origin: KEY.name,
        keys: [{ name: KEY.name, publicKey: new Uint8Array(KEY.publicKey) }],
        prefix: 'https://a.example/fairball/',
      },
      {
        origin: OTHER.name,
        keys: [{ name: OTHER.name, publicKey: new Uint8Array(OTHER.publicKey) }],
        prefix: 'http://127.0.0.1:3000/fairball/',
      },
    ])
  })

  it('the file may name several keys of one log', () => {
    const [log, ...more] = readLogs(`log ${KEY.verifierKey}\nlog ${NEXT.verifierKey}\n`)
    expect(log?.keys.map(({ publicKey }) => Buffer.from(publicKey))).toEqual([KEY.publicKey, NEXT.publicKey])
    expect(more).toEqual([])
  })

  it.each<[string, RegExp]>([
    ['', /names none/],
    ['# nothing\n', /names none/],
    ['log\n', /Line 1/],
    [`\nwitness ${KEY.verifierKey}\n`, /Line 2/],
    [`log ${KEY.verifierKey.replace('+', '+0')}\n`, /Line 1/],
    [`log ${handKey('a.example/other', new Uint8Array(32)).verifierKey}\n`, /Line 1/],
    [`log ${handKey('../fairball', new Uint8Array(32)).verifierKey}\n`, /Line 1/],
    [`log ${handKey('/fairball', new Uint8Array(32)).verifierKey}\n`, /Line 1/],
    [`log ${KEY.verifierKey} ftp://a.example\n`, /Line 1/],
    [`log ${KEY.verifierKey} https://me:secret@a.example\n`, /Line 1/],
    [`log ${KEY.verifierKey} https://a.example/?x\n`, /Line 1/],
    [`log ${KEY.verifierKey} https://a.example more\n`, /Line 1/],
    [`log ${KEY.verifierKey} https://a.example\nlog ${NEXT.verifierKey} https://b.example\n`, /two addresses/],
  ])('an invalid file of logs is refused: %j', (text, message) => {
    expect(() => readLogs(text)).toThrow(UsageError)
    expect(() => readLogs(text)).toThrow(message)
  })
})
