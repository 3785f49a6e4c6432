// A Lightning node for the tests: Core Lightning, unpacked into a folder of the cache from an archive beside the
// repository (../shared/bin), so that nothing is installed.
//   node scripts/lightning-node.cjs   prints the path of a lightningd, unpacked first if there is none yet
// The variable LIGHTNINGD names another lightningd instead.
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
  return unpacked() || unpack()
}

function unpacked() {
  const folders = fs.existsSync(CACHE) ? fs.readdirSync(CACHE).sort().reverse() : []
  return folders.map((name) => path.join(CACHE, name, 'bin', 'lightningd')).find((file) => fs.existsSync(file)) || null
}

function unpack() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('The archive is for Linux on x64, and this is ' + process.platform + ' on ' + process.arch + '.')
  const archive = (fs.existsSync(ARCHIVES) ? fs.readdirSync(ARCHIVES) : []).find((name) => ARCHIVE.test(name))
  if (archive === undefined)
    throw new Error('There is no archive of Core Lightning in ../shared/bin. LIGHTNINGD can name a lightningd.')
  fs.mkdirSync(CACHE, { recursive: true })
  const { status, stderr } = spawnSync('tar', ['xJf', path.join(ARCHIVES, archive), '-C', CACHE], { encoding: 'utf8' })
  const program = unpacked()
  if (status !== 0 || program === null) throw new Error('The archive could not be unpacked. ' + (stderr || '').trim())
  return program
}

module.exports = { provideLightning }

if (require.main === module) process.stdout.write(provideLightning() + '\n')
