// The content of the lock files: every package that can be installed, with its licence and dependencies. Runs without
// an installation.
'use strict'

const fs = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '..')
/** All lock files. */
const LOCK_FILES = [
  'package-lock.json',
  'trials/bench/lighthouse/package-lock.json',
  'trials/mutation/package-lock.json',
]

/**
 * A package in a lock file.
 * @typedef {object} LockedPackage
 * @property {string} place its folder: `node_modules/pg`
 * @property {string} name
 * @property {string} version
 * @property {string | null} licence as declared by the package (SPDX), or null
 * @property {string | null} integrity hash of its bytes
 * @property {boolean} isDevelopment whether only development, tests and the build need it
 * @property {boolean} isOptional whether it is skipped on computers it does not fit
 * @property {boolean} isOwn whether it is one of this repository's
 * @property {boolean} hasInstallScript
 * @property {string[]} needs the places of the packages it needs, without those that no computer installs
 */

/**
 * Every package of a lock file, including the repository's own, ordered by place.
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

/** The places of a package's dependencies: Node looks for them from the inside out. */
function needsOf(packages, place) {
  const one = packages[place]
  const names = Object.keys(
    Object.assign({}, one.dependencies, one.optionalDependencies, one.devDependencies, one.peerDependencies),
  )
  // The root is the repository, and its own packages are its dependencies.
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
 * Sorts by character codes: the same in every locale.
 * @param {Iterable<string>} texts
 * @returns {string[]}
 */
function sorted(texts) {
  return [...texts].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0))
}

module.exports = { ROOT, LOCK_FILES, lockedPackages, sorted }
