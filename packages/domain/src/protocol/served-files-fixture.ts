import type { Bundle, BundleDraw, Seal } from './bundle.ts'
import { asciiBytes, utf8Bytes } from './bytes.ts'
import { collectBundle, type CollectRequest } from './collect-bundle.ts'
import { nobleHash, textHash } from './hash.ts'
import { TILE_WIDTH } from './numbers.ts'
import { entriesPath, readEntries, TileBuilder, tilePath, writeEntries } from './tiles.ts'

/** The files of an operator (section 3) for tests, from a bundle and its whole log. */

/** Served files by their paths below the operator's address. */
export type ServedFiles = Map<string, Uint8Array>

/** All files of an operator: its log, texts and seals, and the plays and beacons of closed draws. */
export function servedFiles(bundle: Bundle, log: readonly string[]): ServedFiles {
  const files: ServedFiles = new Map([['checkpoint', utf8Bytes(bundle.head)]])
  serveTree(files, '', log.map(asciiBytes))
  for (const text of bundle.texts) files.set(`text/${textHash(text)}`, asciiBytes(text))
  for (const draw of bundle.draws) serveDraw(files, draw)
  return files
}

/** Serves a tree at its last size. @returns its root */
export function serveTree(files: ServedFiles, folder: string, leaves: readonly Uint8Array[]): Uint8Array {
  const builder = new TileBuilder(nobleHash, (tile, bytes) => files.set(folder + tilePath(tile), bytes))
  for (const leaf of leaves) builder.add(leaf)
  for (const { tile, bytes } of builder.partial()) files.set(folder + tilePath(tile), bytes)
  for (let at = 0; at < leaves.length; at += TILE_WIDTH) {
    const some = leaves.slice(at, at + TILE_WIDTH)
    files.set(folder + entriesPath({ index: at / TILE_WIDTH, width: some.length }), writeEntries(some))
  }
  return builder.root()
}

function serveDraw(files: ServedFiles, { open, beacon, plays, seal, postpones }: BundleDraw): void {
  const folder = `draw/${open}/`
  if (beacon !== null) files.set(`${folder}beacon`, asciiBytes(`${beacon.round} ${beacon.signature}\n`))
  const parts = (plays?.parts ?? []).toSorted((one, other) => one.section - other.section)
  const leaves = parts.flatMap((part) => [...readEntries(part.leaves)])
  if (leaves.length > 0) serveTree(files, folder, leaves)
  if (plays !== null && plays.sections !== null) files.set(`${folder}sections`, plays.sections)
  for (const one of seal === null ? postpones : [...postpones, seal]) serveSeal(files, open, one)
}

/** Serves a seal under the hash of the newest close or postponement of its draw. */
function serveSeal(files: ServedFiles, open: string, seal: Seal): void {
  const sealed = seal.statements.findLast((text) => /^fairball\/(?:close|postpone)\//.test(text) && text.includes(open))
  if (sealed === undefined) return
  files.set(`seal/${textHash(sealed)}`, utf8Bytes(JSON.stringify({ ...seal, consistency: [] })))
}

/** Collects a bundle from served files. @returns the paths that were asked for, and the bundle to come */
export function collect(files: ServedFiles, request: Partial<CollectRequest> & Pick<CollectRequest, 'draws'>) {
  const { asked, get } = getFrom(files)
  return { asked, bundle: collectBundle({ get, random: chooseNone, ...request }) }
}

function chooseNone(): never {
  throw new Error('no section should be chosen at random')
}

/** Serves files, and keeps the paths that were asked for. */
export function getFrom(files: ServedFiles) {
  const asked: string[] = []
  const get = async (path: string): Promise<Uint8Array | null> => {
    asked.push(path)
    return files.get(path) ?? null
  }
  return { asked, get }
}
