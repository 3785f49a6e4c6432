import { createRequire } from 'node:module'
import { expect, it } from 'vitest'

const require = createRequire(import.meta.url)
const { changesOf, setVersion, versionsOf } = require('./versions.cjs')
const { provenanceOf, sha256Of, sumsOf } = require('./provenance.cjs')

const FILES = [
  { name: 'a.tar.gz', sha256: sha256Of('a') },
  { name: 'sbom.json', sha256: sha256Of('b') },
]
const RELEASE = {
  files: FILES,
  version: '1.2.3',
  commit: 'c'.repeat(40),
  at: '2026-11-28T12:00:00Z',
  buildHash: 'd'.repeat(64),
  isTested: false,
  tools: { node: '24.21.0', npm: '11.0.0' },
}

it('the version is one and the same wherever it is written, and the changelog has it', () => {
  const versions = versionsOf()
  const [version] = new Set(versions.values())
  expect(versions.size).toBeGreaterThan(14)
  expect(new Set(versions.values())).toEqual(new Set([version]))
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(changesOf(version)).toMatch(new RegExp(`^## ${version}\n\n\\S`))
  expect(changesOf('Unreleased')).toMatch(/^## Unreleased\n/)
})

it('a version that is not semantic is refused before anything is written', () => {
  for (const version of [undefined, '1.2', 'v1.2.3', '1.2.3-rc1'])
    expect(() => setVersion(version)).toThrow('MAJOR.MINOR.PATCH')
})

it('the provenance is an in-toto statement about every file, and says what was not tested', () => {
  const statement = JSON.parse(provenanceOf(RELEASE))
  expect(statement).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    predicateType: 'https://slsa.dev/provenance/v1',
    subject: FILES.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicate: {
      buildDefinition: {
        buildType: expect.stringMatching(/^\w+:/),
        externalParameters: { version: '1.2.3', tested: false },
        resolvedDependencies: [{ digest: { gitCommit: RELEASE.commit } }],
      },
      runDetails: { builder: { id: expect.stringMatching(/^\w+:/), version: RELEASE.tools } },
    },
  })
  expect(provenanceOf(RELEASE)).toBe(provenanceOf({ ...RELEASE }))
})

it('the list of hashes is one that sha256sum checks', () => {
  expect(sumsOf(FILES)).toBe(`${sha256Of('a')}  a.tar.gz\n${sha256Of('b')}  sbom.json\n`)
})
