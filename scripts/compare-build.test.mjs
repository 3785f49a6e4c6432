import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { compareWithSite } from './compare-build.mjs'

const HASH = 'c7'.repeat(32)
const sha256 = (text) => createHash('sha256').update(text).digest('hex')
const FILES = [
  { path: 'client/.vite/manifest.json', sha256: sha256('names the files') },
  { path: 'client/assets/shell-1.js', sha256: sha256('go()') },
  { path: 'client/favicon.svg', sha256: sha256('<svg/>') },
  { path: 'server/entry-server.js', sha256: sha256('renders') },
]
const PAGE = `<script type="application/json">{"config":{"build":{"version":"0.1.0","hash":"${HASH}"}}}</script>`

/** A site with these texts, by path. */
function site(texts) {
  const asked = []
  const ask = async (address) => {
    const { origin, pathname } = new URL(address)
    expect(origin).toBe('https://lottery.example')
    asked.push(pathname)
    const text = { '/fairness': PAGE, ...texts }[pathname]
    return text === undefined ? new Response('', { status: 404 }) : new Response(text)
  }
  return {
    ask,
    asked,
    compare: () => compareWithSite({ files: FILES, address: 'https://lottery.example/game/x', ask }),
  }
}

it('a site with the same build has no differences, and its page shows the hash', async () => {
  const { compare, asked } = site({ '/assets/shell-1.js': 'go()', '/favicon.svg': '<svg/>' })
  expect(await compare()).toEqual({ compared: 2, different: [], told: HASH })
  // The renderer and the list of files stay on the server.
  expect(new Set(asked)).toEqual(new Set(['/assets/shell-1.js', '/fairness', '/favicon.svg']))
})

it('a changed file and a missing file are named', async () => {
  const { compare } = site({ '/assets/shell-1.js': 'go(); tell()' })
  const { different } = await compare()
  expect(different).toEqual(['/assets/shell-1.js: other content', '/favicon.svg: the site answers 404'])
})

it('a page without a hash and a site without an answer are reported', async () => {
  expect((await site({ '/fairness': '<p>no build</p>' }).compare()).told).toBeNull()
  const ask = () => Promise.reject(new Error('refused'))
  await expect(compareWithSite({ files: FILES, address: 'https://lottery.example', ask })).rejects.toThrow('refused')
})
