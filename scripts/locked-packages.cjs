// What the lock files pin: every package that an installation can bring, with its licence and what it needs. Runs without an installation.
'use strict'

const fs = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '..')
/** Everything that has a lock file of its own. */
const LOCK_FILES = [
  'package-lock.json',
  'trials/bench/lighthouse/package-lock.json',
  'trials/mutation/package-lock.json',
]

/**
 * A package as a lock file pins it.
 * @typedef {object} LockedPackage
 * @property {string} place where it is installed: `node_modules/pg`
 * @property {string} name
 * @property {string} version
 * @property {string | null} licence as the package says it (SPDX), or null
 * @property {string | null} integrity what its bytes hash to
 * @property {boolean} isDevelopment whether only development, tests and the build need it
 * @property {boolean} isOptional whether it is left out where it does not fit the computer
 * @property {boolean} isOwn whether it is one of this repository's
 * @property {boolean} hasInstallScript
 * @property {string[]} needs the places of the packages it needs, those that are left out for every computer apart
 */

/**
 * Every package of a lock file, the repository's own ones too, ordered by where it is installed.
 * @param {string} [lockFile] relative to the repository
 * @returns {LockedPackage[]}
 */
function lockedPackages(lockFile = LOCK_FILES[0]) {
  const { packages } = JSON.parse(fs.readFileSync(path.join(ROOT, lockFile), 'utf8'))
  const places = Object.keys(packages).filter((place) => !packages[place].link)
  return sorted(places).map((place) => {
    const one = packages[place]
    return {
      place,
      name: one.name || place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: one.version,
      licence: one.license || null,
      integrity: one.integrity || null,
      isDevelopment: Boolean(one.dev),
      isOptional: Boolean(one.optional),
      isOwn: !place.includes('node_modules/'),
      hasInstallScript: Boolean(one.hasInstallScript),
      needs: needsOf(packages, place),
    }
  })
}

/** Node looks for a package from the inside out. */
function needsOf(packages, place) {
  const one = packages[place]
  const names = Object.keys(
    Object.assign({}, one.dependencies, one.optionalDependencies, one.devDependencies, one.peerDependencies),
  )
  // The root stands for the repository: its own packages are its parts.
  const parts = place === '' ? Object.keys(packages).filter((other) => packages[other].link) : []
  const found = names.map((name) => {
    for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
      const candidate = (folder === '' ? '' : folder + '/') + 'node_modules/' + name
      if (packages[candidate]) return candidate
      if (folder === '') return null
    }
  })
  const real = found.concat(parts).map((other) => (other && packages[other].link ? packages[other].resolved : other))
  return sorted(new Set(real.filter((other) => other !== null)))
}

/**
 * In the order of their characters' codes: the same in every language.
 * @param {Iterable<string>} texts
 * @returns {string[]}
 */
function sorted(texts) {
  return [...texts].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0))
}

module.exports = { ROOT, LOCK_FILES, lockedPackages, sorted }
