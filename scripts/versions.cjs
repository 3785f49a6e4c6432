// The version of the product, wherever it is written, and what the changelog says of one.
'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { ROOT } = require('./locked-packages.cjs')

const read = (file) => fs.readFileSync(path.join(ROOT, file), 'utf8')

/** Every manifest of the repository's own packages. */
function manifests() {
  const packages = fs.readdirSync(path.join(ROOT, 'packages')).sort()
  return ['package.json', 'trials/package.json'].concat(packages.map((name) => 'packages/' + name + '/package.json'))
}

/** Other places, each with the pattern around the number. */
const PLACES = [
  ['packages/server/src/main/version.ts', /(?<=VERSION = ')[^']+/g],
  ['packages/verifier/README.md', /(?<=fairball-verify-)\d+\.\d+\.\d+/g],
  ['packages/verifier/python/README.md', /(?<=fairball_verify-)\d+\.\d+\.\d+/g],
  ['packages/witness/README.md', /(?<=fairball-witness-)\d+\.\d+\.\d+/g],
  ['docs/audit.md', /(?<=fairball[-_](?:verify|witness)-)\d+\.\d+\.\d+/g],
]
const OWN = /("@fairball\/[a-z]+": )"[^"]+"/g

/** @returns {Map<string, string>} the version in each file; different ones of a file with spaces between */
function versionsOf() {
  const found = new Map(manifests().map((file) => [file, JSON.parse(read(file)).version]))
  for (const [file, pattern] of PLACES) found.set(file, [...new Set(read(file).match(pattern))].join(' '))
  return found
}

/** Writes a version wherever it appears. @throws {Error} for one that is not semantic */
function setVersion(version) {
  if (!/^\d+\.\d+\.\d+$/.test(version || ''))
    throw new Error('A version is MAJOR.MINOR.PATCH: npm run release -- version 1.2.0')
  const write = (file, text) => fs.writeFileSync(path.join(ROOT, file), text)
  const numbered = (text) =>
    text.replace(/("version": )"[^"]+"/, '$1"' + version + '"').replace(OWN, '$1"' + version + '"')
  for (const file of manifests()) write(file, numbered(read(file)))
  for (const [file, pattern] of PLACES) write(file, read(file).replace(pattern, version))
  const lock = JSON.parse(read('package-lock.json'))
  lock.version = version
  for (const [place, one] of Object.entries(lock.packages)) {
    if (place.includes('node_modules/')) continue
    one.version = version
    for (const kind of ['dependencies', 'devDependencies'])
      for (const name of Object.keys(one[kind] || {})) if (name.startsWith('@fairball/')) one[kind][name] = version
  }
  write('package-lock.json', JSON.stringify(lock, null, 2) + '\n')
}

/** What the changelog says of a version, with its heading; empty if it says nothing. */
function changesOf(version) {
  const parts = read('CHANGELOG.md').split(/^(?=## )/m)
  return parts.find((part) => part.split('\n')[0].trim() === '## ' + version) || ''
}

module.exports = { changesOf, setVersion, versionsOf }
