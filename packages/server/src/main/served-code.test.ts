import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { commitOf } from './served-code.ts'

const [ONE, OTHER] = ['1'.repeat(40), '2'.repeat(40)]

/** A folder with these files. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'served-code-'))
  await mkdir(join(folder, '.git/refs/heads'), { recursive: true })
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text)
  return pathToFileURL(`${folder}/`)
}

describe('the commit of what runs', () => {
  it.each([
    ['as the image was given it', { commit: `${ONE}\n`, '.git/HEAD': `${OTHER}\n` }, ONE],
    ['checked out alone', { '.git/HEAD': `${ONE}\n` }, ONE],
    ['of a branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${ONE}\n` }, ONE],
    [
      'of a branch among packed ones',
      {
        '.git/HEAD': 'ref: refs/heads/main\n',
        '.git/packed-refs': `# pack\n${OTHER} refs/heads/a\n${ONE} refs/heads/main\n`,
      },
      ONE,
    ],
    ['that the image was not told is 40 zeros', { commit: '\n' }, '0'.repeat(40)],
    ['of a folder without history is 40 zeros', {}, '0'.repeat(40)],
  ])('the commit is read if it is %s', async (_title, files, commit) => {
    expect(await commitOf(await folderWith(files))).toBe(commit)
  })
})
