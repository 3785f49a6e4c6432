import { dateLabel, timeLabel } from '@fairball/domain/draw-time-label'
import type { Pattern } from '@fairball/domain/games'
import { mixed } from '@fairball/domain/oklch'
import { worldOf } from '@fairball/domain/world'
import type { ImageData, SKRSContext2D } from '@napi-rs/canvas'
import { BALL_GAP_PX, BALL_PX, widthOfBalls } from '../../modules/messages/mail-parts.ts'
import { newPicture, pngOf, setFace } from './picture.ts'

/** The size every network shows a link's picture at best, in px. */
const SIZE = { width: 1200, height: 630 } as const
const MARGIN = 72

const INK = '#1c1433'
const DISC = '#fffdf8'
const PAPER = '#fbf7ef'
const ORANGE = '#ff9a1f'
const NOTHING = '#00000000'
/** Opacity of a ball that was not drawn. */
const PALE = 0.35
/** The flat shade on a ball: ink, thinned. */
const SHADE = '#1c143329'

/** Share of ink in the darkest facet of a ball on its own game's colour. */
const FACET_INK = 0.62

/** The colours of a ball, and its pattern. */
interface Look {
  /** The accent, `#RRGGBB`. */
  readonly accent: string
  readonly pattern: Pattern
}

/** The look of what belongs to no game. */
const PLAIN: Look = { accent: ORANGE, pattern: 'solid' }

/** The content of a game's picture. */
export interface SharedGame extends Look {
  readonly key: string
  readonly name: string
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
export async function gameImage(game: SharedGame, siteName: string): Promise<Buffer> {
  const canvas = await newPicture(SIZE, game.accent)
  const middle = Math.ceil(game.pool / 2)
  ball(canvas, { x: 1010, y: 470, radius: 230, number: game.pool, look: game, isOnField: true })
  ball(canvas, { x: 742, y: 566, radius: 128, number: middle, look: game, isOnField: true })
  ball(canvas, { x: 884, y: 196, radius: 92, number: game.pick, look: game, isOnField: true })
  wordmark(canvas, siteName)
  title(canvas, game.name, 246)
  sentence(canvas, `Pick ${game.pick} numbers from ${game.pool}`, 318, 42)
  sentence(canvas, 'Paid in bitcoin.', 540, 34)
  sentence(canvas, 'Every draw can be checked.', 584, 34)
  return await pngOf(canvas)
}

/** @returns the picture for links to a draw, a PNG: its numbers, or empty places if there are none yet */
export async function drawImage(game: SharedGame, draw: SharedDraw, siteName: string): Promise<Buffer> {
  const canvas = await newPicture(SIZE, game.accent)
  wordmark(canvas, siteName)
  title(canvas, game.name, 226)
  const when = `Draw ${draw.number} – ${dateLabel(draw.startAt, 0)}, ${timeLabel(draw.startAt, 0)} UTC`
  sentence(canvas, when, 296, 40)
  const gap = 20
  const radius = Math.min(80, (SIZE.width - 2 * MARGIN - gap * (game.pick - 1)) / game.pick / 2)
  for (let place = 0; place < game.pick; place++) {
    const at = { x: MARGIN + radius + place * (2 * radius + gap), y: 424, radius }
    const number = draw.numbers[place]
    if (number === undefined) emptyPlace(canvas, { ...at, field: worldOf(game.accent).light })
    else ball(canvas, { ...at, number, look: game, isOnField: true })
  }
  sentence(canvas, stateOf(draw), 584, 34)
  return await pngOf(canvas)
}

function stateOf({ numbers, isVoid }: SharedDraw): string {
  if (isVoid) return 'This draw was void.'
  return numbers.length === 0 ? 'Not drawn yet.' : 'Check every step of this draw yourself.'
}

/** @returns the picture for links to any other page, a PNG: balls with the looks of the games, in their order */
export async function siteImage(looks: readonly Look[], siteName: string): Promise<Buffer> {
  const canvas = await newPicture(SIZE, PAPER)
  const balls: [place: number, x: number, y: number, radius: number, number: number][] = [
    [0, 1010, 476, 224, 41],
    [3, 706, 548, 120, 7],
    [2, 850, 202, 104, 23],
    [1, 668, 330, 76, 38],
    [5, 520, 566, 78, 16],
    [4, 1070, 140, 74, 9],
  ]
  for (const [place, x, y, radius, number] of balls)
    ball(canvas, { x, y, radius, number, look: looks[place % looks.length] ?? PLAIN, isOnField: false })
  wordmark(canvas, siteName)
  title(canvas, 'A lottery you', 236)
  title(canvas, 'can check.', 322)
  sentence(canvas, 'Provably fair, paid in bitcoin.', 392, 38)
  return await pngOf(canvas)
}

/** Scale of a row of balls: it is shown at half of its size. */
const SHARP = 2
/** Balls that are kept painted: those of five games, with 20 kB each. */
const MAX_PAINTED_BALLS = 300

/**
 * @param row.matched the numbers that were drawn, the others are pale; null to show all alike
 * @returns a row of balls on nothing, a PNG
 */
export async function ballsImage(row: {
  readonly numbers: readonly number[]
  readonly matched: readonly number[] | null
  readonly look: Look
}): Promise<Buffer> {
  const { numbers, matched, look } = row
  const height = SHARP * BALL_PX
  const canvas = await newPicture({ width: SHARP * widthOfBalls(numbers.length), height }, NOTHING)
  for (const [place, number] of numbers.entries()) {
    const isPale = matched !== null && !matched.includes(number)
    canvas.putImageData(await paintedBall(number, look, isPale), place * SHARP * (BALL_PX + BALL_GAP_PX), 0)
  }
  return await pngOf(canvas)
}

const paintedBalls = new Map<string, ImageData>()

/** A ball for rows, painted once: it costs more than all else of a row. */
async function paintedBall(number: number, look: Look, isPale: boolean): Promise<ImageData> {
  const key = `${look.accent} ${look.pattern} ${number} ${isPale}`
  const known = paintedBalls.get(key)
  if (known !== undefined) return known
  const radius = (SHARP * BALL_PX) / 2
  const canvas = await newPicture({ width: 2 * radius, height: 2 * radius }, NOTHING)
  canvas.globalAlpha = isPale ? PALE : 1
  ball(canvas, { x: radius, y: radius, radius, number, look, isOnField: false })
  const painted = canvas.getImageData(0, 0, 2 * radius, 2 * radius)
  const [oldest = ''] = paintedBalls.keys()
  if (paintedBalls.size >= MAX_PAINTED_BALLS) paintedBalls.delete(oldest)
  paintedBalls.set(key, painted)
  return painted
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

/** The sign, an ink tile with a ball on it, and the site's name. */
function wordmark(canvas: SKRSContext2D, name: string): void {
  const [x, y, half] = [MARGIN + 26, 98, 26]
  canvas.fillStyle = INK
  canvas.beginPath()
  canvas.roundRect(x - half, y - half, 2 * half, 2 * half, 14)
  canvas.fill()
  disc(canvas, { x, y, radius: 18.7 }, ORANGE)
  disc(canvas, { x, y, radius: 12.4 }, DISC)
  display(canvas, 'B', { x, baseline: y + 7, size: 20, align: 'center' })
  const room = SIZE.width - 2 * MARGIN - 68
  const size = Math.min(38, (38 * room) / displayWidth(canvas, name, 38))
  display(canvas, name, { x: MARGIN + 68, baseline: y + 13, size })
}

interface Circle {
  readonly x: number
  readonly y: number
  readonly radius: number
}

interface BallAt extends Circle {
  readonly number: number
  readonly look: Look
  /** On its own game's colour, the ring is ink and the pattern has the game's colour. */
  readonly isOnField: boolean
}

/** A ball of the design language (section 5): a patterned ring, a flat lower shade, a light disc, an ink number. */
function ball(canvas: SKRSContext2D, { x, y, radius, number, look, isOnField }: BallAt): void {
  canvas.save()
  clip(canvas, { x, y, radius })
  ring(canvas, { x, y, radius }, look, isOnField)
  disc(canvas, { x, y, radius }, SHADE)
  // Without the shade: all but a hairline and the crescent at the lower edge.
  clip(canvas, { x, y, radius: radius - 1.5 })
  clip(canvas, { x, y: y - radius * 0.11, radius })
  ring(canvas, { x, y, radius }, look, isOnField)
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
function ring(canvas: SKRSContext2D, circle: Circle, look: Look, isOnField: boolean): void {
  const { x, y, radius } = circle
  const { accent: field, shade, light } = worldOf(look.accent)
  const [base, pattern] = isOnField ? [INK, field] : [field, shade]
  disc(canvas, circle, base)
  switch (look.pattern) {
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
      const facets = isOnField ? [INK, field, INK, mixed(INK, FACET_INK, field)] : [field, shade, field, light]
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
