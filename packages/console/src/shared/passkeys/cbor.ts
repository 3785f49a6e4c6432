/** What a new passkey is written in (RFC 8949): only what a registration needs. */
type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>

const [POSITIVE, NEGATIVE, BYTES, TEXT, MAP] = [0, 1, 2, 3, 5] as const

/** Writes a value. Lengths and numbers are below 65,536, as those of a registration are. */
export function cbor(value: Cbor): Uint8Array<ArrayBuffer> {
  if (typeof value === 'number') return value < 0 ? head(NEGATIVE, -1 - value) : head(POSITIVE, value)
  if (typeof value === 'string') {
    const bytes = new TextEncoder().encode(value)
    return joined(head(TEXT, bytes.length), bytes)
  }
  if (value instanceof Uint8Array) return joined(head(BYTES, value.length), value)
  const members = [...value].flatMap(([key, member]) => [cbor(key), cbor(member)])
  return joined(head(MAP, value.size), ...members)
}

function head(major: number, count: number): Uint8Array<ArrayBuffer> {
  const first = major << 5
  if (count < 24) return Uint8Array.of(first | count)
  if (count < 256) return Uint8Array.of(first | 24, count)
  return Uint8Array.of(first | 25, count >> 8, count & 255)
}

/** Bytes one after the other. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
