import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const deflated = promisify(deflate)

/**
 * Writes pixels as a PNG (RFC 2083): 8 bits of red, green and blue a pixel.
 *
 * @param pixels rows from the top, three bytes a pixel
 */
export async function pngOf(pixels: Uint8Array, size: { width: number; height: number }): Promise<Buffer> {
  const { width, height } = size
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const data = await deflated(filtered(pixels, size), { level: 6 })
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

/** Each row as its difference from the one above (filter 2): pictures of flat colour become mostly zeros. */
function filtered(pixels: Uint8Array, { width, height }: { width: number; height: number }): Buffer {
  const stride = width * 3
  const rows = Buffer.alloc((stride + 1) * height)
  for (let y = 0; y < height; y++) {
    rows[y * (stride + 1)] = 2
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      rows[y * (stride + 1) + 1 + x] = (pixels[at] ?? 0) - (y === 0 ? 0 : (pixels[at - stride] ?? 0))
    }
  }
  return rows
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
