import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The two halves of the web's build: what browsers get, and what renders pages for them. */
const PARTS = ['client', 'server']
/**
 * Compressed copies of files that are themselves included. Their size depends on the processor, so they are not part of
 * the hash.
 */
const COPY = /\.(?:br|gz)$/u

/** One file of the build. */
interface BuiltFile {
  /** relative to the build's folder, with slashes: `client/favicon.svg` */
  readonly path: string
  /** of its content, in hex */
  readonly sha256: string
}

/**
 * The files of a build, in the order of their paths' bytes.
 *
 * @param folder the build's, with its parts in it
 * @param parts default: those of the site
 * @throws Error if one of these is missing
 */
export async function builtFiles(folder: string, parts: readonly string[] = PARTS): Promise<readonly BuiltFile[]> {
  const paths = (await Promise.all(parts.map((part) => pathsUnder(folder, part)))).flat()
  paths.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
  const files: BuiltFile[] = []
  for (const path of paths) files.push({ path, sha256: sha256Of(await readFile(join(folder, path))) })
  return files
}

/**
 * The hash of a build (docs/supply-chain.md): SHA-256 over a line for each file, in the format of `sha256sum`. The same
 * sources give the same hash on every computer, in every folder, at any time.
 */
export function buildHash(files: readonly BuiltFile[]): string {
  return sha256Of(files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join(''))
}

async function pathsUnder(folder: string, part: string): Promise<string[]> {
  const entries = await readdir(join(folder, part), { withFileTypes: true })
  const paths = await Promise.all(
    entries.map(async (entry) => {
      const path = `${part}/${entry.name}`
      if (entry.isDirectory()) return await pathsUnder(folder, path)
      return COPY.test(entry.name) ? [] : [path]
    }),
  )
  return paths.flat()
}

function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
