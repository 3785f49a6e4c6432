// Finds Core Lightning for the tests: the program in LIGHTNINGD, or the archive core-lightning-*.tar.xz in ../shared/bin
// beside the project, unpacked into the cache. For tests only.
//   node scripts/lightning-node.cjs   prints the path of a lightningd
'use strict'

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '..')
const CACHE = path.join(ROOT, '.cache', 'lightning-node')
const ARCHIVES = path.join(ROOT, '..', 'shared', 'bin')
const ARCHIVE = /^core-lightning-.*-linux-x64\.tar\.xz$/

/**
 * The path of a lightningd that can be started.
 *
 * @returns {string}
 * @throws Error with the reason if there is none
 */
function provideLightning() {
  const named = process.env.LIGHTNINGD
  if (named) {
    if (!fs.existsSync(named)) throw new Error('LIGHTNINGD names ' + named + ', which does not exist.')
    return named
  }
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('The archive is for Linux on x64. LIGHTNINGD may name another lightningd.')
  const archive = (fs.existsSync(ARCHIVES) ? fs.readdirSync(ARCHIVES) : [])
    .filter((name) => ARCHIVE.test(name))
    .sort()
    .pop()
  if (archive === undefined) throw new Error('LIGHTNINGD names no lightningd, and ../shared/bin has no archive of one.')
  const folder = path.join(CACHE, archive.replace(/\.tar\.xz$/, ''))
  const program = path.join(folder, 'bin', 'lightningd')
  if (!fs.existsSync(program)) unpack(path.join(ARCHIVES, archive), folder)
  return program
}

/** Unpacks beside the final place and then moves it there, so that an incomplete node is never used. */
function unpack(archive, folder) {
  fs.mkdirSync(CACHE, { recursive: true })
  const making = fs.mkdtempSync(path.join(CACHE, '.making-'))
  try {
    const result = spawnSync(
      'tar',
      ['--extract', '--xz', '--file', archive, '--strip-components=1', '--directory', making],
      {
        encoding: 'utf8',
      },
    )
    if (result.error) throw result.error
    if (result.status !== 0) throw new Error(path.basename(archive) + ' cannot be unpacked: ' + result.stderr.trim())
    fs.chmodSync(making, 0o755)
    fs.rmSync(folder, { recursive: true, force: true })
    fs.renameSync(making, folder)
  } finally {
    fs.rmSync(making, { recursive: true, force: true })
  }
}

module.exports = { provideLightning }

if (require.main === module) {
  try {
    process.stdout.write(provideLightning() + '\n')
  } catch (error) {
    process.stderr.write('There is no Lightning node. ' + error.message + '\n')
    process.exit(1)
  }
}
