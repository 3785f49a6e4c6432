import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { ContentImage, ContentImageType } from './operator-content.ts'

/** The largest picture, in bytes: pages show it a few hundred pixels wide. */
export const MAX_IMAGE_BYTES = 1_000_000
/** What the addresses of the pictures begin with. */
export const IMAGES_PATH = '/content/'

/** A picture and the name it is served under, which is that of its content; or what is wrong with it. */
type ReadImage = { readonly name: string; readonly image: ContentImage } | { readonly problem: string }

/**
 * Reads a picture beside the content file.
 *
 * @param folder the content file's
 * @param path relative to it; links that lead out of the folder are refused
 */
export function readImage(folder: string, path: string): ReadImage {
  let bytes: Uint8Array
  try {
    const file = realpathSync(join(folder, path))
    if (!file.startsWith(withSlash(realpathSync(folder))))
      return { problem: `${path} leads out of the content file's folder. Put the picture into it` }
    const stats = statSync(file)
    if (!stats.isFile()) return { problem: `${path} is not a file` }
    if (stats.size > MAX_IMAGE_BYTES)
      return { problem: `${path} has more than ${MAX_IMAGE_BYTES} bytes. Make the picture smaller` }
    bytes = readFileSync(file)
  } catch (error) {
    return { problem: `${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` }
  }
  return imageOf(bytes) ?? { problem: `${path} is not a picture of type JPEG, PNG or WebP` }
}

/** A picture with the name it is served under; null for bytes of another kind. */
export function imageOf(bytes: Uint8Array): { readonly name: string; readonly image: ContentImage } | null {
  const type = typeOf(bytes)
  if (type === null) return null
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${ENDINGS[type]}`
  return { name, image: { bytes, type } }
}

const ENDINGS: Readonly<Record<ContentImageType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
}

/** Found by the content, whatever the file is called: a page disguised as a picture is refused. */
function typeOf(bytes: Uint8Array): ContentImageType | null {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp'
  return null
}

function withSlash(folder: string): string {
  return folder.endsWith(sep) ? folder : `${folder}${sep}`
}
