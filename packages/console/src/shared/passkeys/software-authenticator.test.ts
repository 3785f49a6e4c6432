import { createHash, createPublicKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runtime } from '../runtime.ts'
import { fromBase64url, toBase64url } from './base64url.ts'
import { cbor } from './cbor.ts'
import { derSignature } from './der.ts'
import { registerTestKey, signWithTestKey } from './software-authenticator.ts'
import type { TestKey } from './test-keys.ts'

function parts() {
  const kept = new Map<string, TestKey>()
  const keys = { list: async () => [...kept.values()], put: async (key: TestKey) => void kept.set(key.id, key) }
  return { keys, runtime, origin: 'http://localhost:3001' }
}
const REGISTRATION = { challenge: 'AAAA', rp: { id: 'localhost' }, user: { id: 'Mw', name: 'demo-owner' } }

describe('a test key', () => {
  it('its signature is over the challenge, the origin and a counter, and verifies under its public key', async () => {
    const made = parts()
    const { response } = await registerTestKey(made, REGISTRATION, 'Key 1')
    const attestation = Buffer.from(response.attestationObject, 'base64url')
    const [x, y] = [attestation.subarray(-67, -35), attestation.subarray(-32)]
    const [key] = await made.keys.list()
    if (key === undefined) throw new Error('no key was kept')
    const challenge = createHash('sha256').update('a text').digest('base64url')
    const answer = await signWithTestKey(made, { challenge, rpId: 'localhost' }, key)

    const client = Buffer.from(answer.response.clientDataJSON, 'base64url')
    const data = Buffer.from(answer.response.authenticatorData, 'base64url')
    expect(JSON.parse(client.toString())).toEqual({
      type: 'webauthn.get',
      challenge,
      origin: 'http://localhost:3001',
      crossOrigin: false,
    })
    expect(data.subarray(0, 32)).toEqual(createHash('sha256').update('localhost').digest())
    expect([data[32], data.readUInt32BE(33)]).toEqual([0x05, 1])
    const jwk = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') }
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    const signature = Buffer.from(answer.response.signature, 'base64url')
    expect(verify('sha256', signed, createPublicKey({ key: jwk, format: 'jwk' }), signature)).toBe(true)
    expect((await made.keys.list())[0]?.count).toBe(1)
  })

  it('its private half cannot be read out of the browser', async () => {
    const made = parts()
    await registerTestKey(made, REGISTRATION, 'Key 1')
    const [key] = await made.keys.list()
    expect(key?.key.extractable).toBe(false)
  })
})

describe('the encodings of WebAuthn', () => {
  it.each([
    [0, '00'],
    [23, '17'],
    [24, '1818'],
    [-7, '26'],
    [-257, '390100'],
    ['fmt', '63666d74'],
    [new Uint8Array(300), `59012c${'00'.repeat(300)}`],
    [new Map([[1, 2]]), 'a10102'],
  ])('CBOR of %s', (value, hex) => {
    expect(Buffer.from(cbor(value)).toString('hex')).toBe(hex)
  })

  it('a number of a signature keeps its sign and has no zeros in front', () => {
    const raw = new Uint8Array(64)
    raw[0] = 0x80
    raw[63] = 1
    expect(Buffer.from(derSignature(raw)).toString('hex')).toBe(`3026022100${'80'.padEnd(64, '0')}020101`)
  })

  it('bytes of any value come back from base64url', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    expect(fromBase64url(toBase64url(bytes))).toEqual(bytes)
    expect(toBase64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
  })
})
