import { expect, it } from 'vitest'
import { asciiBytes } from './bytes.ts'
import { nobleHash } from './hash.ts'
import { RemoteTree } from './remote-log.ts'
import { getFrom, type ServedFiles, serveTree } from './served-files-fixture.ts'
import { leafHash, TreeFolder } from './tree.ts'

it('a served tree of 65,537 leaves is read through a section’s root', { timeout: 60_000 }, async () => {
  const leaves = Array.from({ length: 65_537 }, (_, index) => asciiBytes(`leaf ${index}`))
  const files: ServedFiles = new Map()
  serveTree(files, '', leaves)
  const folder = new TreeFolder(nobleHash)
  for (const leaf of leaves.slice(0, 65_536)) folder.add(leafHash(nobleHash, leaf))
  const section = folder.root()
  folder.add(leafHash(nobleHash, leaves[65_536] ?? new Uint8Array()))
  const { asked, get } = getFrom(files)
  const tree = new RemoteTree(get, '', { size: leaves.length, root: folder.root() })
  expect(await tree.node({ level: 16, index: 0 })).toEqual(section)
  expect(asked).toEqual(['tile/0/256.p/1', 'tile/2/000.p/1'])
  expect(await tree.entries(200)).toEqual(leaves.slice(51_200, 51_456))
  expect(asked.slice(2)).toEqual(['tile/entries/200', 'tile/1/000'])
})
