import { GAMES } from '@fairball/domain/games'
import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { drawImage, gameImage } from './share-image.ts'

/** The pixels of a picture of ours: one chunk of data, each row told by its difference from the one above. */
function pixelsOf(png: Buffer): Buffer {
  const length = png.readUInt32BE(33)
  const rows = inflateSync(png.subarray(41, 41 + length))
  const stride = 1200 * 3
  for (let y = 1; y < 630; y++)
    for (let x = 1; x <= stride; x++) {
      const at = y * (stride + 1) + x
      rows[at] = (rows[at] ?? 0) + (rows[at - stride - 1] ?? 0)
    }
  return rows
}

const colorAt = (pixels: Buffer, x: number, y: number) =>
  `#${pixels.subarray(y * 3601 + 1 + x * 3, y * 3601 + 4 + x * 3).toString('hex')}`

it.each(GAMES.map(({ key, name, pick, pool, color }) => ({ key, name, pick, pool, color })))(
  'paints $name on its own colour',
  async (game) => {
    const pixels = pixelsOf(await gameImage(game))
    expect(colorAt(pixels, 5, 5)).toBe(game.color.toLowerCase())
    // The face of the large ball, above its number.
    expect(colorAt(pixels, 1010, 350)).toBe('#fffdf8')
  },
)

it('shows the numbers of a draw, and empty places before there are any', async () => {
  const game = { key: 'treasure', name: 'Treasure', pick: 5, pool: 50 } as const
  const draw = { number: 12, startAt: 1_795_000_000, numbers: [1, 2, 3, 4, 5], isVoid: false }
  const face = [152, 380] as const
  expect(colorAt(pixelsOf(await drawImage(game, draw)), ...face)).toBe('#fffdf8')
  expect(colorAt(pixelsOf(await drawImage(game, { ...draw, numbers: [] })), ...face)).toBe('#74deb8')
})
