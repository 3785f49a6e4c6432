// npm run release: makes a release of the commit that is checked out, in one folder with the hash of each file
// (docs/change.md). It changes nothing outside that folder.
//   npm run release                        tests, builds, and writes dist/release/<version>
//   npm run release -- --untested          without the tests, which the provenance says
//   npm run release -- version 1.2.0       writes a version wherever it appears, for a release to come
'use strict'

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { billOfMaterials } = require('./sbom.cjs')
const { ROOT, lockedPackages } = require('./locked-packages.cjs')
const { sha256Of, sumsOf, provenanceOf } = require('./provenance.cjs')
const { previousRelease, upgradeFrom } = require('./upgrade-test.cjs')
const { changesOf, setVersion, versionsOf } = require('./versions.cjs')

/** Where `npm run image` keeps what it builds. */
const IMAGES = path.join(ROOT, '.cache', 'image')

/**
 * Makes the folder.
 * @param {{ folder: string, isTested: boolean, hasImage: boolean, buildHash: string, node: string, python: string | undefined }} options
 * @returns {string[]} the names of its files
 * @throws {Error} if the commit is not one that can be released
 */
function makeRelease({ folder, isTested, hasImage, buildHash, node, python }) {
  const { buildPackages } = require('./packages.cjs')
  const { version, commit, at } = releasable()
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { recursive: true })
  const name = 'fairball-' + version
  git(['archive', '--format=tar.gz', '--prefix=' + name + '/', '--output', path.join(folder, name + '.tar.gz'), commit])
  buildPackages(folder, python)
  write(folder, 'sbom.json', JSON.stringify(billOfMaterials(lockedPackages()), null, 2) + '\n')
  write(folder, 'build-hash.txt', buildHash + '\n')
  write(folder, 'CHANGELOG.md', changesOf(version))
  if (hasImage) writeImage(path.join(folder, name + '-image.tar'), version)
  const files = filesOf(folder)
  write(
    folder,
    'provenance.json',
    provenanceOf({ files, version, commit, at, buildHash, isTested, tools: toolsOf(node) }),
  )
  write(folder, 'SHA256SUMS', sumsOf(filesOf(folder)))
  return fs.readdirSync(folder).sort()
}

/** The version, the commit and its time, of a tree that is committed and has what a release needs. */
function releasable() {
  const changed = git(['status', '--porcelain'])
  if (changed !== '') throw new Error('Commit first; a release is of a commit:\n' + changed)
  const versions = versionsOf()
  const [version, ...others] = new Set(versions.values())
  if (others.length > 0)
    throw new Error('The version is not the same everywhere: ' + [...versions].map((one) => one.join(' ')).join(', '))
  if (changesOf(version) === '')
    throw new Error('CHANGELOG.md has no section "## ' + version + '": rename "Unreleased", and begin a new one.')
  const commit = git(['rev-parse', 'HEAD']).trim()
  return { version, commit, at: git(['log', '-1', '--format=%cI']).trim() }
}

/** The image as an archive that `docker load` and `podman load` read. What was built just now is built no second time. */
function writeImage(file, version) {
  const { name, command } = require('./image.cjs').buildImage(IMAGES)
  const push = command(['push', '--quiet', name, 'docker-archive:' + file + ':fairball:' + version])
  if (spawnSync('buildah', push, { stdio: 'inherit' }).status !== 0) throw new Error('The image cannot be written.')
}

/** Name and content hash of each file of the folder, sorted. */
function filesOf(folder) {
  const names = fs.readdirSync(folder).sort()
  return names.map((name) => ({ name, sha256: sha256Of(fs.readFileSync(path.join(folder, name))) }))
}

function toolsOf(node) {
  const npm = spawnSync('npm', ['--version'], { encoding: 'utf8' }).stdout.trim()
  return { node: spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1), npm }
}

function write(folder, name, text) {
  fs.writeFileSync(path.join(folder, name), text)
}

function git(args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error('git ' + args[0] + ': ' + stderr)
  return stdout
}

/** Runs a script of this folder with its output shown. @returns whether it succeeded */
function script(node, name, args = []) {
  return spawnSync(node, [path.join(__dirname, name)].concat(args), { cwd: ROOT, stdio: 'inherit' }).status === 0
}

function main(args) {
  if (args[0] === 'version') return setVersion(args[1])
  const { fail, prepare } = require('./bootstrap.cjs')
  const { TOOLS, provideTool } = require('./test-tools.cjs')
  const isTested = !args.includes('--untested')
  const node = prepare()
  const { version } = releasable()
  if (isTested && !script(node, 'test.cjs')) fail('No release: a test fails.')
  const previous = previousRelease()
  if (isTested && previous !== null && !upgradeFrom(previous, []))
    fail('No release: the database of ' + previous + ' does not go through it.')
  const hasImage = script(node, 'image.cjs')
  if (!hasImage) process.stderr.write('This release has no image: npm run image says above why.\n')
  const built = spawnSync(node, [path.join(__dirname, 'build-hash.cjs')], { cwd: ROOT, encoding: 'utf8' })
  const [buildHash] = /\b[0-9a-f]{64}\b/.exec(built.stdout) || []
  if (buildHash === undefined) fail('No release: the web cannot be built.\n' + built.stderr)
  const folder = path.join(ROOT, 'dist', 'release', version)
  const python = provideTool(TOOLS.python) || undefined
  for (const name of makeRelease({ folder, isTested, hasImage, buildHash, node, python }))
    process.stdout.write(path.join('dist', 'release', version, name) + '\n')
}

module.exports = { makeRelease }

if (require.main === module) {
  try {
    main(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(error.message + '\n')
    process.exitCode = 1
  }
}
