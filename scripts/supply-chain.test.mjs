import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const require = createRequire(import.meta.url)
const { LOCK_FILES, lockedPackages, sorted } = require('./locked-packages.cjs')
const { billOfMaterials } = require('./sbom.cjs')
const { LIST, foreignPackages, licenceList, licenceProblems } = require('./licences.cjs')

const read = (file) => readFileSync(join(ROOT, file), 'utf8')
const manifests = [
  'package.json',
  ...LOCK_FILES.slice(1).map((file) => file.replace('package-lock.json', 'package.json')),
  ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/package.json`),
]
const locked = lockedPackages()
const foreign = LOCK_FILES.flatMap((file) => lockedPackages(file).filter((one) => !one.isOwn))

/** Folders without files of our own. */
const NOT_OURS = /^(?:node_modules|\.git|dist|data|\.cache|test-results|playwright-report|screenshots|__pycache__)$/

/** Every text file of the repository, by its relative path. */
function* texts(folder = '') {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (NOT_OURS.test(entry.name)) continue
    if (entry.isDirectory()) yield* texts(name)
    else if (entry.isFile() && !/\.(?:png|woff2|bin|gz|br)$/.test(name)) yield name
  }
}

describe('every dependency', () => {
  it.each(manifests)('%s names every dependency with one exact version', (file) => {
    const manifest = JSON.parse(read(file))
    const all = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'overrides'].flatMap(
      (kind) => Object.entries(manifest[kind] ?? {}),
    )
    const loose = all.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
    expect(loose).toEqual([])
  })

  it('every dependency is locked as the packages name it', () => {
    for (const file of manifests) {
      const ownLockFile = file.replace('package.json', 'package-lock.json')
      const lockFile = LOCK_FILES.includes(ownLockFile) ? ownLockFile : LOCK_FILES[0]
      const place = file.startsWith('packages/') ? file.replace('/package.json', '') : ''
      const pinned = JSON.parse(read(lockFile)).packages[place]
      const manifest = JSON.parse(read(file))
      for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'])
        expect(pinned[kind], `${file} ${kind}`).toEqual(manifest[kind])
    }
  })

  it('every dependency is locked to its bytes', () => {
    expect(foreign.length).toBeGreaterThan(400)
    const loose = foreign.filter(({ integrity }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
    expect(loose.map(({ place }) => place)).toEqual([])
  })

  it('every dependency comes from the user’s registry: no file names one', () => {
    // Split into parts, because this file is searched too.
    const registry = new RegExp(
      ['registry\\.(?:npmjs|yarnpkg|npmmirror)', 'npm\\.pkg\\.github', '_authToken'].join('|'),
    )
    const named = [...texts()].filter((file) => file !== 'scripts/supply-chain.test.mjs' && registry.test(read(file)))
    expect(named).toEqual([])
    for (const file of LOCK_FILES)
      for (const [place, { resolved, link }] of Object.entries(JSON.parse(read(file)).packages))
        expect(resolved === undefined || (link === true && /^(packages\/|trials$)/.test(resolved)), place).toBe(true)
    expect(read('.npmrc')).toContain('omit-lockfile-registry-resolved=true\n')
    expect(read('.npmrc')).not.toMatch(/registry=/)
  })
})

describe('an installation', () => {
  it('an installation runs no script of any package', () => {
    expect(read('.npmrc')).toContain('ignore-scripts=true\n')
    expect(read('scripts/bootstrap.cjs')).toMatch(/const args = \['ci', '--ignore-scripts',/)
    const { allowScripts } = JSON.parse(read('package.json'))
    const withScripts = foreign.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)
    // This fails if a package gets a new script, so that it is reviewed first.
    expect(sorted(Object.keys(allowScripts))).toEqual(sorted(withScripts))
    expect(new Set(Object.values(allowScripts))).toEqual(new Set([false]))
  })

  it('an installation runs no script of our own packages', () => {
    for (const file of manifests) {
      const { scripts = {} } = JSON.parse(read(file))
      const automatic = Object.keys(scripts).filter((name) =>
        /^(?:pre|post)?(?:install|prepare|pack|publish)$|^(?:pre|post)/.test(name),
      )
      expect(automatic, file).toEqual([])
    }
  })
})

describe('the bill of materials', () => {
  const bill = billOfMaterials(locked)

  it('the bill is the same, wherever and whenever it is written', () => {
    const other = mkdtempSync(join(tmpdir(), 'fairball-sbom-'))
    onTestFinished(() => rmSync(other, { recursive: true }))
    const [one, two] = [ROOT, other].map((cwd) => {
      const env = { ...process.env, TZ: cwd === ROOT ? 'Asia/Tokyo' : 'America/New_York' }
      return spawnSync(process.execPath, [join(ROOT, 'scripts/sbom.cjs')], { cwd, env, encoding: 'utf8' }).stdout
    })
    expect(one).toBe(two)
    expect(JSON.parse(one)).toEqual(bill)
    expect(bill.metadata.timestamp).toBeUndefined()
    expect(billOfMaterials(locked.slice(0, -1)).serialNumber).not.toBe(bill.serialNumber)
    expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('the bill contains no address of a registry and no path of this computer', () => {
    const text = JSON.stringify(bill)
    expect(text.match(/https?:\/\/[^"]*/g)).toEqual(['http://cyclonedx.org/schema/bom-1.5.schema.json'])
    expect(text).not.toContain(ROOT)
    expect(text).not.toContain('node_modules')
  })

  it('the bill has the same packages, hashes, licences and dependencies as npm’s own', () => {
    const { status, stdout } = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    })
    expect(status).toBe(0)
    const facts = ({ components }) =>
      Object.fromEntries(components.map((one) => [one.purl, { hashes: one.hashes, licenses: one.licenses }]))
    const needs = ({ dependencies }) => {
      const found = {}
      for (const { ref, dependsOn } of dependencies) found[ref] = sorted(new Set([...(found[ref] ?? []), ...dependsOn]))
      return found
    }
    const theirs = JSON.parse(stdout)
    expect(facts(bill)).toEqual(facts(theirs))
    expect(needs(bill)).toEqual(needs(theirs))
  })

  it('the bill of an installation for production leaves out the tools', () => {
    const { stdout } = spawnSync(process.execPath, [join(ROOT, 'scripts/sbom.cjs'), '--production'], {
      encoding: 'utf8',
    })
    const production = JSON.parse(stdout)
    const names = production.components.map(({ name }) => name)
    expect(names).toContain('fastify')
    expect(names).not.toContain('vitest')
    expect(production.components.length).toBeLessThan(bill.components.length * 0.6)
    const refs = new Set(production.components.map((one) => one['bom-ref']).concat('fairball@0.1.0'))
    for (const { ref, dependsOn } of production.dependencies)
      for (const one of [ref, ...dependsOn]) expect(refs).toContain(one)
  })
})

describe('the licences', () => {
  it('all licences are allowed', () => {
    expect(licenceProblems(foreignPackages())).toEqual([])
  })

  it('the list of licences matches the lock files: run npm run licences', () => {
    expect(readFileSync(LIST, 'utf8')).toBe(licenceList())
  })

  it('the licences are those of the installed packages', () => {
    for (const { place, licence } of locked.filter((one) => !one.isOwn)) {
      const text = readOrNull(`${place}/package.json`)
      // Packages for other computers are not installed.
      if (text !== null) expect(JSON.parse(text).license, place).toBe(licence)
    }
  })

  it.each([
    ['GPL-3.0-only', false, 'x 1.0.0 is a part of the product under GPL-3.0-only.'],
    ['GPL-3.0-only', true, 'x 1.0.0 is a tool under GPL-3.0-only.'],
    [null, true, 'x 1.0.0 is a tool under no licence that it names.'],
    ['MPL-2.0', false, 'x 1.0.0 is a part of the product under MPL-2.0.'],
    ['MPL-2.0', true, null],
    ['CC-BY-4.0', false, 'x 1.0.0 is a part of the product under CC-BY-4.0.'],
    ['CC-BY-4.0', true, null],
    ['(MPL-2.0 OR Apache-2.0)', false, null],
    ['(GPL-2.0-only OR AGPL-3.0-only)', true, 'x 1.0.0 is a tool under (GPL-2.0-only OR AGPL-3.0-only).'],
    ['(MIT AND GPL-2.0-only)', true, 'x 1.0.0 is a tool under (MIT AND GPL-2.0-only).'],
    ['OFL-1.1', false, 'x 1.0.0 is a part of the product under OFL-1.1.'],
    ['UNLICENSED', true, 'x 1.0.0 is a tool under UNLICENSED.'],
    ['MIT', false, null],
  ])('%s, for a tool: %s, gives %s', (licence, isDevelopment, problem) => {
    expect(licenceProblems([{ name: 'x', version: '1.0.0', licence, isDevelopment }])).toEqual(
      problem === null ? [] : [problem],
    )
  })
})

function readOrNull(file) {
  try {
    return read(file)
  } catch {
    return null
  }
}
