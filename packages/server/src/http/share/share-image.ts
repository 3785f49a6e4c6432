import { dateLabel, timeLabel } from '@fairball/domain/draw-time-label'
import type { GameKey } from '@fairball/domain/games'
import { Canvas, rgb, widthOf } from './canvas.ts'
import type { Rgb } from './canvas.ts'
import { pngOf } from './png.ts'

/** The size every network shows a link's picture at best. */
const SIZE = { width: 1200, height: 630 } as const
const MARGIN = 72

const INK = rgb('#1c1433')
const DISC = rgb('#fffdf8')
const PAPER = rgb('#fbf7ef')
const ORANGE = rgb('#ff9a1f')

/** A game's colours (design language, section 2): the field, and the pattern on it. */
const WORLDS: Readonly<Record<GameKey, { field: Rgb; shade: Rgb; light: Rgb }>> = {
  'bitcoin-lotto': { field: ORANGE, shade: rgb('#e57f00'), light: rgb('#ffbf6b') },
  'bitcoin-hero': { field: rgb('#ff6f96'), shade: rgb('#e84a77'), light: rgb('#ffa9c0') },
  treasure: { field: rgb('#22c58f'), shade: rgb('#0f9f70'), light: rgb('#74deb8') },
  'ether-lotto': { field: rgb('#a08bff'), shade: rgb('#7c63f2'), light: rgb('#c7baff') },
  'mega-ball': { field: rgb('#55abff'), shade: rgb('#1f83e8'), light: rgb('#9bcfff') },
  'super-game': { field: rgb('#ffd43b'), shade: rgb('#efa300'), light: rgb('#ffe68c') },
}

/** What a picture says of a game. */
export interface SharedGame {
  readonly key: GameKey
  readonly name: string
  readonly pick: number
  readonly pool: number
}

/** What a picture says of a draw. */
export interface SharedDraw {
  readonly number: number
  /** Epoch seconds. */
  readonly startAt: number
  /** In the order drawn; empty before the last ball is shown, and where the draw was void. */
  readonly numbers: readonly number[]
  readonly isVoid: boolean
}

/** @returns the picture for links to a game, a PNG. It shows nothing that changes: a jackpot in it would be out of date wherever it is kept */
export async function gameImage(game: SharedGame): Promise<Buffer> {
  const { field } = WORLDS[game.key]
  const canvas = new Canvas(SIZE.width, SIZE.height, field)
  const middle = Math.ceil(game.pool / 2)
  ball(canvas, { x: 1010, y: 470, radius: 230, number: game.pool, world: game.key, isOnField: true })
  ball(canvas, { x: 742, y: 566, radius: 128, number: middle, world: game.key, isOnField: true })
  ball(canvas, { x: 884, y: 196, radius: 92, number: game.pick, world: game.key, isOnField: true })
  wordmark(canvas, INK)
  title(canvas, game.name, 246)
  canvas.write(
    { x: MARGIN, baseline: 318 },
    { text: `Pick ${game.pick} numbers from ${game.pool}`, face: 'text', size: 42, color: INK },
  )
  canvas.write({ x: MARGIN, baseline: 540 }, { text: 'Paid in bitcoin.', face: 'text', size: 34, color: INK })
  canvas.write({ x: MARGIN, baseline: 584 }, { text: 'Every draw can be checked.', face: 'text', size: 34, color: INK })
  return await pngOf(canvas.pixels, canvas)
}

/** @returns the picture for links to a draw, a PNG: its numbers, or empty places where there are none yet */
export async function drawImage(game: SharedGame, draw: SharedDraw): Promise<Buffer> {
  const canvas = new Canvas(SIZE.width, SIZE.height, WORLDS[game.key].field)
  wordmark(canvas, INK)
  title(canvas, game.name, 226)
  const when = `Draw ${draw.number} – ${dateLabel(draw.startAt, 0)}, ${timeLabel(draw.startAt, 0)} UTC`
  canvas.write({ x: MARGIN, baseline: 296 }, { text: when, face: 'text', size: 40, color: INK })
  const gap = 20
  const radius = Math.min(80, (SIZE.width - 2 * MARGIN - gap * (game.pick - 1)) / game.pick / 2)
  for (let place = 0; place < game.pick; place++) {
    const at = { x: MARGIN + radius + place * (2 * radius + gap), y: 424, radius }
    const number = draw.numbers[place]
    if (number === undefined) emptyPlace(canvas, { ...at, field: WORLDS[game.key].light })
    else ball(canvas, { ...at, number, world: game.key, isOnField: true })
  }
  canvas.write({ x: MARGIN, baseline: 584 }, { text: stateOf(draw), face: 'text', size: 34, color: INK })
  return await pngOf(canvas.pixels, canvas)
}

function stateOf({ numbers, isVoid }: SharedDraw): string {
  if (isVoid) return 'This draw was void.'
  return numbers.length === 0 ? 'Not drawn yet.' : 'Check every step of this draw yourself.'
}

/** @returns the picture for links to any other page, a PNG: a ball of each game */
export async function siteImage(): Promise<Buffer> {
  const canvas = new Canvas(SIZE.width, SIZE.height, PAPER)
  const balls: [GameKey, number, number, number, number][] = [
    ['bitcoin-lotto', 1010, 476, 224, 41],
    ['ether-lotto', 706, 548, 120, 7],
    ['treasure', 850, 202, 104, 23],
    ['bitcoin-hero', 668, 330, 76, 38],
    ['super-game', 520, 566, 78, 16],
    ['mega-ball', 1070, 140, 74, 9],
  ]
  for (const [world, x, y, radius, number] of balls) ball(canvas, { x, y, radius, number, world, isOnField: false })
  wordmark(canvas, INK)
  title(canvas, 'A lottery you', 236)
  title(canvas, 'can check.', 322)
  canvas.write(
    { x: MARGIN, baseline: 392 },
    { text: 'Provably fair, paid in bitcoin.', face: 'text', size: 38, color: INK },
  )
  return await pngOf(canvas.pixels, canvas)
}

/** A name in the display face, as large as fits. */
function title(canvas: Canvas, text: string, baseline: number): void {
  const size = 84
  const width = widthOf({ text, face: 'display', size })
  const room = SIZE.width - 2 * MARGIN
  canvas.write(
    { x: MARGIN - 2, baseline },
    { text, face: 'display', size: width > room ? (size * room) / width : size, color: INK },
  )
}

/** The sign, an ink tile with a ball on it, and the product's name. */
function wordmark(canvas: Canvas, color: Rgb): void {
  const [x, y, half, corner] = [MARGIN + 26, 98, 26, 14]
  canvas.paint({ x, y, reach: half }, (dx, dy) => {
    const [outX, outY] = [Math.max(0, Math.abs(dx) - half + corner), Math.max(0, Math.abs(dy) - half + corner)]
    if (Math.hypot(outX, outY) > corner) return null
    const distance = Math.hypot(dx, dy)
    if (distance <= 12.4) return DISC
    return distance <= 18.7 ? ORANGE : INK
  })
  canvas.write({ x, baseline: y + 7 }, { text: 'B', face: 'display', size: 20, color: INK, align: 'middle' })
  canvas.write({ x: MARGIN + 68, baseline: y + 13 }, { text: 'Fairball', face: 'display', size: 38, color })
}

interface BallAt {
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly number: number
  readonly world: GameKey
  /** Lies on its own game's colour, where the ring is ink and the pattern has the game's colour. */
  readonly isOnField: boolean
}

/** A ball as the design language has it (section 5): a patterned ring, a flat lower shade, a light disc, an ink number. */
function ball(canvas: Canvas, { x, y, radius, number, world, isOnField }: BallAt): void {
  const ring = ringOf(world, isOnField)
  const shaded = new Map<Rgb, Rgb>()
  canvas.paint({ x, y, reach: radius }, (dx, dy) => {
    const distance = Math.sqrt(dx * dx + dy * dy)
    if (distance > radius) return null
    if (distance <= radius * 0.66) return DISC
    const color = ring(dx, dy, distance / radius)
    // The flat shade of the lower edge, and the hairline round it.
    const above = dy + radius * 0.11
    const isShaded = distance > radius - 1.5 || (dy > 0 && dx * dx + above * above > radius * radius)
    if (!isShaded) return color
    const dark = shaded.get(color) ?? mixed(color, INK, 0.16)
    shaded.set(color, dark)
    return dark
  })
  const size = radius * 0.74
  const text = String(number)
  canvas.write({ x, baseline: y + size * 0.36 }, { text, face: 'display', size, color: INK, align: 'middle' })
}

/** Where a ball is to come. */
function emptyPlace(
  canvas: Canvas,
  { x, y, radius, field }: { x: number; y: number; radius: number; field: Rgb },
): void {
  canvas.paint({ x, y, reach: radius }, (dx, dy) => {
    const distance = Math.hypot(dx, dy)
    if (distance > radius) return null
    return distance > radius - 4 ? INK : field
  })
}

/** @returns the colour of a ring's point: where it is from the middle, and how far in parts of the radius */
function ringOf(world: GameKey, isOnField: boolean): (dx: number, dy: number, distance: number) => Rgb {
  const { field, shade, light } = WORLDS[world]
  const [base, pattern] = isOnField ? [INK, field] : [field, shade]
  switch (world) {
    case 'bitcoin-lotto':
      return () => base
    case 'bitcoin-hero': {
      // One broad band between light caps, turned by 15 degrees.
      const [sin, cos] = [Math.sin(Math.PI / 12), Math.cos(Math.PI / 12)]
      return (dx, dy, distance) => {
        const across = distance === 0 ? 0 : ((-dx * sin + dy * cos) / Math.sqrt(dx * dx + dy * dy)) * distance
        return Math.abs(across) > 0.45 ? DISC : base
      }
    }
    case 'treasure':
      return (dx, dy) => (angleOf(dx, dy) % 15 < 9 ? base : pattern)
    case 'ether-lotto': {
      const facets = isOnField ? [INK, field, INK, mixed(field, INK, 0.62)] : [field, shade, field, light]
      return (dx, dy) => facets[Math.floor(((angleOf(dx, dy) + 320) % 360) / 90)] ?? base
    }
    case 'mega-ball':
      return (_dx, _dy, distance) => (distance > 0.78 && distance < 0.895 ? pattern : base)
    case 'super-game':
      return (dx, dy) => ((angleOf(dx, dy) + 352) % 45 < 22.5 ? base : pattern)
  }
}

/** @returns clockwise from the top, 0 up to 360 */
function angleOf(dx: number, dy: number): number {
  return ((Math.atan2(dx, -dy) * 180) / Math.PI + 360) % 360
}

/** @param amount of the second colour, 0 to 1 */
function mixed(one: Rgb, other: Rgb, amount: number): Rgb {
  const channel = (index: 0 | 1 | 2) => one[index] + (other[index] - one[index]) * amount
  return [channel(0), channel(1), channel(2)]
}
