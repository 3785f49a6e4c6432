import { dateLabel, timeLabel } from '@fairball/domain/draw-time-label'
import type { GameTraits, Pattern } from '@fairball/domain/games'
import type { SKRSContext2D } from '@napi-rs/canvas'
import { newPicture, pngOf, setFace } from './picture.ts'

/** The size every network shows a link's picture at best, in px. */
const SIZE = { width: 1200, height: 630 } as const
const MARGIN = 72

const INK = '#1c1433'
const DISC = '#fffdf8'
const PAPER = '#fbf7ef'
const ORANGE = '#ff9a1f'
/** The flat shade on a ball: ink, thinned. */
const SHADE = '#1c143329'

/** A game's colours (design language, section 2): the field, the pattern on it, and its light and dark tints. */
interface World {
  readonly field: string
  readonly shade: string
  readonly light: string
  readonly dark: string
}

function worldOf(accent: string): World {
  return {
    field: accent,
    shade: mixed(accent, '#000000', 0.12),
    light: mixed(accent, '#ffffff', 0.37),
    dark: mixed(accent, INK, 0.62),
  }
}

/** @param share of the second colour, 0 to 1; both are `#RRGGBB` */
function mixed(one: string, other: string, share: number): string {
  const channel = (color: string, place: number): number =>
    Number.parseInt(color.slice(1 + 2 * place, 3 + 2 * place), 16)
  const values = [0, 1, 2].map((place) => Math.round(channel(one, place) * (1 - share) + channel(other, place) * share))
  return `#${values.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** The content of a game's picture. */
export interface SharedGame extends Pick<GameTraits, 'key' | 'name' | 'accent' | 'pattern'> {
  readonly pick: number
  readonly pool: number
}

/** The content of a draw's picture. */
interface SharedDraw {
  readonly number: number
  /** Epoch seconds. */
  readonly startAt: number
  /** In the order drawn; empty before the last ball is shown, and if the draw is void. */
  readonly numbers: readonly number[]
  readonly isVoid: boolean
}

/**
 * @returns the picture for links to a game, a PNG. It shows nothing that changes: a jackpot in it would go stale in
 *   caches
 */
export async function gameImage(game: SharedGame): Promise<Buffer> {
  const canvas = await newPicture(SIZE, game.accent)
  const middle = Math.ceil(game.pool / 2)
  ball(canvas, { x: 1010, y: 470, radius: 230, number: game.pool, world: game, isOnField: true })
  ball(canvas, { x: 742, y: 566, radius: 128, number: middle, world: game, isOnField: true })
  ball(canvas, { x: 884, y: 196, radius: 92, number: game.pick, world: game, isOnField: true })
  wordmark(canvas)
  title(canvas, game.name, 246)
  sentence(canvas, `Pick ${game.pick} numbers from ${game.pool}`, 318, 42)
  sentence(canvas, 'Paid in bitcoin.', 540, 34)
  sentence(canvas, 'Every draw can be checked.', 584, 34)
  return await pngOf(canvas)
}

/** @returns the picture for links to a draw, a PNG: its numbers, or empty places if there are none yet */
export async function drawImage(game: SharedGame, draw: SharedDraw): Promise<Buffer> {
  const canvas = await newPicture(SIZE, game.accent)
  wordmark(canvas)
  title(canvas, game.name, 226)
  const when = `Draw ${draw.number} – ${dateLabel(draw.startAt, 0)}, ${timeLabel(draw.startAt, 0)} UTC`
  sentence(canvas, when, 296, 40)
  const gap = 20
  const radius = Math.min(80, (SIZE.width - 2 * MARGIN - gap * (game.pick - 1)) / game.pick / 2)
  for (let place = 0; place < game.pick; place++) {
    const at = { x: MARGIN + radius + place * (2 * radius + gap), y: 424, radius }
    const number = draw.numbers[place]
    if (number === undefined) emptyPlace(canvas, { ...at, field: worldOf(game.accent).light })
    else ball(canvas, { ...at, number, world: game, isOnField: true })
  }
  sentence(canvas, stateOf(draw), 584, 34)
  return await pngOf(canvas)
}

function stateOf({ numbers, isVoid }: SharedDraw): string {
  if (isVoid) return 'This draw was void.'
  return numbers.length === 0 ? 'Not drawn yet.' : 'Check every step of this draw yourself.'
}

/** @returns the picture for links to any other page, a PNG: balls of every pattern */
export async function siteImage(): Promise<Buffer> {
  const canvas = await newPicture(SIZE, PAPER)
  const balls: [string, Pattern, number, number, number, number][] = [
    [ORANGE, 'solid', 1010, 476, 224, 41],
    ['#a08bff', 'facets', 706, 548, 120, 7],
    ['#22c58f', 'reeded', 850, 202, 104, 23],
    ['#ff6f96', 'band', 668, 330, 76, 38],
    ['#ffd43b', 'sunburst', 520, 566, 78, 16],
    ['#55abff', 'ring', 1070, 140, 74, 9],
  ]
  for (const [accent, pattern, x, y, radius, number] of balls)
    ball(canvas, { x, y, radius, number, world: { accent, pattern }, isOnField: false })
  wordmark(canvas)
  title(canvas, 'A lottery you', 236)
  title(canvas, 'can check.', 322)
  sentence(canvas, 'Provably fair, paid in bitcoin.', 392, 38)
  return await pngOf(canvas)
}

/** A name in the display face, as large as fits. */
function title(canvas: SKRSContext2D, text: string, baseline: number): void {
  const room = SIZE.width - 2 * MARGIN
  const size = Math.min(84, (84 * room) / displayWidth(canvas, text, 84))
  display(canvas, text, { x: MARGIN - 2, baseline, size })
}

function displayWidth(canvas: SKRSContext2D, text: string, size: number): number {
  setFace(canvas, 'Anybody', size)
  return canvas.measureText(text).width
}

/** A line in the display face. @param at.size in px */
function display(
  canvas: SKRSContext2D,
  text: string,
  { x, baseline, size, align = 'left' }: { x: number; baseline: number; size: number; align?: 'left' | 'center' },
): void {
  setFace(canvas, 'Anybody', size)
  canvas.fillStyle = INK
  canvas.textAlign = align
  canvas.fillText(text, x, baseline)
}

/** A line in the face of sentences. @param size in px */
function sentence(canvas: SKRSContext2D, text: string, baseline: number, size: number): void {
  setFace(canvas, 'Figtree', size)
  canvas.fillStyle = INK
  canvas.textAlign = 'left'
  canvas.fillText(text, MARGIN, baseline)
}

/** The sign, an ink tile with a ball on it, and the product's name. */
function wordmark(canvas: SKRSContext2D): void {
  const [x, y, half] = [MARGIN + 26, 98, 26]
  canvas.fillStyle = INK
  canvas.beginPath()
  canvas.roundRect(x - half, y - half, 2 * half, 2 * half, 14)
  canvas.fill()
  disc(canvas, { x, y, radius: 18.7 }, ORANGE)
  disc(canvas, { x, y, radius: 12.4 }, DISC)
  display(canvas, 'B', { x, baseline: y + 7, size: 20, align: 'center' })
  display(canvas, 'Fairball', { x: MARGIN + 68, baseline: y + 13, size: 38 })
}

interface Circle {
  readonly x: number
  readonly y: number
  readonly radius: number
}

/** A game's colour and its pattern. */
type Worn = Pick<GameTraits, 'accent' | 'pattern'>

interface BallAt extends Circle {
  readonly number: number
  readonly world: Worn
  /** On its own game's colour, the ring is ink and the pattern has the game's colour. */
  readonly isOnField: boolean
}

/** A ball of the design language (section 5): a patterned ring, a flat lower shade, a light disc, an ink number. */
function ball(canvas: SKRSContext2D, { x, y, radius, number, world, isOnField }: BallAt): void {
  canvas.save()
  clip(canvas, { x, y, radius })
  ring(canvas, { x, y, radius }, world, isOnField)
  disc(canvas, { x, y, radius }, SHADE)
  // Without the shade: all but a hairline and the crescent at the lower edge.
  clip(canvas, { x, y, radius: radius - 1.5 })
  clip(canvas, { x, y: y - radius * 0.11, radius })
  ring(canvas, { x, y, radius }, world, isOnField)
  canvas.restore()
  disc(canvas, { x, y, radius: radius * 0.66 }, DISC)
  const size = radius * 0.74
  display(canvas, String(number), { x, baseline: y + size * 0.36, size, align: 'center' })
}

/** The place of a ball to come. */
function emptyPlace(canvas: SKRSContext2D, { x, y, radius, field }: Circle & { field: string }): void {
  disc(canvas, { x, y, radius }, INK)
  disc(canvas, { x, y, radius: radius - 4 }, field)
}

/** A ring's pattern, over the whole ball. */
function ring(canvas: SKRSContext2D, circle: Circle, world: Worn, isOnField: boolean): void {
  const { x, y, radius } = circle
  const { field, shade, light, dark } = worldOf(world.accent)
  const [base, pattern] = isOnField ? [INK, field] : [field, shade]
  disc(canvas, circle, base)
  switch (world.pattern) {
    case 'solid':
      break
    case 'band':
      // One broad band between light caps, turned by 15 degrees.
      canvas.save()
      canvas.translate(x, y)
      canvas.rotate(Math.PI / 12)
      canvas.fillStyle = DISC
      canvas.fillRect(-radius, -radius, 2 * radius, 0.55 * radius)
      canvas.fillRect(-radius, 0.45 * radius, 2 * radius, 0.55 * radius)
      canvas.restore()
      break
    case 'reeded':
      for (let at = 9; at < 360; at += 15) wedge(canvas, circle, at, at + 6, pattern)
      break
    case 'facets': {
      const facets = isOnField ? [INK, field, INK, dark] : [field, shade, field, light]
      facets.forEach((color, place) => wedge(canvas, circle, 40 + 90 * place, 130 + 90 * place, color))
      break
    }
    case 'ring':
      disc(canvas, { x, y, radius: radius * 0.895 }, pattern)
      disc(canvas, { x, y, radius: radius * 0.78 }, base)
      break
    case 'sunburst':
      for (let at = 30.5; at < 380; at += 45) wedge(canvas, circle, at, at + 22.5, pattern)
      break
  }
}

function outline(canvas: SKRSContext2D, { x, y, radius }: Circle): void {
  canvas.beginPath()
  canvas.arc(x, y, radius, 0, 2 * Math.PI)
}

function disc(canvas: SKRSContext2D, circle: Circle, color: string): void {
  outline(canvas, circle)
  canvas.fillStyle = color
  canvas.fill()
}

function clip(canvas: SKRSContext2D, circle: Circle): void {
  outline(canvas, circle)
  canvas.clip()
}

/** A part of a circle, in degrees clockwise from the top. */
function wedge(canvas: SKRSContext2D, { x, y, radius }: Circle, from: number, to: number, color: string): void {
  const angle = (degrees: number) => ((degrees - 90) * Math.PI) / 180
  canvas.beginPath()
  canvas.moveTo(x, y)
  canvas.arc(x, y, radius, angle(from), angle(to))
  canvas.fillStyle = color
  canvas.fill()
}
