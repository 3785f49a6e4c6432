import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const require = createRequire(import.meta.url)
const { LOCK_FILES } = require('./locked-packages.cjs')
const { productPackages } = require('./licences.cjs')
const { NOTICES, noticesOf } = require('./notices.cjs')
const read = (file) => readFileSync(join(ROOT, file), 'utf8')

/** The texts as their authors publish them: gnu.org's agpl-3.0.txt and apache.org's LICENSE-2.0.txt, by SHA-256. */
const OFFICIAL = {
  'AGPL-3.0-only.txt': '57c8ff33c9c0cfc3ef00e650a1cc910d7ee479a8bc509f6c9209a7c2a11399d6',
  'Apache-2.0.txt': 'cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30',
}

/** The annotations of REUSE.toml, in their order. */
const annotations = read('REUSE.toml')
  .split('[[annotations]]')
  .slice(1)
  .map((text) => ({
    paths: [.../^path = (.+)$/m.exec(text)[1].matchAll(/"([^"]+)"/g)].map(([, path]) => path),
    copyright: /^SPDX-FileCopyrightText = "(.+)"$/m.exec(text)[1],
    licence: /^SPDX-License-Identifier = "(.+)"$/m.exec(text)[1],
  }))

/** The licence of a file: the last annotation that matches counts. */
function licenceOf(file) {
  return annotations.findLast(({ paths }) => paths.some((path) => file.startsWith(path.replace(/\*\*$/, ''))))?.licence
}

const manifests = [
  'package.json',
  'trials/package.json',
  ...LOCK_FILES.slice(1).map((file) => file.replace('package-lock.json', 'package.json')),
  ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/package.json`),
]

it('the texts of the licences are the official ones, word for word', () => {
  expect(readdirSync(join(ROOT, 'LICENSES')).toSorted()).toEqual(Object.keys(OFFICIAL).toSorted())
  for (const [file, sha256] of Object.entries(OFFICIAL))
    expect(
      createHash('sha256')
        .update(read(`LICENSES/${file}`))
        .digest('hex'),
      file,
    ).toBe(sha256)
})

it('every file has a licence, and each licence its text', () => {
  expect(annotations[0]).toMatchObject({ paths: ['**'], licence: 'AGPL-3.0-only' })
  expect(annotations.every(({ copyright }) => /^\d{4} \S/.test(copyright))).toBe(true)
  expect(new Set(annotations.map(({ licence }) => `${licence}.txt`))).toEqual(new Set(Object.keys(OFFICIAL)))
})

it.each(manifests)('%s names the licence that its files have', (file) => {
  expect(JSON.parse(read(file)).license).toBe(licenceOf(file))
})

it('everything that is needed to check a draw is under a permissive licence', () => {
  const permissive = new Set(['domain', 'contract', 'verifier', 'witness'])
  for (const name of readdirSync(join(ROOT, 'packages'))) {
    const { license, dependencies, devDependencies } = JSON.parse(read(`packages/${name}/package.json`))
    expect(license === 'Apache-2.0', name).toBe(permissive.has(name))
    const own = Object.keys({ ...dependencies, ...devDependencies }).filter((one) => one.startsWith('@fairball/'))
    if (permissive.has(name)) for (const one of own) expect(permissive, `${name} needs ${one}`).toContain(one.slice(10))
  }
})

it('the notices of other people’s packages are those of the installed ones: run npm run licences', () => {
  expect(readFileSync(NOTICES, 'utf8')).toBe(noticesOf(productPackages()))
})
