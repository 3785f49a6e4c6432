import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'

/** Red, green and blue, 0 to 255 each. */
export type Rgb = readonly [number, number, number]

/** A face of letters, drawn beforehand (packages/web/scripts/make-letters.mjs). */
interface Face {
  /** The size the letters were drawn at, in px. */
  readonly size: number
  readonly baseline: number
  readonly width: number
  readonly height: number
  /** For each character where it begins, how wide its picture is, and how far from it the next character stands. */
  readonly glyphs: Readonly<Record<string, readonly [number, number, number]>>
  /** Coverage from 0 to 255, rows from the top. */
  readonly coverage: Uint8Array
}

/** Which face: Anybody 800 for names and numbers, Figtree 600 for sentences. */
export type FaceName = 'display' | 'text'

/** What to write, and how. */
export interface Lettering {
  readonly text: string
  readonly face: FaceName
  /** In px; larger than the letters were drawn (112 and 44) they would blur. */
  readonly size: number
  readonly color: Rgb
  /** Default `start`. */
  readonly align?: 'start' | 'middle'
}

/** The space left of each letter in its picture. */
const PAD = 8
/** Points a pixel's edge is looked at: 9 a pixel. */
const SAMPLES = [1 / 6, 1 / 2, 5 / 6] as const

/** @returns the colour of "#rrggbb" */
export function rgb(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** A picture to be painted: round shapes and letters with smooth edges. Nothing more is needed for a ball. */
export class Canvas {
  readonly width: number
  readonly height: number
  /** Rows from the top, three bytes a pixel. */
  readonly pixels: Uint8Array

  constructor(width: number, height: number, color: Rgb) {
    this.width = width
    this.height = height
    this.pixels = new Uint8Array(width * height * 3)
    this.pixels.set(color)
    // What is there is copied behind itself, twice as much each time.
    for (let filled = 3; filled < this.pixels.length; filled *= 2) this.pixels.copyWithin(filled, 0, filled)
  }

  /**
   * Paints what `colorAt` says of each point within a square; null leaves the point as it is.
   *
   * @param area the square's middle and half its edge
   * @param colorAt is given the point relative to the middle; equal colours are best the same value
   */
  paint(area: { x: number; y: number; reach: number }, colorAt: (dx: number, dy: number) => Rgb | null): void {
    const { x, y, reach } = area
    const right = Math.min(this.width, Math.ceil(x + reach))
    const bottom = Math.min(this.height, Math.ceil(y + reach))
    for (let row = Math.max(0, Math.floor(y - reach)); row < bottom; row++)
      for (let column = Math.max(0, Math.floor(x - reach)); column < right; column++)
        this.paintPixel(column, row, x, y, colorAt)
  }

  private paintPixel(
    column: number,
    row: number,
    x: number,
    y: number,
    colorAt: (dx: number, dy: number) => Rgb | null,
  ): void {
    const at = (row * this.width + column) * 3
    const [dx, dy] = [column - x, row - y]
    // Most pixels are of one colour all over: what three of their points say is enough.
    const first = colorAt(dx, dy)
    if (first === colorAt(dx + 1, dy) && first === colorAt(dx + 0.5, dy + 1)) {
      if (first !== null) this.pixels.set(first, at)
      return
    }
    let [red, green, blue] = [0, 0, 0]
    for (const down of SAMPLES)
      for (const across of SAMPLES) {
        const color = colorAt(dx + across, dy + down)
        red += color?.[0] ?? this.pixels[at] ?? 0
        green += color?.[1] ?? this.pixels[at + 1] ?? 0
        blue += color?.[2] ?? this.pixels[at + 2] ?? 0
      }
    this.pixels[at] = red / 9
    this.pixels[at + 1] = green / 9
    this.pixels[at + 2] = blue / 9
  }

  /** Writes one line. Characters without a picture are left out. @param baseline where the letters stand, in px from the top */
  write(at: { x: number; baseline: number }, lettering: Lettering): void {
    const face = faces()[lettering.face]
    const scale = lettering.size / face.size
    let x = lettering.align === 'middle' ? at.x - widthOf(lettering) / 2 : at.x
    for (const character of lettering.text) {
      const glyph = face.glyphs[character]
      if (glyph === undefined) continue
      this.stamp({
        face,
        glyph,
        scale,
        x: x - PAD * scale,
        y: at.baseline - face.baseline * scale,
        color: lettering.color,
      })
      x += glyph[2] * scale
    }
  }

  private stamp(letter: {
    face: Face
    glyph: readonly [number, number, number]
    scale: number
    x: number
    y: number
    color: Rgb
  }): void {
    const { face, glyph, scale, x, y, color } = letter
    const [from, width] = glyph
    for (let row = Math.max(0, Math.floor(y)); row < Math.min(this.height, y + face.height * scale); row++)
      for (let column = Math.max(0, Math.floor(x)); column < Math.min(this.width, x + width * scale); column++) {
        const left = Math.max(0, (column - x) / scale)
        const right = Math.min(width, (column + 1 - x) / scale)
        const coverage = meanCoverage(face, {
          left: from + left,
          right: from + right,
          top: Math.max(0, (row - y) / scale),
          bottom: Math.min(face.height, (row + 1 - y) / scale),
        })
        if (coverage === 0) continue
        const at = (row * this.width + column) * 3
        for (const channel of [0, 1, 2] as const) {
          const below = this.pixels[at + channel] ?? 0
          this.pixels[at + channel] = below + (color[channel] - below) * coverage
        }
      }
  }
}

/** @returns how wide a line is, in px */
export function widthOf({ text, face: name, size }: Pick<Lettering, 'text' | 'face' | 'size'>): number {
  const { glyphs, size: drawnAt } = faces()[name]
  let width = 0
  for (const character of text) width += ((glyphs[character]?.[2] ?? 0) * size) / drawnAt
  return width
}

/** The mean of a part of a face's picture, each of its pixels by how much of it lies within. From 0 to 1. */
function meanCoverage(
  face: Face,
  { left, right, top, bottom }: Record<'left' | 'right' | 'top' | 'bottom', number>,
): number {
  if (right <= left || bottom <= top) return 0
  let sum = 0
  for (let row = Math.floor(top); row < bottom; row++) {
    const high = Math.min(bottom, row + 1) - Math.max(top, row)
    for (let column = Math.floor(left); column < right; column++) {
      const wide = Math.min(right, column + 1) - Math.max(left, column)
      sum += (face.coverage[row * face.width + column] ?? 0) * high * wide
    }
  }
  return sum / ((right - left) * (bottom - top) * 255)
}

let read: Record<FaceName, Face> | null = null

/** Read when the first picture is asked for. */
function faces(): Record<FaceName, Face> {
  if (read !== null) return read
  // Our own script wrote it, beside this file.
  const file = JSON.parse(readFileSync(new URL('letters.json', import.meta.url), 'utf8')) as Record<
    FaceName,
    Omit<Face, 'coverage'> & { readonly pixels: string }
  >
  const faceOf = ({ pixels, ...face }: (typeof file)[FaceName]): Face => ({
    ...face,
    coverage: new Uint8Array(inflateSync(Buffer.from(pixels, 'base64'))),
  })
  read = { display: faceOf(file.display), text: faceOf(file.text) }
  return read
}
