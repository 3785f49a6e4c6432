import { fileURLToPath } from 'node:url'
import type * as Canvas from '@napi-rs/canvas'

/** The product's two faces, each in the one weight for pictures: names and numbers in Anybody, sentences in Figtree. */
const FACES = {
  Anybody: { file: '@fontsource-variable/anybody/files/anybody-latin-wght-normal.woff2', weight: 800 },
  Figtree: { file: '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2', weight: 600 },
} as const

/**
 * A picture to paint on, in one colour.
 *
 * @param size in px
 */
export async function newPicture(
  size: { width: number; height: number },
  color: string,
): Promise<Canvas.SKRSContext2D> {
  const { createCanvas } = await loaded()
  const canvas = createCanvas(size.width, size.height).getContext('2d')
  canvas.fillStyle = color
  canvas.fillRect(0, 0, size.width, size.height)
  return canvas
}

/** Chooses the face for the following text of a picture. @param size in px */
export function setFace(picture: Canvas.SKRSContext2D, name: keyof typeof FACES, size: number): void {
  picture.font = `${size}px ${name}`
  // Of a variable face the renderer otherwise takes the thinnest.
  picture.fontVariationSettings = `"wght" ${FACES[name].weight}`
}

/** @returns the picture as a PNG, made outside the process's own thread */
export async function pngOf(picture: Canvas.SKRSContext2D): Promise<Buffer> {
  return await picture.canvas.encode('png')
}

let library: Promise<typeof Canvas> | null = null

/** Loads the renderer with the first picture: a process without requests for pictures saves its 25 MB of memory. */
async function loaded(): Promise<typeof Canvas> {
  library ??= import('@napi-rs/canvas').then((found) => {
    for (const [name, { file }] of Object.entries(FACES)) {
      const key = found.GlobalFonts.registerFromPath(fileURLToPath(import.meta.resolve(file)), name)
      if (key === null) throw new Error(`The face ${name} cannot be read.`)
    }
    return found
  })
  return await library
}
