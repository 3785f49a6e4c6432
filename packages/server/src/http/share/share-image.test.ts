import { createCanvas, loadImage } from '@napi-rs/canvas'
import { GAMES } from '@fairball/domain/seeds'
import { expect, it } from 'vitest'
import { newPicture, setFace } from './picture.ts'
import { ballsImage, drawImage, gameImage, siteImage } from './share-image.ts'

/** @returns a function that returns a picture's colour at a point, as `#rrggbb` */
async function colorsOf(png: Buffer): Promise<(x: number, y: number) => string> {
  const picture = await loadImage(png)
  expect([picture.width, picture.height]).toEqual([1200, 630])
  const canvas = createCanvas(1200, 630).getContext('2d')
  canvas.drawImage(picture, 0, 0)
  return (x, y) => `#${Buffer.from(canvas.getImageData(x, y, 1, 1).data.subarray(0, 3)).toString('hex')}`
}

it.each(GAMES)('the picture of $name has its own colour', async (game) => {
  const colorAt = await colorsOf(await gameImage(game, 'Fairball'))
  expect(colorAt(5, 5)).toBe(game.accent.toLowerCase())
  // The face of the large ball, above its number.
  expect(colorAt(1010, 350)).toBe('#fffdf8')
})

it('the picture of a draw shows its numbers, and empty places before there are any', async () => {
  const game = { key: 'keno', name: 'Keno', pick: 5, pool: 50, accent: '#22C58F', pattern: 'reeded' } as const
  const draw = { number: 12, startAt: 1_795_000_000, numbers: [1, 2, 3, 4, 5], isVoid: false }
  const face = [152, 380] as const
  expect((await colorsOf(await drawImage(game, draw, 'Fairball')))(...face)).toBe('#fffdf8')
  expect((await colorsOf(await drawImage(game, { ...draw, numbers: [] }, 'Fairball')))(...face)).toBe('#74deb8')
})

it('the picture of the site shows balls, whatever games there are', async () => {
  const look = { accent: '#22C58F', pattern: 'solid' } as const
  for (const [looks, color] of [
    [[], '#ff9a1f'],
    [[look], '#22c58f'],
  ] as const)
    expect((await colorsOf(await siteImage(looks, 'Fairball')))(1010, 290), color).toBe(color)
})

it('a picture is written in the faces of the product, whatever fonts the computer has', async () => {
  const picture = await newPicture({ width: 10, height: 10 }, '#ffffff')
  setFace(picture, 'Anybody', 84)
  expect(picture.measureText('Bitcoin Lotto').width).toBeCloseTo(604.8, 0)
  setFace(picture, 'Figtree', 40)
  expect(picture.measureText('Paid in bitcoin.').width).toBeCloseTo(265.8, 0)
})

it('a row of balls is on nothing, twice as large as it is shown, and balls that were not drawn are pale', async () => {
  const look = { accent: '#22C58F', pattern: 'solid' } as const
  const picture = await loadImage(await ballsImage({ numbers: [7, 25], matched: [25], look }))
  expect([picture.width, picture.height]).toEqual([156, 72])
  const canvas = createCanvas(156, 72).getContext('2d')
  canvas.drawImage(picture, 0, 0)
  const opacityAt = (x: number, y: number) => canvas.getImageData(x, y, 1, 1).data[3] ?? 0
  expect(opacityAt(78, 36)).toBe(0)
  expect(opacityAt(120, 10)).toBe(255)
  expect(opacityAt(36, 10)).toBeGreaterThan(60)
  expect(opacityAt(36, 10)).toBeLessThan(160)
})

it('a ball is painted like before only where game, number and paleness are the same', async () => {
  const looks = [
    { accent: '#22C58F', pattern: 'solid' },
    { accent: '#22C58F', pattern: 'reeded' },
    { accent: '#e8590c', pattern: 'solid' },
  ] as const
  const rows = looks.flatMap((look) =>
    [7, 25].flatMap((number) => [null, []].map((matched) => ({ numbers: [number, 3], matched, look }))),
  )
  const first: string[] = []
  const again: string[] = []
  for (const row of rows) first.push((await ballsImage(row)).toString('base64'))
  for (const row of rows.toReversed()) again.unshift((await ballsImage(row)).toString('base64'))
  expect(new Set(first).size).toBe(rows.length)
  expect(again).toEqual(first)
})
