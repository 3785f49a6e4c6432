// npm run image: builds the image of Containerfile without a registry and without a daemon, as root on Debian with
// buildah and mmdebstrap: the base comes from Debian's mirror, the packages from the npm registry of this user.
//   node scripts/image.cjs [store]    default: .cache/image; the image is fairball:<version> there
'use strict'

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT, fail } = require('./bootstrap.cjs')

const { version } = require('../package.json')
const NAME = 'localhost/fairball:' + version
const BASE = 'localhost/fairball-base'
const MIRROR = 'http://deb.debian.org/debian'
/** What slim images of Debian leave out: manuals and translations. */
const LEFT_OUT = ['doc', 'man', 'info', 'locale', 'lintian', 'groff', 'linda'].map(
  (name) => '/usr/share/' + name + '/*',
)
/** As in slim images; without these Debian merges /usr with a program that brings all of Perl. */
const MERGED = ['--include=usr-is-merged', '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr']
/** The size that the image may have, in bytes of its files. */
const MAX_BYTES = 350e6
/** Where npm finds the certificates of NODE_EXTRA_CA_CERTS during the build. */
const CERTIFICATES = '/run/fairball-certificates.crt'

if (require.main === module) {
  const { size } = buildImage(path.resolve(process.argv[2] || path.join(ROOT, '.cache', 'image')))
  process.stdout.write(NAME + ': ' + Math.round(size / 1e6) + ' MB\n')
  if (size > MAX_BYTES) fail('The image is larger than ' + MAX_BYTES / 1e6 + ' MB.')
}

/**
 * Builds the image in a store of its own.
 *
 * @param {string} store the folder of its layers
 * @returns {{ name: string, size: number, command: (args: string[]) => string[] }} its size in bytes, and buildah's
 *   arguments for a command on this store
 */
function buildImage(store) {
  for (const program of ['buildah', 'mmdebstrap'])
    if (spawnSync(program, ['--version']).error) fail('There is no ' + program + ': apt-get install buildah mmdebstrap')
  fs.mkdirSync(store, { recursive: true })
  const buildah = (args, options) => run('buildah', storeOf(store).concat(args), options)
  if (!hasImage(store, BASE)) makeBase(store, buildah)
  const commit = run('git', ['rev-parse', 'HEAD']).trim()
  const args = [
    'bud',
    '--isolation',
    'chroot',
    '--layers',
    '--build-arg',
    'BASE=' + BASE,
    '--build-arg',
    'COMMIT=' + commit,
  ]
  const volumes = npmSettings(store).flatMap(([from, to]) => ['--volume', from + ':' + to + ':ro'])
  buildah(args.concat(volumes, ['--tag', NAME, '--file', 'Containerfile', ROOT]), { isShown: true })
  return { name: NAME, size: sizeOf(buildah), command: (words) => storeOf(store).concat(words) }
}

/** The base: Debian 12 with as much as its slim image has. */
function makeBase(store, buildah) {
  const tar = path.join(store, 'base.tar')
  const without = LEFT_OUT.map((files) => '--dpkgopt=path-exclude=' + files)
  run('mmdebstrap', ['--variant=apt', '--quiet'].concat(MERGED, without, ['bookworm', tar, MIRROR]), { isShown: true })
  const container = buildah(['from', 'scratch']).trim()
  buildah(['add', '--quiet', container, tar, '/'])
  buildah(['commit', '--quiet', '--rm', container, BASE])
  fs.rmSync(tar)
}

/**
 * The npm registry and the certificates of this user, for another system: Debian's own certificates are installed there
 * meanwhile, so these are elsewhere.
 *
 * @param {string} folder where a file is written
 * @returns {[file: string, place: string][]} files of this computer, and where they have to be there
 */
function npmSettings(folder) {
  const settings = readOrEmpty(path.join(process.env.HOME || '/root', '.npmrc')).split('\n')
  const certificates = process.env.NODE_EXTRA_CA_CERTS || ''
  const own = settings.filter((line) => !line.startsWith('cafile='))
  const file = path.join(folder, 'npmrc')
  fs.writeFileSync(file, own.concat(certificates === '' ? [] : 'cafile=' + CERTIFICATES, '').join('\n'), {
    mode: 0o600,
  })
  return [[file, '/root/.npmrc']].concat(certificates === '' ? [] : [[certificates, CERTIFICATES]])
}

function readOrEmpty(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
}

/** The size of all files in the image, in bytes. */
function sizeOf(buildah) {
  const container = buildah(['from', NAME]).trim()
  try {
    const folder = buildah(['mount', container]).trim()
    return Number(run('du', ['--summarize', '--apparent-size', '--block-size=1', folder]).split('\t')[0])
  } finally {
    buildah(['rm', container])
  }
}

function hasImage(store, name) {
  return spawnSync('buildah', storeOf(store).concat('inspect', '--type', 'image', name)).status === 0
}

/** The plain driver of buildah would copy all files for each instruction. */
function storeOf(store) {
  return ['--storage-driver', 'overlay', '--root', path.join(store, 'layers'), '--runroot', path.join(store, 'run')]
}

/** @returns {string} what the program prints */
function run(program, args, options) {
  const stdio = options && options.isShown ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'inherit']
  const result = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8', stdio, maxBuffer: 1e8 })
  if (result.status !== 0) fail(program + ' failed (' + (result.signal || result.status) + ').')
  return result.stdout || ''
}

module.exports = { buildImage, npmSettings, MIRROR }
