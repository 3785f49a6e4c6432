import type { BundleDraw, BundlePaper, BundlePart } from './bundle.ts'
import type { CollectRequest } from './collect-bundle.ts'
import { concatBytes } from './bytes.ts'
import { readNote } from './note.ts'
import { PLAYS_FILE_LEAVES, SECTION_LEAVES, TILE_WIDTH } from './numbers.ts'
import { readOrNull } from './read-or-null.ts'
import { entriesOf, type GetFile, MissingFile } from './remote-log.ts'
import { leavesOfSection, sectionCount } from './sections.ts'
import { readStatementOf, type StatementOf } from './statements.ts'
import { entriesPath, playsPath, type Tile, writeEntries } from './tiles.ts'

/**
 * The plays of a draw, collected from an operator's files (section 3) for a bundle. They are not hashed here: the
 * verifier hashes every one.
 */

/** What is asked of a draw's plays. */
type PlaysRequest = Pick<CollectRequest, 'get' | 'papers' | 'mostSections' | 'random'>

/** A million plays, about 130 MB. */
const MAX_SECTIONS = 16
/** Files fetched in parallel. */
const PARALLEL_FETCHES = 8
/** Files of entries that make up a file of plays. */
const TILES_OF_FILE = PLAYS_FILE_LEAVES / TILE_WIDTH

/** The plays of a close, in all or some sections; null if they are not served. @throws RemoteError */
export async function collectPlays(
  { get, papers = [], mostSections = MAX_SECTIONS, random }: PlaysRequest,
  { open, size }: StatementOf<'close'>,
): Promise<BundleDraw['plays']> {
  const folder = `draw/${open}/`
  const total = sectionCount(size)
  const isLarge = total > mostSections
  const chosen = isLarge ? new Set([...ownSections(await papers, open), random(total)]) : Array(total).keys()
  const parts: BundlePart[] = []
  try {
    for (const section of [...chosen].filter((it) => it < total).toSorted((one, other) => one - other)) {
      parts.push({ section, leaves: await leavesOf(get, folder, size, section) })
    }
  } catch (error) {
    if (error instanceof MissingFile) return null
    throw error
  }
  return { sections: isLarge ? await get(`${folder}sections`) : null, parts }
}

/** The sections that receipts for a draw name. */
function ownSections(papers: readonly BundlePaper[], openHash: string): number[] {
  return papers.flatMap(({ note }) => {
    const receipt = receiptOf(note)
    return receipt?.open === openHash ? [Math.floor(receipt.index / SECTION_LEAVES)] : []
  })
}

function receiptOf(note: string): StatementOf<'receipt'> | null {
  const signed = readNote(note)
  // The verifier reports a paper that cannot be read.
  return signed && readOrNull(() => readStatementOf('receipt', signed.text))
}

/** The entries of a section: in files of plays, and what does not fill one in files of entries. */
async function leavesOf(get: GetFile, folder: string, size: number, section: number): Promise<Uint8Array> {
  const leaves = leavesOfSection(section, size)
  const files = Math.floor(leaves / PLAYS_FILE_LEAVES)
  const firstFile = (section * SECTION_LEAVES) / PLAYS_FILE_LEAVES
  const reads = Array.from({ length: files }, (_, at) => () => playsFile(get, folder, firstFile + at))
  for (let leaf = files * PLAYS_FILE_LEAVES; leaf < leaves; leaf += TILE_WIDTH) {
    const index = (section * SECTION_LEAVES + leaf) / TILE_WIDTH
    const width = Math.min(leaves - leaf, TILE_WIDTH)
    reads.push(() => entriesFile(get, folder, { index, width }))
  }
  return concatBytes(...(await readAll(reads)))
}

/** A file of plays; the same from files of entries where only those are served. */
async function playsFile(get: GetFile, folder: string, index: number): Promise<Uint8Array> {
  const whole = await get(folder + playsPath(index))
  if (whole !== null) return whole
  const read: Uint8Array[] = []
  for (let at = 0; at < TILES_OF_FILE; at += 1)
    read.push(await entriesFile(get, folder, { index: index * TILES_OF_FILE + at, width: TILE_WIDTH }))
  return concatBytes(...read)
}

/** A file of entries; of the full one that replaced it, its first entries. */
async function entriesFile(
  get: GetFile,
  folder: string,
  { index, width }: Pick<Tile, 'index' | 'width'>,
): Promise<Uint8Array> {
  const path = folder + entriesPath({ index, width })
  const bytes = await get(path)
  if (bytes !== null) return bytes
  const full = width === TILE_WIDTH ? null : await get(folder + entriesPath({ index, width: TILE_WIDTH }))
  if (full === null) throw new MissingFile(path)
  return writeEntries(entriesOf(full, path).slice(0, width))
}

/** What some reads give, in their order; after a failure no further one begins. */
async function readAll(reads: readonly (() => Promise<Uint8Array>)[]): Promise<Uint8Array[]> {
  const found: Uint8Array[] = []
  const left = reads.entries() // shared by all that read
  let isOver = false
  const readOn = async (): Promise<void> => {
    for (const [place, read] of left) {
      if (isOver) return
      found[place] = await read()
    }
  }
  const stopAll = (error: unknown): never => {
    isOver = true
    throw error
  }
  await Promise.all(Array.from({ length: PARALLEL_FETCHES }, () => readOn().catch(stopAll)))
  return found
}
